/**
 * Bound scalar expressions: columns are resolved to ids, every node has a type, functions are the objects
 * that evaluate them. Column ids are unique in a plan, so a rewrite may move an expression anywhere its
 * columns are available without renumbering.
 */

import type { Type, Value } from '../value/value.js';
import type { LogicalPlan } from './plan.js';

/** Deeper expressions are refused where they are written, so that what walks one may recurse. */
export const deepestExpression = 1200;

/** Unique within one plan; made by {@link freshColumn}. */
export type ColumnId = number;

/** A column that a plan node puts out. */
export interface Column {
  readonly id: ColumnId;
  readonly name: string;
  readonly type: Type;
}

/** A place in SQL text: offset in UTF-16 units from the start. Absent for plans made by the builder. */
export interface Place {
  readonly offset: number;
}

export type Expression =
  | { readonly kind: 'column'; readonly id: ColumnId; readonly type: Type; readonly place?: Place }
  | { readonly kind: 'literal'; readonly value: Value; readonly type: Type; readonly place?: Place }
  /** `$1` is index 0. */
  | { readonly kind: 'parameter'; readonly index: number; readonly type: Type; readonly place?: Place }
  | {
      readonly kind: 'call';
      readonly function: ScalarFunction;
      readonly arguments: readonly Expression[];
      readonly type: Type;
      readonly place?: Place;
    }
  /** Three-valued; `and`/`or` take one or more operands. */
  | {
      readonly kind: 'and' | 'or';
      readonly arguments: readonly Expression[];
      readonly type: 'boolean';
      readonly place?: Place;
    }
  | { readonly kind: 'not'; readonly argument: Expression; readonly type: 'boolean'; readonly place?: Place }
  | {
      readonly kind: 'case';
      readonly branches: readonly { readonly when: Expression; readonly then: Expression }[];
      readonly otherwise: Expression;
      readonly type: Type;
      readonly place?: Place;
    }
  | { readonly kind: 'cast'; readonly argument: Expression; readonly type: Type; readonly place?: Place }
  /**
   * A subquery inside an expression, as the binder leaves it. Decorrelation turns every one into joins; the
   * executor never sees this node. `plan` may read columns of the enclosing query by id.
   */
  | {
      readonly kind: 'subquery';
      readonly form: 'scalar' | 'exists' | 'in' | 'any' | 'all';
      readonly plan: LogicalPlan;
      /** The left operand of `in`, `any`, `all`. */
      readonly argument?: Expression;
      /** The comparison of `any`, `all`. */
      readonly comparison?: ScalarFunction;
      readonly type: Type;
      readonly place?: Place;
    };

/**
 * A function from values to a value, without effects. The first members say what it is; what else it can do
 * it declares, and what it does not declare the planner does not assume, whatever it is called.
 */
export interface ScalarFunction {
  /** As SQL writes it: `lower`, `+`, `=`, `like`, `is null`. */
  readonly name: string;
  /** NULL in, NULL out, without a call. Default true. */
  readonly strict?: boolean;
  /** The result's type for these argument types, or undefined where the function does not take them. */
  resolve(types: readonly Type[]): Type | undefined;
  /**
   * For a function whose result type depends on what its arguments say (a literal that names a type): the
   * function that this call means. The binder asks before `resolve`.
   */
  specialise?(operands: readonly Expression[]): ScalarFunction;
  /** @param types the argument types that `resolve` accepted */
  evaluate(values: readonly Value[], types: readonly Type[]): Value;
  /** Relative to a comparison of two numbers (1). A language-model function is very dear. */
  readonly cost?: number;
  /**
   * First arguments for which a call is never true, whatever the others are: NULL (`'null'`), or NULL and
   * false (`'untrue'`). A filter by it may then make an outer join an inner one. Absent: none is known. A
   * strict function need not say it: NULL makes it NULL.
   */
  readonly rejects?: 'null' | 'untrue';
  /**
   * The share of rows for which a call is true, from 0 to 1, for estimates only. Default 0.33.
   * @param distinct how many values each argument has
   */
  share?(distinct: readonly number[]): number;
}

/**
 * An aggregate function; the state `S` belongs to one group. NULL arguments are skipped unless `takesNull`.
 */
export interface AggregateFunction<S = unknown> {
  readonly name: string;
  readonly takesNull?: boolean;
  /**
   * Called with WITHIN GROUP (ORDER BY key): the key is its first argument, and the rows come in the order of
   * it.
   */
  readonly orderedSet?: boolean;
  resolve(types: readonly Type[]): Type | undefined;
  start(types: readonly Type[]): S;
  /** Returns the next state; may change and return `state`. */
  step(state: S, values: readonly Value[]): S;
  finish(state: S): Value;
}

let lastColumn = 0;

/** A column with an id that no other column of this process has. */
export function freshColumn(name: string, type: Type): Column {
  lastColumn += 1;
  return { id: lastColumn, name, type };
}
