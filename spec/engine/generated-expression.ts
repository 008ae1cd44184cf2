/**
 * Generated expressions. What fast-check generates is a *shape*, a tree of small numbers that shrinks by
 * itself, and `expressionOf` reads any shape as a well-typed expression over the columns at hand.
 */
import fc from 'fast-check';
import * as operators from '../../engine/operators/index.js';
import type { Column, Expression, ScalarFunction } from '../../engine/plan/expression.js';
import type { Type, Value } from '../../engine/value/value.js';
import { type ColumnType, columnTypes } from './generated-database.js';

/** Picks among what is possible where it is read, modulo how many there are; 0 is the simplest. */
export interface Shape {
  readonly pick: number;
  readonly parts: readonly Shape[];
}

export const shapes: fc.Arbitrary<Shape> = fc.letrec<{ shape: Shape }>((tie) => ({
  shape: fc.record({
    pick: fc.nat(47),
    parts: fc.oneof(
      { maxDepth: 3, depthSize: 'small' },
      fc.constant([]),
      fc.array(tie('shape'), { maxLength: 3 }),
    ),
  }),
})).shape;

const literals: { readonly [type in ColumnType]: readonly Value[] } = {
  integer: [0, 1, 2, null],
  text: ['a', 'b', '', null],
  boolean: [true, false, null],
  float: [0.5, 0, 2, null],
  date: [19000, 19001, null],
};

const simplest: Shape = { pick: 0, parts: [] };

export function part(shape: Shape, i: number): Shape {
  return shape.parts[i] ?? simplest;
}

function choose<T>(shape: Shape, choices: readonly T[]): T {
  return choices[shape.pick % choices.length];
}

export function isColumnType(type: Type): type is ColumnType {
  return (columnTypes as readonly Type[]).includes(type);
}

export function columnExpression(column: Column): Expression {
  return { kind: 'column', id: column.id, type: column.type };
}

function call(callee: ScalarFunction, type: Type, ...given: Expression[]): Expression {
  return { kind: 'call', function: callee, arguments: given, type };
}

/**
 * An expression of the wanted type over `columns`. Columns come first, so that shapes shrink towards them.
 */
export function expressionOf(shape: Shape, type: ColumnType, columns: readonly Column[]): Expression {
  const leaves: (() => Expression)[] = [
    ...columns.filter((c) => c.type === type).map((c) => () => columnExpression(c)),
    ...literals[type].map((value) => (): Expression => ({ kind: 'literal', value, type })),
  ];
  if (shape.parts.length === 0) return choose(shape, leaves)();
  const of = (i: number, t: ColumnType) => expressionOf(part(shape, i), t, columns);
  const branch = (t: ColumnType): Expression => ({
    kind: 'case',
    // biome-ignore lint/suspicious/noThenProperty: the name is the contract's
    branches: [{ when: of(0, 'boolean'), then: of(1, t) }],
    otherwise: of(2, t),
    type: t,
  });
  const general = [
    () => branch(type),
    () => call(operators.coalesce, type, of(0, type), of(1, type)),
    () => choose(shape, leaves)(),
  ];
  const special: { readonly [t in ColumnType]: readonly (() => Expression)[] } = {
    integer: [
      () => call(operators.add, 'integer', of(0, 'integer'), of(1, 'integer')),
      () => call(operators.subtract, 'integer', of(0, 'integer'), of(1, 'integer')),
      () => call(operators.multiply, 'integer', of(0, 'integer'), of(1, 'integer')),
      () => ({ kind: 'cast', argument: of(0, 'boolean'), type: 'integer' }),
    ],
    float: [
      () => call(operators.add, 'float', of(0, 'float'), of(1, 'float')),
      () => ({ kind: 'cast', argument: of(0, 'integer'), type: 'float' }),
    ],
    text: [
      () => call(operators.concatenate, 'text', of(0, 'text'), of(1, 'text')),
      () => ({ kind: 'cast', argument: of(0, 'integer'), type: 'text' }),
    ],
    date: [],
    boolean: [
      () => comparison(shape, columns),
      () => ({ kind: 'and', arguments: [of(0, 'boolean'), of(1, 'boolean')], type: 'boolean' }),
      () => ({ kind: 'or', arguments: [of(0, 'boolean'), of(1, 'boolean')], type: 'boolean' }),
      () => ({ kind: 'not', argument: of(0, 'boolean'), type: 'boolean' }),
      () => call(operators.isNull, 'boolean', of(0, choose(part(shape, 0), columnTypes))),
      () => call(operators.like, 'boolean', of(0, 'text'), of(1, 'text')),
      () => call(operators.contains, 'boolean', of(0, 'text'), of(1, 'text')),
      () => comparison(shape, columns),
    ],
  };
  return choose(shape, [...special[type], ...general])();
}

const comparisons = [
  operators.equal,
  operators.less,
  operators.notEqual,
  operators.lessOrEqual,
  operators.equal,
  operators.greater,
  operators.greaterOrEqual,
  operators.isNotDistinctFrom,
];

/** Two operands of one type, compared. */
function comparison(shape: Shape, columns: readonly Column[]): Expression {
  const types = [...new Set(columns.map((c) => c.type).filter(isColumnType)), 'integer' as const];
  const type = types[part(shape, 2).pick % types.length];
  const callee = comparisons[Math.floor(shape.pick / 10) % comparisons.length];
  const operand = (i: number) => expressionOf(part(shape, i), type, columns);
  return call(callee, 'boolean', operand(0), operand(1));
}

/** A predicate; where both sides have columns of one type, mostly an equality between them. */
export function joinPredicate(shape: Shape, left: readonly Column[], right: readonly Column[]): Expression {
  const pairs = left.flatMap((l) =>
    right.filter((r) => r.type === l.type && isColumnType(r.type)).map((r) => [l, r] as const),
  );
  if (pairs.length === 0 || shape.pick % 8 === 7) return expressionOf(shape, 'boolean', [...left, ...right]);
  const equality = (n: number) => {
    const [l, r] = pairs[n % pairs.length];
    return call(operators.equal, 'boolean', columnExpression(l), columnExpression(r));
  };
  const rest = shape.parts.map((p) =>
    p.parts.length === 0 ? equality(p.pick) : expressionOf(p, 'boolean', [...left, ...right]),
  );
  if (rest.length === 0) return equality(shape.pick);
  return { kind: 'and', arguments: [equality(shape.pick), ...rest.slice(0, 2)], type: 'boolean' };
}
