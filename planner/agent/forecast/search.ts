/**
 * The cost-based search behind a forecast. What it minimises: the number of human interventions, that is the
 * sum in the tropical semiring (min, +) over the steps of the price of every call that is not determined to
 * comply and of every request for endorsement, over all orders that respect the dependencies, all points at
 * which hidden data is expanded, all sets of roots endorsed and all arguments left to quarantined queries.
 *
 * How: dynamic programming, one layer for each number of steps done; a state is what is done and the labels
 * that follow from how. Revealing and endorsing are done as late as possible, right before the first step
 * that needs it: earlier is never cheaper, since the labels of what is revealed only add to the context's. An
 * endorsement request may name roots that later steps need, as one request is one intervention. Sets of roots
 * to try are unions of minimal witnesses: any other root changes no integrity and can only narrow the
 * context's readers.
 *
 * Where nobody's readers differ and roots cost nothing each, endorsing more is never worse, and one set is
 * tried.
 *
 * Exact up to `mostSteps` steps and `mostMoves` tries. Beyond, the cheapest states of a layer, trusted
 * contexts first, are kept: what comes out can be done as it says, so its price is an upper bound, and
 * `exact` is false.
 */
import { AssayError } from '../../../semiring/message/error.js';
import { type Preparation, type State, startOf, take, usesOf } from './state.js';
import {
  type Capabilities,
  interventions,
  type Name,
  type Outlook,
  type Plan,
  type PlannedStep,
  type Step,
  type Strategy,
} from './types.js';

const mostSteps = 12;
const mostMoves = 100_000;
/** States kept in a layer once a plan is past these. */
const beam = 20;
/** Minimal witnesses, and extractable arguments, whose subsets are all tried. */
const mostChoices = 10;

interface Node {
  readonly done: ReadonlySet<string>;
  readonly state: State;
  readonly price: number;
  readonly last?: { readonly from: Node; readonly planned: PlannedStep };
}

/** Quick first: a way that costs nothing is the least, and its price bounds the thorough search otherwise. */
export function search(plan: Plan, strategy: Strategy): Outlook {
  const quick = layers(plan, strategy, 0, Number.POSITIVE_INFINITY);
  if (quick.exact || quick.price === 0) return { ...quick, exact: true };
  if (plan.steps.length > mostSteps) return quick;
  const thorough = layers(plan, strategy, mostMoves, quick.price);
  return thorough.price < quick.price ? thorough : { ...quick, exact: thorough.exact };
}

/**
 * @param open how many tries may be made before only a beam is kept
 * @param bound only ways that cost less are looked for
 */
function layers(plan: Plan, strategy: Strategy, open: number, bound: number): Outlook {
  const can: Capabilities = {
    ...plan.capabilities,
    endorse: plan.capabilities.endorse && strategy.endorse,
    quarantine: plan.capabilities.quarantine && strategy.quarantine,
  };
  const prices = plan.prices ?? interventions;
  const before = predecessors(plan, strategy.reorder);
  const moreIsBetter = prices.endorseRoot === 0 && everyoneReadsAll(plan);
  let moves = 0;
  let exact = true;
  let layer: Node[] = [{ done: new Set(), state: startOf(plan), price: 0 }];
  for (let depth = 0; depth < plan.steps.length; depth++) {
    const next = new Map<string, Node>();
    for (const node of layer) {
      for (const step of plan.steps) {
        if (node.done.has(step.id) || !before(step).every((id) => node.done.has(id))) continue;
        const left = plan.steps.filter(({ id }) => !node.done.has(id));
        const { choices, all } = preparations(node.state, step, left, can, moreIsBetter);
        moves += choices.length;
        exact &&= all;
        for (const choice of choices) {
          const move = take(node.state, step, choice, can, prices);
          if (move === undefined) continue;
          const price = node.price + move.price;
          if (price >= bound) continue;
          const done = new Set([...node.done, step.id]);
          const key = keyOf(done, move.state);
          const known = next.get(key);
          if (known !== undefined && known.price <= price) continue;
          next.set(key, { done, state: move.state, price, last: { from: node, planned: move.planned } });
        }
      }
    }
    layer = [...next.values()].sort((a, b) => a.price - b.price || taint(a) - taint(b));
    if (moves > open && layer.length > beam) {
      layer = layer.slice(0, beam);
      exact = false;
    }
  }
  const best = layer.at(0);
  return {
    price: best?.price ?? Number.POSITIVE_INFINITY,
    exact,
    steps: best === undefined ? [] : pathTo(best),
  };
}

function taint({ state }: Node): number {
  return state.context.integrity === 'T' ? 0 : 1;
}

function everyoneReadsAll({ context, variables, steps }: Plan): boolean {
  const labels = [
    context,
    ...variables.map(({ label }) => label),
    ...steps.flatMap(({ result }) => result?.label ?? []),
  ];
  return labels.every(({ readers }) => readers === 'everyone');
}

function pathTo(node: Node): PlannedStep[] {
  const steps: PlannedStep[] = [];
  for (let at: Node = node; at.last !== undefined; at = at.last.from) steps.push(at.last.planned);
  return steps.reverse();
}

/**
 * What must be done before a step: its `after`, the steps whose results it uses, or simply the one before it.
 */
function predecessors({ steps }: Plan, reorder: boolean): (step: Step) => readonly string[] {
  const makers = new Map<Name, string>();
  for (const { id, result } of steps) if (result !== undefined) makers.set(result.name, id);
  const known = new Set(steps.map(({ id }) => id));
  if (known.size < steps.length) {
    throw new AssayError('forecast/step-repeats', 'two steps have the same id: give each its own');
  }
  const before = new Map(
    steps.map((step, index) => {
      const made = usesOf(step).flatMap((name) => makers.get(name) ?? []);
      const chain = reorder || index === 0 ? [] : [steps[index - 1].id];
      return [step.id, [...step.after.filter((id) => known.has(id)), ...made, ...chain]];
    }),
  );
  return (step) => before.get(step.id) ?? [];
}

/** All that is worth trying right before `step`; `all` is false where there was too much to try. */
function preparations(
  state: State,
  step: Step,
  left: readonly Step[],
  can: Capabilities,
  moreIsBetter: boolean,
) {
  const extractable = can.quarantine ? step.arguments.filter((argument) => argument.extractable) : [];
  const quarantines = subsets(extractable.map(({ name }) => name));
  const endorsements = can.endorse
    ? endorsementsFor(state, step, left, moreIsBetter)
    : { sets: [], all: true };
  const choices: Preparation[] = [];
  for (const quarantined of quarantines.sets) {
    for (const endorses of [[], ...endorsements.sets]) choices.push({ endorses, quarantines: quarantined });
  }
  return { choices, all: quarantines.all && endorsements.all };
}

/** Unions of what makes variables of the remaining steps trusted, with something for `step` in each. */
function endorsementsFor(state: State, step: Step, left: readonly Step[], moreIsBetter: boolean) {
  const own = witnessesOf(state, usesOf(step));
  if (own.length === 0) return { sets: [], all: true };
  if (moreIsBetter) {
    return { sets: [[...new Set(witnessesOf(state, left.flatMap(usesOf)).flat())].sort()], all: true };
  }
  const others = witnessesOf(state, left.flatMap(usesOf)).filter(
    (witness) => !own.some((mine) => mine.join('\n') === witness.join('\n')),
  );
  const mine = subsets(own);
  const further = subsets(others);
  const unions = new Map<string, readonly Name[]>();
  for (const a of mine.sets) {
    if (a.length === 0) continue;
    for (const b of further.sets) {
      const union = [...new Set([...a.flat(), ...b.flat()])].sort();
      unions.set(union.join('\n'), union);
    }
  }
  return { sets: [...unions.values()], all: mine.all && further.all };
}

/** What is still to be endorsed of each minimal witness that can be endorsed now. */
function witnessesOf(state: State, names: readonly Name[]): readonly (readonly Name[])[] {
  const found = new Map<string, readonly Name[]>();
  for (const name of new Set(names)) {
    const variable = state.variables.get(name);
    if (variable === undefined || variable.label.integrity === 'T') continue;
    for (const witness of variable.witnesses) {
      const missing = witness.filter((root) => !state.endorsed.has(root)).sort();
      if (missing.length === 0 || missing.some((root) => !state.variables.has(root))) continue;
      found.set(missing.join('\n'), missing);
    }
  }
  return [...found.values()];
}

/** All subsets, or past `mostChoices` items only the small and the whole. */
function subsets<T>(items: readonly T[]): { sets: readonly (readonly T[])[]; all: boolean } {
  if (items.length > mostChoices) return { sets: [[], ...items.map((item) => [item]), items], all: false };
  const sets = Array.from({ length: 2 ** items.length }, (_, mask) =>
    items.filter((_, i) => mask & (1 << i)),
  );
  return { sets, all: true };
}

function keyOf(done: ReadonlySet<string>, { context, variables, endorsed, visible }: State): string {
  const readers = (label: { readers: 'everyone' | ReadonlySet<string> }) =>
    label.readers === 'everyone' ? 0 : [...label.readers].sort();
  return JSON.stringify([
    [...done].sort(),
    context.integrity,
    readers(context),
    [...endorsed].sort(),
    [...visible].sort(),
    [...variables.values()]
      .map(({ name, label, witnesses }) => [name, label.integrity, readers(label), witnesses])
      .sort((a, b) => (String(a[0]) < String(b[0]) ? -1 : 1)),
  ]);
}
