/**
 * The logical plan: the one form in which the builder API and SQL meet, that the query planner rewrites and
 * the executor runs. Semantics of every node, row annotations and cell provenance included, are those of the
 * operator table in spec/semantics.md. Nodes are immutable data.
 */

import type { Table } from '../table/table.js';
import type { Value } from '../value/value.js';
import type { AggregateFunction, Column, Expression, Place } from './expression.js';

export type LogicalPlan =
  | Scan
  | Values
  | Filter
  | Project
  | Join
  | Contains
  | Aggregate
  | Distinct
  | Union
  | Except
  | Intersect
  | Sort
  | Limit
  | SingleRow;

/** Reads a table; `columns[i]` is the table's column number `indexes[i]`. */
export interface Scan {
  readonly kind: 'scan';
  readonly table: Table;
  readonly columns: readonly Column[];
  readonly indexes: readonly number[];
  /**
   * Only the first rows: the table as it was when it had so many. Absent: all that it has when the scan runs.
   */
  readonly rows?: number;
  /** Where it stands in the SQL, of an operator that has no expression to say so. */
  readonly place?: Place;
}

/** Literal rows, annotated 1. */
export interface Values {
  readonly kind: 'values';
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly Value[])[];
  readonly place?: Place;
}

/** Keeps the rows where `predicate` is true (not false, not unknown). */
export interface Filter {
  readonly kind: 'filter';
  readonly input: LogicalPlan;
  readonly predicate: Expression;
}

/** One output column for each expression; a bare column reference keeps its cell provenance. */
export interface Project {
  readonly kind: 'project';
  readonly input: LogicalPlan;
  readonly columns: readonly Column[];
  readonly expressions: readonly Expression[];
}

/**
 * `inner` with `on` absent is the cross product. `semi` and `anti` put out the left side's columns only.
 * `anti` is NOT EXISTS; `nullAware` makes it NOT IN (an unknown comparison also drops the left row).
 */
export interface Join {
  readonly kind: 'join';
  readonly type: 'inner' | 'left' | 'right' | 'full' | 'semi' | 'anti';
  readonly left: LogicalPlan;
  readonly right: LogicalPlan;
  readonly on?: Expression;
  readonly nullAware?: boolean;
  /**
   * An inner join in which every left row has exactly one partner and only looks its columns up (the answers
   * of a model): the partner's annotation and P(on) belong to the right side's cells, not to the row.
   */
  readonly lookup?: true;
  readonly place?: Place;
}

/** The inner join on "`text` (of the left) contains `needle` (of the right)", by substring index. */
export interface Contains {
  readonly kind: 'contains';
  readonly left: LogicalPlan;
  readonly right: LogicalPlan;
  readonly text: Expression;
  readonly needle: Expression;
}

export interface AggregateCall {
  readonly column: Column;
  readonly function: AggregateFunction;
  readonly arguments: readonly Expression[];
  readonly distinct?: boolean;
  readonly filter?: Expression;
  readonly place?: Place;
}

/** With no keys there is exactly one group, also over no rows. Puts out the keys, then the aggregates. */
export interface Aggregate {
  readonly kind: 'aggregate';
  readonly input: LogicalPlan;
  readonly keys: readonly { readonly column: Column; readonly expression: Expression }[];
  readonly aggregates: readonly AggregateCall[];
}

/**
 * One row for each set of equal rows (NULL equals NULL). With `bindings` the rows are values to compute over
 * and no facts: annotated 1, depending on nothing. Only sound where what is computed for a binding is joined
 * back to the rows that have it, so only decorrelation makes it.
 */
export interface Distinct {
  readonly kind: 'distinct';
  readonly input: LogicalPlan;
  readonly bindings?: true;
}

/** UNION ALL: concatenation. UNION is Distinct over it. Column i of every input feeds `columns[i]`. */
export interface Union {
  readonly kind: 'union';
  readonly inputs: readonly LogicalPlan[];
  readonly columns: readonly Column[];
}

/**
 * Difference. `all` false: one row for each distinct left row that has no equal on the right, annotated
 * (sum of the left) ∸ (sum of the right). `all` true: SQL's bag difference by counts.
 */
export interface Except {
  readonly kind: 'except';
  readonly left: LogicalPlan;
  readonly right: LogicalPlan;
  readonly all: boolean;
  readonly columns: readonly Column[];
  readonly place?: Place;
}

/** `all` false: distinct rows in both, annotated (sum left) · (sum right). `all` true: the lesser count. */
export interface Intersect {
  readonly kind: 'intersect';
  readonly left: LogicalPlan;
  readonly right: LogicalPlan;
  readonly all: boolean;
  readonly columns: readonly Column[];
  readonly place?: Place;
}

export interface SortKey {
  readonly expression: Expression;
  readonly descending: boolean;
  readonly nullsFirst: boolean;
}

export interface Sort {
  readonly kind: 'sort';
  readonly input: LogicalPlan;
  readonly keys: readonly SortKey[];
}

/**
 * `limit` null: no limit. Both are evaluated once; they hold no columns. With `by` they count among the rows
 * that are equal in these expressions (NULL equals NULL): the first of each is DISTINCT ON.
 */
export interface Limit {
  readonly kind: 'limit';
  readonly input: LogicalPlan;
  readonly by?: readonly Expression[];
  readonly limit: Expression | null;
  readonly offset: Expression | null;
}

/**
 * A scalar subquery's guard: one row of NULLs where the input has none, an error where it has more than one.
 */
export interface SingleRow {
  readonly kind: 'singleRow';
  readonly input: LogicalPlan;
}

/**
 * Columns of nodes that hand on those of their inputs: worked out once, since a long chain is asked at every
 * node.
 */
const handedOn = new WeakMap<LogicalPlan, readonly Column[]>();

/** The columns that a plan puts out, in order. */
export function columnsOf(plan: LogicalPlan): readonly Column[] {
  const known = declaredColumns(plan) ?? handedOn.get(plan);
  if (known) return known;
  // No recursion: a chain may be longer than the stack is deep.
  const stack: LogicalPlan[] = [plan];
  while (stack.length > 0) {
    const node = stack[stack.length - 1];
    const sources = sourcesOf(node);
    const found: (readonly Column[])[] = [];
    for (const source of sources) {
      const columns = declaredColumns(source) ?? handedOn.get(source);
      if (columns) found.push(columns);
      else stack.push(source);
    }
    if (found.length < sources.length) continue;
    stack.pop();
    handedOn.set(node, found.length === 1 ? found[0] : found.flat());
  }
  return handedOn.get(plan) ?? [];
}

/** The columns that a node says itself. */
function declaredColumns(plan: LogicalPlan): readonly Column[] | undefined {
  switch (plan.kind) {
    case 'scan':
    case 'values':
    case 'project':
    case 'union':
    case 'except':
    case 'intersect':
      return plan.columns;
    case 'aggregate':
      return [...plan.keys.map((key) => key.column), ...plan.aggregates.map((call) => call.column)];
    default:
      return undefined;
  }
}

/** The inputs whose columns a node hands on. */
function sourcesOf(plan: LogicalPlan): readonly LogicalPlan[] {
  switch (plan.kind) {
    case 'filter':
    case 'distinct':
    case 'sort':
    case 'limit':
    case 'singleRow':
      return [plan.input];
    case 'join':
      return plan.type === 'semi' || plan.type === 'anti' ? [plan.left] : [plan.left, plan.right];
    case 'contains':
      return [plan.left, plan.right];
    default:
      return [];
  }
}
