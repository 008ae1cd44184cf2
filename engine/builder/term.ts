/**
 * Expressions by column name, for the builder: a term is an expression that waits for the columns in scope.
 * Plain JavaScript values stand for literals wherever a term is taken.
 */
import { AssayError } from '../../semiring/message/error.js';
import { nearest } from '../../semiring/message/nearest.js';
import * as aggregates from '../aggregates/index.js';
import * as operators from '../operators/index.js';
import {
  type AggregateFunction,
  type Column,
  deepestExpression,
  type Expression,
  type ScalarFunction,
} from '../plan/expression.js';
import { parseDate, parseTimestamp } from '../value/calendar.js';
import { integer } from '../value/external.js';
import type { Json, Type, Value } from '../value/value.js';

export interface ScopeColumn {
  /** Alias of the table it comes from; null once projected. */
  readonly qualifier: string | null;
  readonly column: Column;
}

export type Scope = readonly ScopeColumn[];

/** An expression once the scope is known. */
export interface Term {
  /** Levels of terms in it; absent: 1. */
  readonly depth?: number;
  resolve(scope: Scope): Expression;
}

/** What may be written where a term is wanted. */
export type Operand = Term | null | boolean | number | bigint | string;

/**
 * A column by name, or by `alias.name`. @throws (when resolved) AssayError `engine/unknown-column`,
 * `engine/ambiguous-column`
 */
export function col(name: string): Term {
  return {
    resolve(scope) {
      const { column } = find(scope, name);
      return { kind: 'column', id: column.id, type: column.type };
    },
  };
}

export function find(scope: Scope, name: string): ScopeColumn {
  const found = scope.filter(
    ({ qualifier, column }) =>
      column.name === name || (qualifier !== null && `${qualifier}.${column.name}` === name),
  );
  if (found.length === 1) return found[0];
  const names = scope.map(({ qualifier, column }) =>
    qualifier === null ? column.name : `${qualifier}.${column.name}`,
  );
  if (found.length > 1) {
    const candidates = found.map(({ qualifier, column }) => `${qualifier ?? ''}.${column.name}`);
    throw new AssayError(
      'engine/ambiguous-column',
      `column ${JSON.stringify(name)} is ambiguous: write one of ${candidates.join(', ')}`,
    );
  }
  const plain = scope.map(({ column }) => column.name);
  throw new AssayError(
    'engine/unknown-column',
    `there is no column ${JSON.stringify(name)}: ${nearest(name, name.includes('.') ? names : new Set([...plain, ...names]))}`,
  );
}

/** A literal; its type is that of the JavaScript value unless given. */
export function lit(value: Value, type?: Type): Term {
  const own = type ?? typeOf(value);
  const machine = typeof value === 'bigint' ? integer(value) : value;
  return { resolve: () => ({ kind: 'literal', value: machine, type: own }) };
}

/** `date('2024-05-01')`. @throws AssayError `engine/bad-cast` */
export function date(text: string): Term {
  const value = parseDate(text);
  if (value === undefined)
    throw new AssayError('engine/bad-cast', `invalid input for date: ${JSON.stringify(text)}`);
  return lit(value, 'date');
}

/** `timestamp('2024-05-01 10:00')`. @throws AssayError `engine/bad-cast` */
export function timestamp(text: string): Term {
  const value = parseTimestamp(text);
  if (value === undefined)
    throw new AssayError('engine/bad-cast', `invalid input for timestamp: ${JSON.stringify(text)}`);
  return lit(value, 'timestamp');
}

export function json(value: Json): Term {
  return lit(value, 'json');
}

/** `$1` is parameter 0. */
export function param(index: number, type: Type): Term {
  return { resolve: () => ({ kind: 'parameter', index, type }) };
}

function typeOf(value: Value): Type {
  switch (typeof value) {
    case 'boolean':
      return 'boolean';
    case 'bigint':
      return 'integer';
    case 'number':
      return Number.isInteger(value) ? 'integer' : 'float';
    case 'string':
      return 'text';
    default:
      return value === null ? 'null' : 'json';
  }
}

export function term(operand: Operand): Term {
  return typeof operand === 'object' && operand !== null ? operand : lit(operand);
}

/** Levels of a term over these. @throws AssayError `engine/too-deep` */
function depthOver(operands: readonly Operand[]): number {
  let depth = 1;
  for (const operand of operands) depth = Math.max(depth, (term(operand).depth ?? 1) + 1);
  if (depth <= deepestExpression) return depth;
  throw new AssayError(
    'engine/too-deep',
    `an expression nested deeper than ${deepestExpression} levels: compute a part of it in a projection before`,
  );
}

/** Any scalar function by its object. @throws AssayError `engine/too-deep` */
export function apply(fn: ScalarFunction, ...operands: readonly Operand[]): Term {
  return {
    depth: depthOver(operands),
    resolve: (scope) => operators.call(fn, ...operands.map((operand) => term(operand).resolve(scope))),
  };
}

/** An operator of two operands. */
export type Binary = (a: Operand, b: Operand) => Term;
const binary =
  (fn: ScalarFunction): Binary =>
  (a, b) =>
    apply(fn, a, b);

export const eq = binary(operators.equal);
export const ne = binary(operators.notEqual);
export const lt = binary(operators.less);
export const le = binary(operators.lessOrEqual);
export const gt = binary(operators.greater);
export const ge = binary(operators.greaterOrEqual);
export const add = binary(operators.add);
export const sub = binary(operators.subtract);
export const mul = binary(operators.multiply);
export const div = binary(operators.divide);
export const mod = binary(operators.modulo);
export const concat = binary(operators.concatenate);
export const like = binary(operators.like);
export const containsText = binary(operators.contains);
export const isNull = (a: Operand): Term => apply(operators.isNull, a);
export const isNotNull = (a: Operand): Term => apply(operators.isNotNull, a);
export const isIn = (a: Operand, ...list: readonly Operand[]): Term => apply(operators.inList, a, ...list);
export const coalesce = (...all: readonly Operand[]): Term => apply(operators.coalesce, ...all);

function junction(kind: 'and' | 'or'): (...all: readonly Operand[]) => Term {
  return (...all) => ({
    depth: depthOver(all),
    resolve: (scope) => {
      const operands = all.map((operand) => term(operand).resolve(scope));
      return operands.length === 1 ? operands[0] : { kind, arguments: operands, type: 'boolean' };
    },
  });
}

export const and = junction('and');
export const or = junction('or');

export function not(a: Operand): Term {
  return {
    depth: depthOver([a]),
    resolve: (scope) => ({ kind: 'not', argument: term(a).resolve(scope), type: 'boolean' }),
  };
}

export function cast(a: Operand, type: Type): Term {
  return {
    depth: depthOver([a]),
    resolve: (scope) => ({ kind: 'cast', argument: term(a).resolve(scope), type }),
  };
}

/** An aggregate call, for `groupBy` and `aggregate`. */
export interface AggregateTerm {
  readonly function: AggregateFunction;
  readonly arguments: readonly Term[];
  readonly isDistinct?: boolean;
  readonly condition?: Term;
  /** Each different value once. */
  distinct(): AggregateTerm;
  /** Only the rows for which the condition is true. */
  where(condition: Operand): AggregateTerm;
}

export function aggregateTerm(fn: AggregateFunction, ...operands: readonly Operand[]): AggregateTerm {
  return makeAggregate({ function: fn, arguments: operands.map(term) });
}

function makeAggregate(
  parts: Pick<AggregateTerm, 'function' | 'arguments' | 'isDistinct' | 'condition'>,
): AggregateTerm {
  return {
    ...parts,
    distinct: () => makeAggregate({ ...parts, isDistinct: true }),
    where: (condition) => makeAggregate({ ...parts, condition: term(condition) }),
  };
}

export const count = (...operands: readonly Operand[]): AggregateTerm =>
  aggregateTerm(aggregates.count, ...operands);
export const sum = (a: Operand): AggregateTerm => aggregateTerm(aggregates.sum, a);
export const avg = (a: Operand): AggregateTerm => aggregateTerm(aggregates.avg, a);
export const min = (a: Operand): AggregateTerm => aggregateTerm(aggregates.min, a);
export const max = (a: Operand): AggregateTerm => aggregateTerm(aggregates.max, a);
export const stringAgg = (a: Operand, separator: Operand): AggregateTerm =>
  aggregateTerm(aggregates.stringAgg, a, separator);
export const jsonAgg = (a: Operand): AggregateTerm => aggregateTerm(aggregates.jsonAgg, a);
