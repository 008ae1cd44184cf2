/**
 * One step of a plan in the abstract: what doing it, with what is endorsed, revealed and quarantined right
 * before it, does to labels, and whether the call complies. The session's rules on labels alone.
 */
import { type Integrity, joinLabels, type Label, readersAtMost } from '../../../semiring/label/label.js';
import type { Capabilities, Name, Plan, PlannedStep, Prices, Step, StepArgument, Variable } from './types.js';

/** Immutable: a step makes a new one. */
export interface State {
  readonly context: Label;
  readonly variables: ReadonlyMap<Name, Variable>;
  readonly endorsed: ReadonlySet<Name>;
  /** Variables whose content the planner model has seen. */
  readonly visible: ReadonlySet<Name>;
}

/** What is done right before a call. */
export interface Preparation {
  readonly endorses: readonly Name[];
  readonly quarantines: readonly string[];
}

export interface Move {
  readonly state: State;
  readonly price: number;
  readonly planned: PlannedStep;
}

export function startOf(plan: Plan): State {
  return {
    context: plan.context,
    variables: new Map(plan.variables.map((variable) => [variable.name, variable])),
    endorsed: new Set(),
    visible: new Set(plan.variables.filter(({ visible }) => visible === true).map(({ name }) => name)),
  };
}

/** A witness all of whose roots are endorsed makes its variable trusted. */
export function labelOf(variable: Variable, endorsed: ReadonlySet<Name>): Label {
  if (variable.label.integrity === 'T') return variable.label;
  const trusted = variable.witnesses.some((witness) => witness.every((root) => endorsed.has(root)));
  return trusted ? { integrity: 'T', readers: variable.label.readers } : variable.label;
}

/**
 * A human certifies `roots`. Those that are trusted then are shown, and their readers bind the context. One
 * that also depends on a root that is not endorsed stays untrusted and hidden.
 */
export function endorse(state: State, roots: readonly Name[]): State {
  const certified = { ...state, endorsed: new Set([...state.endorsed, ...roots]) };
  return reveal(
    certified,
    roots.filter((root) => integrityOf(certified, root) === 'T'),
  );
}

export function reveal(state: State, names: readonly Name[]): State {
  let context = state.context;
  for (const name of names) {
    const variable = state.variables.get(name);
    if (variable !== undefined) context = joinLabels(context, labelOf(variable, state.endorsed));
  }
  return { ...state, context, visible: new Set([...state.visible, ...names]) };
}

export function hiddenOf(state: State): Name[] {
  return [...state.variables.keys()].filter((name) => !state.visible.has(name));
}

/** What the planner model must see before it can make the call. */
export function readsOf(step: Step, quarantines: readonly string[]): Name[] {
  const written = step.arguments.filter(({ name }) => !quarantines.includes(name));
  return [...new Set([...step.reads, ...written.flatMap(({ reads }) => reads)])];
}

/** Everything that `step` makes use of. */
export function usesOf(step: Step): Name[] {
  return [
    ...new Set([
      ...step.reads,
      ...step.arguments.flatMap(({ variables, reads }) => [...variables, ...reads]),
    ]),
  ];
}

/** Does `step`, or undefined where the design cannot show the model what it must see. */
export function take(
  before: State,
  step: Step,
  { endorses, quarantines }: Preparation,
  can: Capabilities,
  prices: Prices,
): Move | undefined {
  if (usesOf(step).some((name) => !before.variables.has(name))) return undefined;
  let price = quarantines.length * prices.quarantine;
  let state = before;
  if (endorses.length > 0) {
    price += prices.endorse + endorses.length * prices.endorseRoot;
    state = endorse(state, endorses);
  }
  const reveals = revealsFor(state, readsOf(step, quarantines), can);
  if (reveals === undefined) return undefined;
  state = reveal(state, reveals);
  const call = state.context;
  const labels = step.arguments.map((argument) =>
    argumentLabel(state, argument, quarantines.includes(argument.name)),
  );
  const complies = doesComply(step, call, labels);
  if (!complies) price += prices.approve;
  const planned: PlannedStep = {
    id: step.id,
    endorses,
    reveals,
    quarantines,
    label: call,
    arguments: step.arguments.map(({ name }, i) => ({ name, label: labels[i] })),
    decision: complies ? 'complies' : 'asks',
  };
  return { state: addResult(state, step, labels, quarantines, can), price, planned };
}

function revealsFor(state: State, reads: readonly Name[], can: Capabilities): Name[] | undefined {
  const hidden = reads.filter((name) => !state.visible.has(name));
  if (hidden.length === 0) return hidden;
  const untrusted = hidden.some((name) => integrityOf(state, name) === 'U');
  if (can.expand === 'none' && (untrusted || !can.endorse)) return undefined;
  return can.expand === 'all' && untrusted ? hiddenOf(state) : hidden;
}

function integrityOf(state: State, name: Name): Integrity {
  const variable = state.variables.get(name);
  return variable === undefined ? 'U' : labelOf(variable, state.endorsed).integrity;
}

function sourcesOf(argument: StepArgument, quarantined: boolean): readonly Name[] {
  return quarantined ? [...argument.variables, ...argument.reads] : argument.variables;
}

/** A literal has the context's label; a variable has its own joined with the context's. */
function argumentLabel(state: State, argument: StepArgument, quarantined: boolean): Label {
  return sourcesOf(argument, quarantined)
    .flatMap((name) => state.variables.get(name) ?? [])
    .reduce((label, variable) => joinLabels(label, labelOf(variable, state.endorsed)), state.context);
}

/** @param labels of `step.arguments`, in order */
export function doesComply(step: Step, call: Label, labels: readonly Label[]): boolean {
  const some = (names: readonly string[], bad: (label: Label) => boolean) =>
    step.arguments.some(({ name }, i) => names.includes(name) && bad(labels[i]));
  const { recipients } = step;
  const trusted = () =>
    call.integrity === 'T' && !some(step.trustedArguments, ({ integrity }) => integrity === 'U');
  const permitted = () =>
    recipients !== 'unknown' && !some(step.data, ({ readers }) => !readersAtMost(readers, recipients));
  switch (step.rule) {
    case 'none':
      return true;
    case 'trusted-action':
      return trusted();
    case 'permitted-flow':
      return permitted();
    case 'either':
      return permitted() || trusted();
    case 'both':
      return permitted() && trusted();
  }
}

function addResult(
  state: State,
  { result, arguments: all }: Step,
  labels: readonly Label[],
  quarantines: readonly string[],
  can: Capabilities,
): State {
  if (result === undefined) return state;
  const echoed = all.filter(({ name }) => result.echoes.includes(name));
  const label = all
    .flatMap(({ name }, i) => (result.echoes.includes(name) ? [labels[i]] : []))
    .reduce(joinLabels, joinLabels(result.label, state.context));
  const sources = echoed.flatMap((argument) => sourcesOf(argument, quarantines.includes(argument.name)));
  // What was called for in an untrusted context stays untrusted: nobody can certify why it was called.
  const witnesses =
    state.context.integrity === 'U'
      ? []
      : sources
          .map((name) => state.variables.get(name)?.witnesses ?? [])
          .reduce(product, result.label.integrity === 'T' ? [[]] : [[result.name]]);
  const variable: Variable = { name: result.name, label, witnesses };
  const next = { ...state, variables: new Map(state.variables).set(result.name, variable) };
  // Integrity alone hides.
  const hidden = can.hides && label.integrity === 'U' && state.context.integrity === 'T';
  return hidden ? next : reveal(next, [result.name]);
}

/** The product of two sets of witnesses, minimal ones only. */
export function product(
  a: readonly (readonly Name[])[],
  b: readonly (readonly Name[])[],
): readonly (readonly Name[])[] {
  const all = a.flatMap((left) => b.map((right) => [...new Set([...left, ...right])].sort()));
  return all.filter(
    (one, i) =>
      !all.some((other, j) => {
        const within = other.every((root) => one.includes(root));
        return within && (other.length < one.length || j < i) && i !== j;
      }),
  );
}
