/**
 * Takes the `ask` calls out of a plan's expressions, bottom up. What a call becomes is the stage's affair;
 * here is only where: the calls of a node are answered over the node's input, after every predicate that asks
 * nothing, one asking predicate at a time.
 */

import { call } from '../../engine/operators/define.js';
import { coalesce, isNotFalse, isTrue } from '../../engine/operators/null.js';
import type { Column, Expression } from '../../engine/plan/expression.js';
import {
  type Aggregate,
  type Contains,
  columnsOf,
  type Filter,
  type Join,
  type LogicalPlan,
} from '../../engine/plan/plan.js';
import {
  columnsRead,
  conjunction,
  conjuncts,
  equalExpressions,
  mapOperands,
  operandsOf,
} from '../../engine/plan/traverse-expression.js';
import {
  expressionsOf,
  inputsFirst,
  inputsOf,
  mapNodeExpressions,
  withInputs,
} from '../../engine/plan/traverse-plan.js';
import { AskError } from './ask-error.js';
import { type AskCall, dataOf, hasAsk, isAskCall } from './ask-function.js';
import type { Looked } from './asked-call.js';
import { callsIn, cheapFirst } from './lazy-evaluation.js';

/** Answers calls over the rows of a plan. */
export interface Stage {
  /**
   * Asks what evaluating the expressions over every row comes to; they are as {@link cheapFirst} has them.
   * @param scope `part` where answers are looked up from more than these rows
   */
  answer(rows: LogicalPlan, expressions: readonly Expression[], scope?: 'part'): Promise<Answered>;
  /** False where answers stay unknown (an estimate): predicates over them are then left out. */
  readonly decides: boolean;
}

/** The answers to the calls of some expressions. */
export interface Answered {
  /**
   * @param data the call's, over the input: calls inside it are looked up before
   * @returns a plan that puts out the input's columns and maybe more, and what stands for the call over it
   */
  lookUp(input: LogicalPlan, call: AskCall, data: readonly Expression[]): Looked;
}

export function plansToAsk(plan: LogicalPlan): boolean {
  return inputsFirst(plan).some((node) => expressionsOf(node).some(hasAsk));
}

/**
 * The plan without calls; puts out the same columns. Shared sub-plans are lifted once.
 * @throws AskError `ask/place` for a call in LIMIT, or in a condition of an outer join over both sides
 */
export async function liftAsks(plan: LogicalPlan, stage: Stage): Promise<LogicalPlan> {
  const done = new Map<LogicalPlan, LogicalPlan>();
  // One after the other: the order in which answers get their tokens must not depend on the network.
  for (const node of inputsFirst(plan)) {
    const inputs = inputsOf(node).map((input) => done.get(input) ?? input);
    const over = withInputs(node, inputs);
    done.set(node, expressionsOf(over).some(hasAsk) ? await liftNode(over, stage) : over);
  }
  return done.get(plan) ?? plan;
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
      const ordered = mapNodeExpressions(node, cheapFirst);
      const expressions = expressionsOf(ordered);
      const needed = ordered.kind === 'aggregate' ? neededBy(ordered) : expressions;
      const { plan, answers } = await replaceAll(node.input, expressions, stage, needed);
      const by = new Map(expressions.map((expression, i) => [expression, answers[i]]));
      const lifted = mapNodeExpressions(withInputs(ordered, [plan]), (e) => by.get(e) ?? e);
      return keepColumns(lifted, columnsOf(node));
    }
    default:
      throw new AskError(
        'ask/place',
        `ask cannot stand in ${node.kind.toUpperCase()}; put it into a subquery's SELECT.`,
      );
  }
}

/** What a grouping evaluates: the arguments of an aggregate only where its FILTER is true. */
function neededBy({ keys, aggregates }: Aggregate): readonly Expression[] {
  const calls = aggregates.flatMap(({ filter: when, arguments: operands }): readonly Expression[] => {
    if (when === undefined) return operands;
    const guarded = operands.map(
      (then): Expression => ({
        kind: 'case',
        branches: [{ when, then }],
        otherwise: { kind: 'literal', value: null, type: then.type },
        type: then.type,
      }),
    );
    return [when, ...guarded];
  });
  return [...keys.map((key) => key.expression), ...calls];
}

async function liftFilter(node: Filter, stage: Stage): Promise<LogicalPlan> {
  const predicates = conjuncts(node.predicate).map(cheapFirst);
  const cheap = conjunction(predicates.filter((predicate) => !hasAsk(predicate)));
  let plan = cheap === undefined ? node.input : filter(node.input, cheap);
  const dear = predicates.filter(hasAsk).sort((a, b) => callsIn(a) - callsIn(b));
  for (const predicate of dear) {
    const replaced = await replaceAll(plan, [predicate], stage);
    plan = stage.decides ? filter(replaced.plan, replaced.answers[0]) : replaced.plan;
  }
  return keepColumns(plan, columnsOf(node));
}

/**
 * Calls are answered on the side whose columns they read, about the rows that are in a pair for which the
 * other predicates hold. In an inner join, a predicate that asks about one side waits for the pairs where
 * others make them fewer; where none does, it goes below the join.
 */
async function liftJoin(node: Join, stage: Stage): Promise<LogicalPlan> {
  const predicates = conjuncts(node.on).map(cheapFirst);
  const onLeft = reads(columnsOf(node.left));
  const onRight = reads(columnsOf(node.right));
  const cheap = predicates.filter((predicate) => !hasAsk(predicate));
  const dear = predicates.filter(hasAsk).sort((a, b) => callsIn(a) - callsIn(b));
  const inner = node.type === 'inner';
  const answerable = (p: Expression) => callsOf(p).every((one) => onLeft(one) || onRight(one));
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
  if (across.length > 0) {
    const sides = await askAcross({ ...node, left, right }, cheap, across, onLeft, stage);
    answers = replaceCalls(across, (one, data) => {
      const ofLeft = onLeft(one);
      const looked = sides[ofLeft ? 'left' : 'right'].lookUp(ofLeft ? left : right, one, data);
      if (ofLeft) left = looked.plan;
      else right = looked.plan;
      return looked.answer;
    });
  }
  const on = conjunction(stage.decides ? [...cheap, ...answers] : cheap);
  const { on: _, ...shape } = node;
  const join: Join = { ...shape, left, right, ...(on !== undefined && { on }) };
  const pairs = keepColumns(join, columnsOf(node));
  const later = conjunction(alone ? rest.filter((p) => !onLeft(p) && !onRight(p)) : rest);
  return later === undefined ? pairs : liftFilter(filter(pairs, later), stage);
}

/**
 * Answers the calls of a join's condition, each of which reads one side. They are asked about the pairs for
 * which `cheap` holds; where nothing guards them, about the rows of each side, without pairing them.
 */
async function askAcross(
  { left, right, nullAware }: Join,
  cheap: readonly Expression[],
  dear: readonly Expression[],
  onLeft: (expression: Expression) => boolean,
  stage: Stage,
): Promise<{ readonly left: Answered; readonly right: Answered }> {
  if (cheap.length === 0 && dear.length === 1 && isUnguarded(dear[0])) {
    const calls = callsOf(dear[0]);
    // Where the other side is empty there is nothing to decide.
    const paired = (side: LogicalPlan, other: LogicalPlan): LogicalPlan => ({
      kind: 'join',
      type: 'semi',
      left: side,
      right: other,
    });
    const ofLeft = await stage.answer(paired(left, right), calls.filter(onLeft), 'part');
    const rest = calls.filter((one) => !onLeft(one));
    return { left: ofLeft, right: await stage.answer(paired(right, left), rest, 'part') };
  }
  const holds = conjunction(cheap);
  // NOT IN takes an unknown comparison for a match; any other join takes it for none.
  const on = holds !== undefined && nullAware ? call(isNotFalse, holds) : holds;
  const decided = conjunction(nullAware ? dear : dear.map((predicate) => call(isTrue, predicate)));
  const pairs: LogicalPlan = { kind: 'join', type: 'inner', left, right, ...(on !== undefined && { on }) };
  const answered = await stage.answer(pairs, decided === undefined ? [] : [decided], 'part');
  return { left: answered, right: answered };
}

/** Whether every pair of rows needs the calls, but for NULLs. */
function isUnguarded(expression: Expression): boolean {
  if (!hasAsk(expression)) return true;
  const { kind } = expression;
  if (kind === 'and' || kind === 'or' || kind === 'case') return false;
  if (kind === 'call' && expression.function === coalesce) return false;
  return operandsOf(expression).every(isUnguarded);
}

async function liftContains(node: Contains, stage: Stage): Promise<LogicalPlan> {
  const left = await replaceAll(node.left, [cheapFirst(node.text)], stage);
  const right = await replaceAll(node.right, [cheapFirst(node.needle)], stage);
  const lifted = {
    ...node,
    left: left.plan,
    right: right.plan,
    text: left.answers[0],
    needle: right.answers[0],
  };
  return keepColumns(lifted, columnsOf(node));
}

/**
 * The expressions without calls, over a plan that answers them; equal calls once.
 * @param needed what is evaluated for every row, where that is not the expressions themselves
 */
async function replaceAll(
  input: LogicalPlan,
  expressions: readonly Expression[],
  stage: Stage,
  needed: readonly Expression[] = expressions,
): Promise<{ readonly plan: LogicalPlan; readonly answers: readonly Expression[] }> {
  const answered = await stage.answer(input, needed);
  let plan = input;
  const answers = replaceCalls(expressions, (one, data) => {
    const looked = answered.lookUp(plan, one, data);
    plan = looked.plan;
    return looked.answer;
  });
  return { plan, answers };
}

/** @param lookUp told each distinct call once, inner ones first */
function replaceCalls(
  expressions: readonly Expression[],
  lookUp: (call: AskCall, data: readonly Expression[]) => Expression,
): readonly Expression[] {
  const known: { readonly call: AskCall; readonly answer: Expression }[] = [];
  const replace = (expression: Expression): Expression => {
    if (!isAskCall(expression)) return mapOperands(expression, replace);
    const same = known.find((one) => equalExpressions(one.call, expression));
    if (same !== undefined) return same.answer;
    const answer = lookUp(expression, dataOf(expression).map(replace));
    known.push({ call: expression, answer });
    return answer;
  };
  return expressions.map(replace);
}

function callsOf(expression: Expression): readonly AskCall[] {
  const inner = operandsOf(expression).flatMap(callsOf);
  return isAskCall(expression) ? [...inner, expression] : inner;
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
