/**
 * Generated logical plans over all operators. As with expressions, fast-check generates a *recipe* (which
 * operator, and shapes for its details), and `planOf` reads any recipe as a well-typed plan over the tables
 * at hand.
 */
import fc from 'fast-check';
import { avg, boolAnd, boolOr, count, max, min, sum } from '../../engine/aggregates/index.js';
import {
  type AggregateFunction,
  type Column,
  type Expression,
  freshColumn,
} from '../../engine/plan/expression.js';
import { type AggregateCall, columnsOf, type LogicalPlan, type SortKey } from '../../engine/plan/plan.js';
import type { Table } from '../../engine/table/table.js';
import type { Type } from '../../engine/value/value.js';
import { columnTypes } from './generated-database.js';
import {
  columnExpression,
  expressionOf,
  isColumnType,
  joinPredicate,
  part,
  type Shape,
  shapes,
} from './generated-expression.js';

export const positiveOperators = [
  'filter',
  'project',
  'inner',
  'cross',
  'contains',
  'union',
  'distinct',
] as const;

export const otherOperators = [
  'semi',
  'group',
  'global',
  'intersect',
  'left',
  'right',
  'full',
  'anti',
  'notIn',
  'except',
  'exceptAll',
  'intersectAll',
  'sort',
  'limit',
  'singleRow',
] as const;

export type Operator =
  | 'scan'
  | 'values'
  | (typeof positiveOperators)[number]
  | (typeof otherOperators)[number];

export const allOperators: readonly Operator[] = [...positiveOperators, ...otherOperators];

const binary: ReadonlySet<Operator> = new Set([
  'inner',
  'cross',
  'contains',
  'union',
  'semi',
  'intersect',
  'left',
  'right',
  'full',
  'anti',
  'notIn',
  'except',
  'exceptAll',
  'intersectAll',
]);

export interface Recipe {
  readonly operator: Operator;
  readonly shape: Shape;
  readonly inputs: readonly Recipe[];
}

/** @param depth how many operators above a leaf at most */
export function recipes(operators: readonly Operator[] = allOperators, depth = 3): fc.Arbitrary<Recipe> {
  const leaf: fc.Arbitrary<Recipe> = fc.record({
    operator: fc.constantFrom<Operator>('scan', 'scan', 'scan', 'scan', 'values'),
    shape: shapes,
    inputs: fc.constant([]),
  });
  if (depth === 0) return leaf;
  const below = recipes(operators, depth - 1);
  const node = fc.constantFrom(...operators).chain((operator) =>
    fc.record({
      operator: fc.constant(operator),
      shape: shapes,
      inputs: binary.has(operator) ? fc.tuple(below, below) : fc.tuple(below),
    }),
  );
  return fc.oneof({ withCrossShrink: true }, { arbitrary: leaf, weight: 1 }, { arbitrary: node, weight: 3 });
}

export interface PlanOptions {
  /**
   * LIMIT is put over a total order of distinct rows, and bag operators over sets of equal annotations cannot
   * be told apart, so that one answer is right. False: LIMIT over anything.
   */
  readonly determinate: boolean;
}

export function planOf(recipe: Recipe, tables: readonly Table[], options: PlanOptions): LogicalPlan {
  const { shape } = recipe;
  const input = (i: number): LogicalPlan => planOf(recipe.inputs[i], tables, options);
  const predicate = (s: Shape, columns: readonly Column[]) => expressionOf(s, 'boolean', columns);
  switch (recipe.operator) {
    case 'scan': {
      const table = tables[shape.pick % tables.length];
      const indexes = table.columns.map((_, i) => i);
      return {
        kind: 'scan',
        table,
        columns: table.columns.map((c) => freshColumn(c.name, c.type)),
        indexes,
      };
    }
    case 'values': {
      const columns = [freshColumn('n', 'integer'), freshColumn('s', 'text')];
      const rows = [
        [1, 'a'],
        [2, null],
        [1, 'a'],
      ].slice(0, shape.pick % 4);
      return { kind: 'values', columns, rows };
    }
    case 'filter': {
      const below = input(0);
      const nested = shape.parts.length === 0 ? { pick: shape.pick, parts: [shape] } : shape;
      return { kind: 'filter', input: below, predicate: predicate(nested, columnsOf(below)) };
    }
    case 'project': {
      const below = input(0);
      const from = columnsOf(below);
      const expressions = [shape, ...shape.parts].map((s, i) => {
        const type = i === 0 ? from[s.pick % from.length].type : columnTypes[s.pick % columnTypes.length];
        return isColumnType(type)
          ? expressionOf(s, type, from)
          : columnExpression(from[s.pick % from.length]);
      });
      return {
        kind: 'project',
        input: below,
        expressions,
        columns: expressions.map((e, i) => freshColumn(`e${i}`, e.type)),
      };
    }
    case 'cross':
      return { kind: 'join', type: 'inner', left: input(0), right: input(1) };
    case 'inner':
    case 'left':
    case 'right':
    case 'full':
    case 'semi':
    case 'anti':
    case 'notIn': {
      const [left, right] = [input(0), input(1)];
      const on = joinPredicate(shape, columnsOf(left), columnsOf(right));
      if (recipe.operator === 'notIn')
        return { kind: 'join', type: 'anti', left, right, on, nullAware: true };
      return { kind: 'join', type: recipe.operator, left, right, on };
    }
    case 'contains': {
      const [left, right] = [input(0), input(1)];
      return {
        kind: 'contains',
        left,
        right,
        text: expressionOf(part(shape, 0), 'text', columnsOf(left)),
        needle: expressionOf(part(shape, 1), 'text', columnsOf(right)),
      };
    }
    case 'group':
    case 'global':
      return group(recipe.operator === 'group', shape, input(0));
    case 'distinct':
      return { kind: 'distinct', input: input(0) };
    case 'union':
    case 'except':
    case 'exceptAll':
    case 'intersect':
    case 'intersectAll': {
      const left = input(0);
      const right = aligned(shape, input(1), columnsOf(left));
      const columns = columnsOf(left).map((c) => freshColumn(c.name, c.type));
      if (recipe.operator === 'union') return { kind: 'union', inputs: [left, right], columns };
      const all = recipe.operator.endsWith('All');
      return {
        kind: recipe.operator.startsWith('except') ? 'except' : 'intersect',
        left,
        right,
        all,
        columns,
      };
    }
    case 'sort': {
      const below = input(0);
      return { kind: 'sort', input: below, keys: sortKeys(shape, columnsOf(below), false) };
    }
    case 'limit': {
      const below = input(0);
      return firstRows(
        options.determinate ? totallyOrdered(shape, below) : below,
        part(shape, 0).pick % 4,
        part(shape, 1).pick % 3,
      );
    }
    case 'singleRow':
      return { kind: 'singleRow', input: firstRows(totallyOrdered(shape, input(0)), 1, 0) };
  }
}

const numeric = [count, sum, min, max, avg] as readonly AggregateFunction[];
const ordered = [count, min, max] as readonly AggregateFunction[];
const aggregatesOf: { readonly [type in Type]?: readonly AggregateFunction[] } = {
  integer: numeric,
  float: numeric,
  text: ordered,
  date: ordered,
  boolean: [count, boolAnd, boolOr] as readonly AggregateFunction[],
};

function group(keyed: boolean, shape: Shape, input: LogicalPlan): LogicalPlan {
  const columns = columnsOf(input);
  const keyColumns = keyed
    ? [
        columns[shape.pick % columns.length],
        ...shape.parts.slice(0, 1).map((p) => columns[p.pick % columns.length]),
      ]
    : [];
  const keys = keyColumns.map((c) => ({
    column: freshColumn(c.name, c.type),
    expression: columnExpression(c),
  }));
  const shapesOfCalls = [{ pick: shape.pick >> 2, parts: [] }, ...shape.parts];
  const aggregates = shapesOfCalls.map((s): AggregateCall => {
    const filter: { filter?: Expression } =
      s.parts.length > 1 ? { filter: expressionOf(part(s, 1), 'boolean', columns) } : {};
    if (s.pick % 7 === 6) {
      const counting = count as AggregateFunction;
      return { column: freshColumn('count', 'integer'), function: counting, arguments: [], ...filter };
    }
    const argument = columnExpression(columns[s.pick % columns.length]);
    const choices = aggregatesOf[argument.type] ?? ordered;
    const aggregate = choices[(s.pick >> 1) % choices.length];
    const type = aggregate.resolve([argument.type]);
    if (type === undefined) throw new Error(`${aggregate.name} does not take ${argument.type}`);
    return {
      column: freshColumn(aggregate.name, type),
      function: aggregate,
      arguments: [argument],
      ...(s.pick % 5 === 4 ? { distinct: true } : {}),
      ...filter,
    };
  });
  return { kind: 'aggregate', input, keys, aggregates };
}

/** The input projected to columns of the same types as `like`. */
function aligned(shape: Shape, input: LogicalPlan, like: readonly Column[]): LogicalPlan {
  const from = columnsOf(input);
  if (from.length === like.length && from.every((c, i) => c.type === like[i].type)) return input;
  const expressions = like.map(({ type }, i): Expression => {
    const same = from.filter((c) => c.type === type);
    if (same.length > 0) return columnExpression(same[i % same.length]);
    return isColumnType(type)
      ? expressionOf(part(shape, i), type, from)
      : { kind: 'literal', value: null, type };
  });
  return { kind: 'project', input, expressions, columns: like.map((c) => freshColumn(c.name, c.type)) };
}

function sortKeys(shape: Shape, columns: readonly Column[], total: boolean): SortKey[] {
  const sorted = total ? columns : columns.filter((_, i) => i % 2 === shape.pick % 2);
  return (sorted.length > 0 ? sorted : columns).map((c, i) => ({
    expression: columnExpression(c),
    descending: ((shape.pick >> i) & 1) === 1,
    nullsFirst: ((shape.pick >> (i + 1)) & 1) === 1,
  }));
}

/** Distinct rows in a total order. */
function totallyOrdered(shape: Shape, input: LogicalPlan): LogicalPlan {
  const distinct: LogicalPlan = { kind: 'distinct', input };
  return { kind: 'sort', input: distinct, keys: sortKeys(shape, columnsOf(distinct), true) };
}

function firstRows(input: LogicalPlan, limit: number, offset: number): LogicalPlan {
  const amount = (value: number): Expression => ({ kind: 'literal', value, type: 'integer' });
  return { kind: 'limit', input, limit: amount(limit), offset: offset === 0 ? null : amount(offset) };
}

/** The plan as one line for a failing test: operators, predicates left out. */
export function outline(plan: LogicalPlan): string {
  switch (plan.kind) {
    case 'scan':
      return plan.table.name;
    case 'values':
      return `values(${plan.rows.length})`;
    case 'union':
      return `union(${plan.inputs.map(outline).join(', ')})`;
    case 'join':
    case 'contains':
    case 'except':
    case 'intersect': {
      const name = plan.kind === 'join' ? plan.type : plan.kind;
      return `${name}(${outline(plan.left)}, ${outline(plan.right)})`;
    }
    default:
      return `${plan.kind}(${outline(plan.input)})`;
  }
}
