/**
 * Takes the `ask` calls out of a plan's expressions, bottom up. The one thing to know: what a call becomes is the
 * stage's affair; here is only where: the calls of a node are answered over the node's input, after every predicate
 * that asks nothing, one asking predicate at a time.
 */
import type { Column, Expression } from '../../engine/expression.js';
import { type Contains, columnsOf, type Filter, type Join, type LogicalPlan } from '../../engine/plan.js';
import {
  columnsRead,
  conjunction,
  conjuncts,
  equalExpressions,
  expressionsOf,
  inputsOf,
  mapNodeExpressions,
  mapOperands,
  operandsOf,
  withInputs,
} from '../../engine/traverse.js';
import { AskError } from './ask-error.js';
import { type AskCall, hasAsk, isAskCall } from './ask-function.js';

/** Answers calls over the rows of a plan. */
export interface Stage {
  /** @returns a plan that puts out the input's columns and maybe more, and what stands for each call over it */
  attach(input: LogicalPlan, calls: readonly AskCall[]): Promise<Attached>;
  /** False where answers stay unknown (an estimate): predicates over them are then left out. */
  readonly decides: boolean;
}

export interface Attached {
  readonly plan: LogicalPlan;
  readonly answers: readonly Expression[];
}

export function plansToAsk(plan: LogicalPlan): boolean {
  return expressionsOf(plan).some(hasAsk) || inputsOf(plan).some(plansToAsk);
}

/**
 * The plan without calls; puts out the same columns. Shared sub-plans are lifted once.
 * @throws AskError `ask/place` for a call in LIMIT, or in a condition of an outer join over both sides
 */
export async function liftAsks(plan: LogicalPlan, stage: Stage): Promise<LogicalPlan> {
  const done = new Map<LogicalPlan, LogicalPlan>();
  const visit = async (node: LogicalPlan): Promise<LogicalPlan> => {
    const known = done.get(node);
    if (known !== undefined) return known;
    const inputs: LogicalPlan[] = [];
    // One after the other: the order in which answers get their tokens must not depend on the network.
    for (const input of inputsOf(node)) inputs.push(await visit(input));
    const over = withInputs(node, inputs);
    const lifted = expressionsOf(over).some(hasAsk) ? await liftNode(over, stage) : over;
    done.set(node, lifted);
    return lifted;
  };
  return visit(plan);
}

async function liftNode(node: LogicalPlan, stage: Stage): Promise<LogicalPlan> {
  switch (node.kind) {
    case 'filter':
      return liftFilter(node, stage);
    case 'join':
      return liftJoin(node, stage);
    case 'contains':
      return liftContains(node, stage);
    case 'project':
    case 'aggregate':
    case 'sort': {
      const expressions = expressionsOf(node);
      const { plan, answers } = await replaceAll(node.input, expressions, stage);
      const by = new Map(expressions.map((expression, i) => [expression, answers[i]]));
      const lifted = mapNodeExpressions({ ...node, input: plan }, (e) => by.get(e) ?? e);
      return keepColumns(lifted, columnsOf(node));
    }
    default:
      throw new AskError(
        'ask/place',
        `ask cannot stand in ${node.kind.toUpperCase()}; put it into a subquery's SELECT.`,
      );
  }
}

async function liftFilter(node: Filter, stage: Stage): Promise<LogicalPlan> {
  const predicates = conjuncts(node.predicate);
  const cheap = conjunction(predicates.filter((predicate) => !hasAsk(predicate)));
  let plan = cheap === undefined ? node.input : filter(node.input, cheap);
  const dear = predicates.filter(hasAsk).sort((a, b) => callsIn(a) - callsIn(b));
  for (const predicate of dear) {
    const attached = await replaceAll(plan, [predicate], stage);
    plan = stage.decides ? filter(attached.plan, attached.answers[0]) : attached.plan;
  }
  return keepColumns(plan, columnsOf(node));
}

/**
 * Calls are answered on the side whose columns they read. In an inner join, a predicate that asks about one side waits
 * for the pairs where others make them fewer; where none does, it goes below the join.
 */
async function liftJoin(node: Join, stage: Stage): Promise<LogicalPlan> {
  const predicates = conjuncts(node.on);
  const onLeft = reads(columnsOf(node.left));
  const onRight = reads(columnsOf(node.right));
  const cheap = predicates.filter((predicate) => !hasAsk(predicate));
  const dear = predicates.filter(hasAsk);
  const inner = node.type === 'inner';
  const answerable = (p: Expression) => innermost([p]).every((one) => onLeft(one) || onRight(one));
  const across = dear.filter((p) => answerable(p) && !(inner && (onLeft(p) || onRight(p))));
  const rest = dear.filter((p) => !across.includes(p));
  if (rest.length > 0 && !inner) {
    throw new AskError(
      'ask/place',
      `ask cannot ask about both sides in the condition of a ${node.type} join.`,
    );
  }
  const alone = cheap.length + across.length === 0;
  const below = (side: (p: Expression) => boolean) => (alone ? conjunction(rest.filter(side)) : undefined);
  const [belowLeft, belowRight] = [below(onLeft), below((p) => onRight(p) && !onLeft(p))];
  let left = belowLeft === undefined ? node.left : await liftFilter(filter(node.left, belowLeft), stage);
  let right = belowRight === undefined ? node.right : await liftFilter(filter(node.right, belowRight), stage);
  let answers: readonly Expression[] = across;
  for (let calls = innermost(answers); calls.length > 0; calls = innermost(answers)) {
    const ofLeft = reads(columnsOf(left));
    const [l, r] = [calls.filter(ofLeft), calls.filter((one) => !ofLeft(one))];
    const attachedLeft = l.length === 0 ? undefined : await stage.attach(left, l);
    const attachedRight = r.length === 0 ? undefined : await stage.attach(right, r);
    left = attachedLeft?.plan ?? left;
    right = attachedRight?.plan ?? right;
    const known = [...(attachedLeft?.answers ?? []), ...(attachedRight?.answers ?? [])];
    answers = replaceCalls(answers, [...l, ...r], known);
  }
  const on = conjunction(stage.decides ? [...cheap, ...answers] : cheap);
  const { on: _, ...shape } = node;
  const join: Join = { ...shape, left, right, ...(on !== undefined && { on }) };
  const pairs = keepColumns(join, columnsOf(node));
  const later = conjunction(alone ? rest.filter((p) => !onLeft(p) && !onRight(p)) : rest);
  return later === undefined ? pairs : liftFilter(filter(pairs, later), stage);
}

async function liftContains(node: Contains, stage: Stage): Promise<LogicalPlan> {
  const left = await replaceAll(node.left, [node.text], stage);
  const right = await replaceAll(node.right, [node.needle], stage);
  const lifted = {
    ...node,
    left: left.plan,
    right: right.plan,
    text: left.answers[0],
    needle: right.answers[0],
  };
  return keepColumns(lifted, columnsOf(node));
}

/** The expressions without calls, over a plan that answers them; innermost calls first, equal calls once. */
async function replaceAll(
  input: LogicalPlan,
  expressions: readonly Expression[],
  stage: Stage,
): Promise<Attached> {
  let plan = input;
  let answers = expressions;
  for (let calls = innermost(answers); calls.length > 0; calls = innermost(answers)) {
    const attached = await stage.attach(plan, calls);
    plan = attached.plan;
    answers = replaceCalls(answers, calls, attached.answers);
  }
  return { plan, answers };
}

/** The distinct calls that hold no other call. */
function innermost(expressions: readonly Expression[]): AskCall[] {
  const found: AskCall[] = [];
  const visit = (expression: Expression): void => {
    if (isAskCall(expression) && !expression.arguments.some(hasAsk)) {
      if (!found.some((call) => equalExpressions(call, expression))) found.push(expression);
    } else operandsOf(expression).forEach(visit);
  };
  expressions.forEach(visit);
  return found;
}

function replaceCalls(
  expressions: readonly Expression[],
  calls: readonly AskCall[],
  answers: readonly Expression[],
): readonly Expression[] {
  const replace = (expression: Expression): Expression => {
    const index = isAskCall(expression) ? calls.findIndex((call) => equalExpressions(call, expression)) : -1;
    return index >= 0 ? answers[index] : mapOperands(expression, replace);
  };
  return expressions.map(replace);
}

function callsIn(expression: Expression): number {
  const inner = operandsOf(expression).reduce((sum, operand) => sum + callsIn(operand), 0);
  return inner + (isAskCall(expression) ? 1 : 0);
}

function reads(columns: readonly Column[]): (expression: Expression) => boolean {
  const ids = new Set(columns.map((column) => column.id));
  return (expression) => [...columnsRead(expression)].every((id) => ids.has(id));
}

function filter(input: LogicalPlan, predicate: Expression): Filter {
  return { kind: 'filter', input, predicate };
}

/** Drops the columns that a stage has added. */
function keepColumns(plan: LogicalPlan, columns: readonly Column[]): LogicalPlan {
  if (columnsOf(plan).length === columns.length) return plan;
  const expressions = columns.map(({ id, type }): Expression => ({ kind: 'column', id, type }));
  return { kind: 'project', input: plan, columns, expressions };
}
