/**
 * Which questions the evaluation of an expression comes to, row by row. CASE and COALESCE go from left to
 * right, AND and OR from cheap to dear, none further than it must; every other operand is needed. Where an
 * answer is missing the row waits, so each pass over the rows asks for all that can be known to be needed.
 */
import { compileRow } from '../../engine/evaluate/row.js';
import { castValue } from '../../engine/operators/cast.js';
import { coalesce } from '../../engine/operators/null.js';
import type { Expression } from '../../engine/plan/expression.js';
import { equalExpressions, mapOperands, operandsOf } from '../../engine/plan/traverse-expression.js';
import type { Type, Value } from '../../engine/value/value.js';
import { type AskCall, dataOf, hasAsk, isAskCall } from './ask-function.js';

/** The value of what waits for an answer. */
export const waiting = Symbol('waiting');

export type Awaited = Value | typeof waiting;

/** Who answers a call while an expression is evaluated. */
export interface Answering {
  /**
   * The answer for the data (the question and the cells), or `waiting`.
   * @param certain false where the row may turn out not to need it, once missing answers are there
   */
  answer(data: readonly Value[], certain: boolean): Awaited;
  /**
   * The data wait for another call's answer.
   * @param leaves the values of the columns that they are made from
   */
  unknown(leaves: readonly Value[], types: readonly Type[]): void;
}

export interface LazyOptions {
  answering(call: AskCall): Answering;
  /** Goes on behind what waits, as if the answer decided nothing: an upper bound. */
  readonly explore: boolean;
}

/**
 * AND and OR with what asks least first, as evaluation has them. The order is free: P(r, p) is a product over
 * a set.
 */
export function cheapFirst(expression: Expression): Expression {
  if (!hasAsk(expression)) return expression;
  const mapped = mapOperands(expression, cheapFirst);
  if (mapped.kind !== 'and' && mapped.kind !== 'or') return mapped;
  const counts = new Map(mapped.arguments.map((operand) => [operand, callsIn(operand)]));
  const calls = (operand: Expression) => counts.get(operand) ?? 0;
  if (mapped.arguments.every((operand, i) => i === 0 || calls(mapped.arguments[i - 1]) <= calls(operand))) {
    return mapped;
  }
  return { ...mapped, arguments: [...mapped.arguments].sort((a, b) => calls(a) - calls(b)) };
}

export function callsIn(expression: Expression): number {
  const inner = operandsOf(expression).reduce((sum, operand) => sum + callsIn(operand), 0);
  return inner + (isAskCall(expression) ? 1 : 0);
}

/** Evaluates over the row at hand. */
type Step = () => Awaited;

/** Expressions over rows of {@link inputs}. */
export class LazyEvaluation {
  /** What each row must hold: expressions without calls that need no guard, columns and parameters. */
  readonly inputs: Expression[] = [];
  readonly #options: LazyOptions;
  readonly #steps: readonly Step[];
  #row: readonly Value[] = [];
  /** How many things that wait were passed over on the way here. */
  #behind = 0;

  /** @param expressions as {@link cheapFirst} has them; each is evaluated for every row */
  constructor(expressions: readonly Expression[], options: LazyOptions) {
    this.#options = options;
    this.#steps = expressions.filter(hasAsk).map((expression) => this.#compile(expression, true));
  }

  /** False where something waits. @throws AssayError what an expression that is reached fails with */
  run(row: readonly Value[]): boolean {
    this.#row = row;
    let complete = true;
    for (const step of this.#steps) if (step() === waiting) complete = false;
    return complete;
  }

  /** @param sure evaluated for every row, so it may be computed for all rows before */
  #compile(expression: Expression, sure: boolean): Step {
    if (!hasAsk(expression)) return this.#plain(expression, sure);
    switch (expression.kind) {
      case 'call':
        if (isAskCall(expression)) return this.#ask(expression, sure);
        return expression.function === coalesce
          ? this.#coalesce(expression.arguments, expression.type, sure)
          : this.#call(expression, sure);
      case 'and':
      case 'or':
        return this.#logic(expression.arguments, expression.kind === 'or', sure);
      case 'not': {
        const operand = this.#compile(expression.argument, sure);
        return () => {
          const value = operand();
          return value === null || value === waiting ? value : value !== true;
        };
      }
      case 'cast':
        return this.#cast(expression.argument, expression.type, sure);
      case 'case':
        return this.#case(expression, sure);
      default:
        throw new TypeError(`${expression.kind} holds no call`);
    }
  }

  /**
   * An expression without calls. Only what cannot fail, or is evaluated for every row, is an input as a
   * whole.
   */
  #plain(expression: Expression, sure: boolean): Step {
    if (expression.kind === 'literal') {
      const { value } = expression;
      return () => value;
    }
    if (sure || isLeaf(expression)) {
      const slot = this.#slot(expression);
      return () => this.#row[slot];
    }
    const renumber = (part: Expression): Expression =>
      isLeaf(part) ? { kind: 'column', id: this.#slot(part), type: part.type } : mapOperands(part, renumber);
    const column = (slot: number) => () => this.#row[slot];
    const evaluate = compileRow(renumber(expression), { parameters: [], column });
    return () => evaluate(0);
  }

  #slot(expression: Expression): number {
    const known = this.inputs.findIndex((input) => equalExpressions(input, expression));
    return known >= 0 ? known : this.inputs.push(expression) - 1;
  }

  #ask(call: AskCall, sure: boolean): Step {
    const answering = this.#options.answering(call);
    const data = dataOf(call);
    const steps = data.map((part) => this.#compile(part, sure));
    const leaves = this.#options.explore ? leavesOf(data).filter((leaf) => leaf.kind !== 'literal') : [];
    const leafSteps = leaves.map((leaf) => this.#plain(leaf, sure));
    const types = leaves.map((leaf) => leaf.type);
    return () => {
      const values = known(steps.map((step) => step()));
      if (values !== undefined) return answering.answer(values, this.#behind === 0);
      if (this.#options.explore) answering.unknown(known(leafSteps.map((step) => step())) ?? [], types);
      return waiting;
    };
  }

  /** A strict function of a NULL asks nothing; otherwise all its operands are needed. */
  #call(expression: Extract<Expression, { kind: 'call' }>, sure: boolean): Step {
    const { function: fn, arguments: operands } = expression;
    const types = operands.map((operand) => operand.type);
    const order = [...operands.keys()].sort(
      (a, b) => Number(hasAsk(operands[a])) - Number(hasAsk(operands[b])),
    );
    const steps = order.map((i, turn) => ({ i, step: this.#compile(operands[i], sure && turn === 0) }));
    const cheap = order.filter((i) => !hasAsk(operands[i])).length;
    const strict = fn.strict !== false;
    return () => {
      const values: Awaited[] = [];
      for (const [turn, { i, step }] of steps.entries()) {
        values[i] = step();
        if (strict && turn < cheap && values[i] === null) return null;
      }
      const given = known(values);
      if (given === undefined) return waiting;
      return strict && given.includes(null) ? null : fn.evaluate(given, types);
    };
  }

  #logic(operands: readonly Expression[], decisive: boolean, sure: boolean): Step {
    const steps = operands.map((operand, i) => this.#compile(operand, sure && i === 0));
    return this.#goingOn(() => {
      let result: Awaited = !decisive;
      for (const step of steps) {
        const value = step();
        if (value === decisive) return decisive;
        if (value === waiting) {
          if (!this.#options.explore) return waiting;
          this.#behind += 1;
          result = waiting;
        } else if (value === null && result !== waiting) result = null;
      }
      return result;
    });
  }

  #coalesce(operands: readonly Expression[], type: Type, sure: boolean): Step {
    const steps = operands.map((operand, i) => this.#cast(operand, type, sure && i === 0));
    return this.#goingOn(() => {
      let result: Awaited = null;
      for (const step of steps) {
        const value = step();
        if (value === null) continue;
        if (value !== waiting) return result === waiting ? waiting : value;
        if (!this.#options.explore) return waiting;
        this.#behind += 1;
        result = waiting;
      }
      return result;
    });
  }

  #case({ branches, otherwise, type }: Extract<Expression, { kind: 'case' }>, sure: boolean): Step {
    const steps = branches.map(({ when, then }, i) => ({
      when: this.#compile(when, sure && i === 0),
      result: this.#cast(then, type, false),
    }));
    const last = this.#cast(otherwise, type, false);
    return this.#goingOn(() => {
      let open = false;
      for (const { when, result } of steps) {
        const value = when();
        if (value === waiting) {
          if (!this.#options.explore) return waiting;
          this.#behind += 1;
          open = true;
          result();
        } else if (value === true) return open ? passed(result) : result();
      }
      return open ? passed(last) : last();
    });
  }

  /** The value as one of another type; NULL has every type. */
  #cast(argument: Expression, type: Type, sure: boolean): Step {
    const operand = this.#compile(argument, sure);
    const from = argument.type;
    if (from === type || from === 'null' || type === 'null') return operand;
    return () => {
      const value = operand();
      return value === waiting ? waiting : castValue(value, from, type);
    };
  }

  /** What waits inside is behind nobody else's back. */
  #goingOn(step: Step): Step {
    if (!this.#options.explore) return step;
    return () => {
      const before = this.#behind;
      try {
        return step();
      } finally {
        this.#behind = before;
      }
    };
  }
}

/** Evaluated for what it asks only. */
function passed(step: Step): typeof waiting {
  step();
  return waiting;
}

function known(values: readonly Awaited[]): readonly Value[] | undefined {
  return values.every((value) => value !== waiting) ? values : undefined;
}

/** What an expression is made from, from left to right, repeats included. */
export function leavesOf(expressions: readonly Expression[]): readonly Expression[] {
  return expressions.flatMap((expression) => {
    const operands = operandsOf(expression);
    return operands.length === 0 ? [expression] : leavesOf(operands);
  });
}

function isLeaf({ kind }: Expression): boolean {
  return kind === 'column' || kind === 'parameter';
}
