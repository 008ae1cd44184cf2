/**
 * The fluent builder: plans by column name. A query is immutable data, every method returns a new one, and
 * `plan` is the same logical plan that SQL makes.
 *
 * ```ts
 * from(orders).join(from(customers), eq(col('orders.customer'), col('customers.id')))
 *   .filter(gt(col('total'), 100)).groupBy(['name'], { spent: sum(col('total')) }).run().rows()
 * ```
 */
import { AssayError } from '../../semiring/message/error.js';
import type { Relation } from '../answer/relation.js';
import { type ExecuteOptions, execute } from '../execute.js';
import { commonType } from '../operators/define.js';
import { type Column, type Expression, freshColumn } from '../plan/expression.js';
import { columnsOf, type Join, type LogicalPlan, type SortKey } from '../plan/plan.js';
import type { Table } from '../table/table.js';
import type { Type, Value } from '../value/value.js';
import { type AggregateTerm, col, find, type Operand, type Scope, type Term, term } from './term.js';

export interface OrderKey {
  readonly by: string | Term;
  readonly descending?: boolean;
  /** Default: last when ascending, first when descending, as in SQL. */
  readonly nullsFirst?: boolean;
}

export class Query {
  readonly plan: LogicalPlan;
  readonly #scope: Scope;

  constructor(plan: LogicalPlan, scope: Scope) {
    this.plan = plan;
    this.#scope = scope;
  }

  get columns(): readonly Column[] {
    return columnsOf(this.plan);
  }

  /** The columns, renamed to belong to `alias`. */
  as(alias: string): Query {
    return new Query(
      this.plan,
      this.#scope.map(({ column }) => ({ qualifier: alias, column })),
    );
  }

  filter(predicate: Operand): Query {
    return new Query({ kind: 'filter', input: this.plan, predicate: this.#boolean(predicate) }, this.#scope);
  }

  /**
   * `project({ name: col('name'), twice: mul(col('n'), 2) })`, or names of columns: `project(['name', 'n'])`.
   */
  project(columns: readonly string[] | { readonly [name: string]: Operand }): Query {
    const entries: (readonly [string, Operand])[] = isList(columns)
      ? columns.map((name) => [find(this.#scope, name).column.name, col(name)] as const)
      : Object.entries(columns);
    const expressions = entries.map(([, operand]) => term(operand).resolve(this.#scope));
    const made = entries.map(([name], i) => freshColumn(name, expressions[i].type));
    return new Query({ kind: 'project', input: this.plan, columns: made, expressions }, unqualified(made));
  }

  join(other: Query, on: Operand, type: Join['type'] = 'inner'): Query {
    const scope = [...this.#scope, ...other.#scope];
    this.#checkApart(other);
    const condition = term(on).resolve(scope);
    const kept = type === 'semi' || type === 'anti' ? this.#scope : scope;
    return new Query(
      { kind: 'join', type, left: this.plan, right: other.plan, on: checkBoolean(condition) },
      kept,
    );
  }

  leftJoin(other: Query, on: Operand): Query {
    return this.join(other, on, 'left');
  }

  /** The rows that have a match: EXISTS. */
  semiJoin(other: Query, on: Operand): Query {
    return this.join(other, on, 'semi');
  }

  /** The rows that have no match: NOT EXISTS. */
  antiJoin(other: Query, on: Operand): Query {
    return this.join(other, on, 'anti');
  }

  cross(other: Query): Query {
    this.#checkApart(other);
    return new Query({ kind: 'join', type: 'inner', left: this.plan, right: other.plan }, [
      ...this.#scope,
      ...other.#scope,
    ]);
  }

  /** Pairs where this query's `text` contains the other's `needle`, by substring index. */
  contains(other: Query, text: string | Term, needle: string | Term): Query {
    this.#checkApart(other);
    const plan: LogicalPlan = {
      kind: 'contains',
      left: this.plan,
      right: other.plan,
      text: byName(text).resolve(this.#scope),
      needle: byName(needle).resolve(other.#scope),
    };
    return new Query(plan, [...this.#scope, ...other.#scope]);
  }

  /** UNION ALL. @throws AssayError `engine/union-columns` */
  union(...others: readonly Query[]): Query {
    const inputs = [this, ...others];
    return new Query(
      { kind: 'union', inputs: inputs.map((input) => input.plan), columns: this.#commonColumns(inputs) },
      [],
    ).#rescoped();
  }

  distinct(): Query {
    return new Query({ kind: 'distinct', input: this.plan }, this.#scope);
  }

  /** Distinct rows that the other has not; `all`: by bag count. */
  except(other: Query, all = false): Query {
    return new Query(
      {
        kind: 'except',
        left: this.plan,
        right: other.plan,
        all,
        columns: this.#commonColumns([this, other]),
      },
      [],
    ).#rescoped();
  }

  intersect(other: Query, all = false): Query {
    return new Query(
      {
        kind: 'intersect',
        left: this.plan,
        right: other.plan,
        all,
        columns: this.#commonColumns([this, other]),
      },
      [],
    ).#rescoped();
  }

  /** One row for each different value of the keys (names of columns, or terms by new name). */
  groupBy(
    keys: readonly string[] | { readonly [name: string]: Operand },
    aggregates: { readonly [name: string]: AggregateTerm },
  ): Query {
    const entries: (readonly [string, Operand])[] = isList(keys)
      ? keys.map((name) => [find(this.#scope, name).column.name, col(name)] as const)
      : Object.entries(keys);
    const madeKeys = entries.map(([name, operand]) => {
      const expression = term(operand).resolve(this.#scope);
      return { column: freshColumn(name, expression.type), expression };
    });
    const calls = Object.entries(aggregates).map(([name, call]) => this.#aggregateCall(name, call));
    const plan: LogicalPlan = { kind: 'aggregate', input: this.plan, keys: madeKeys, aggregates: calls };
    return new Query(plan, unqualified(columnsOf(plan)));
  }

  /** Aggregates over all rows: one row. */
  aggregate(aggregates: { readonly [name: string]: AggregateTerm }): Query {
    return this.groupBy([], aggregates);
  }

  orderBy(...keys: readonly (string | Term | OrderKey)[]): Query {
    const made: SortKey[] = keys.map((key) => {
      const order: OrderKey = typeof key === 'string' || 'resolve' in key ? { by: key } : key;
      const descending = order.descending ?? false;
      return {
        expression: byName(order.by).resolve(this.#scope),
        descending,
        nullsFirst: order.nullsFirst ?? descending,
      };
    });
    return new Query({ kind: 'sort', input: this.plan, keys: made }, this.#scope);
  }

  limit(limit: number | null, offset = 0): Query {
    const whole = (n: number): Expression => ({ kind: 'literal', value: n, type: 'integer' });
    const plan: LogicalPlan = {
      kind: 'limit',
      input: this.plan,
      limit: limit === null ? null : whole(limit),
      offset: offset === 0 ? null : whole(offset),
    };
    return new Query(plan, this.#scope);
  }

  run(options?: ExecuteOptions): Relation {
    return execute(this.plan, options);
  }

  #boolean(predicate: Operand): Expression {
    return checkBoolean(term(predicate).resolve(this.#scope));
  }

  #aggregateCall(name: string, { function: fn, arguments: operands, isDistinct, condition }: AggregateTerm) {
    const expressions = operands.map((operand) => operand.resolve(this.#scope));
    const types = expressions.map((expression) => expression.type);
    const type = fn.resolve(types);
    if (type === undefined)
      throw new AssayError('engine/no-such-function', `${fn.name} does not take (${types.join(', ')})`);
    const filter = condition && checkBoolean(condition.resolve(this.#scope));
    return {
      column: freshColumn(name, type),
      function: fn,
      arguments: expressions,
      distinct: isDistinct,
      filter,
    };
  }

  #commonColumns(inputs: readonly Query[]): Column[] {
    const [first, ...others] = inputs.map((input) => input.columns);
    return first.map((column, c) => {
      let type: Type | undefined = column.type;
      for (const other of others) {
        if (other.length !== first.length)
          throw new AssayError(
            'engine/union-columns',
            `one side has ${first.length} columns, the other ${other.length}`,
          );
        type = type && commonType(type, other[c].type);
      }
      if (type !== undefined) return freshColumn(column.name, type);
      const types = [first, ...others].map((columns) => columns[c].type);
      throw new AssayError(
        'engine/union-columns',
        `column ${c + 1} (${JSON.stringify(column.name)}) has no common type: ${types.join(', ')}`,
      );
    });
  }

  #rescoped(): Query {
    return new Query(this.plan, unqualified(this.columns));
  }

  /** A column's id is unique in a plan, so a query cannot be joined with itself; scan the table again. */
  #checkApart(other: Query): void {
    const own = new Set(this.columns.map((column) => column.id));
    if (other.columns.some((column) => own.has(column.id))) {
      throw new AssayError(
        'engine/same-query',
        'a query cannot be joined with itself: start a second one from the table',
      );
    }
  }
}

function isList(value: readonly string[] | { readonly [name: string]: Operand }): value is readonly string[] {
  return Array.isArray(value);
}

function byName(column: string | Term): Term {
  return typeof column === 'string' ? col(column) : column;
}

function unqualified(columns: readonly Column[]): Scope {
  return columns.map((column) => ({ qualifier: null, column }));
}

function checkBoolean(expression: Expression): Expression {
  if (expression.type === 'boolean' || expression.type === 'null') return expression;
  throw new AssayError('engine/not-boolean', `a condition must be boolean, this is ${expression.type}`);
}

/** A query that reads a table; `alias` (default: the table's name) qualifies its columns. */
export function from(table: Table, alias: string = table.name): Query {
  const columns = table.columns.map((column) => freshColumn(column.name, column.type));
  return new Query(
    { kind: 'scan', table, columns, indexes: columns.map((_, i) => i) },
    columns.map((column) => ({ qualifier: alias, column })),
  );
}

/** Literal rows in machine form, annotated 1. */
export function values(
  columns: { readonly [name: string]: Type },
  rows: readonly (readonly Value[])[],
): Query {
  const made = Object.entries(columns).map(([name, type]) => freshColumn(name, type));
  return new Query({ kind: 'values', columns: made, rows }, unqualified(made));
}
