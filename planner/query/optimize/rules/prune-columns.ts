import type { ColumnId, Expression } from '../../../../engine/plan/expression.js';
import { columnsOf, type LogicalPlan, type Union } from '../../../../engine/plan/plan.js';
import { columnsRead } from '../../../../engine/plan/traverse-expression.js';
import {
  expressionsOf,
  inputsFirst,
  inputsOf,
  rewriteBottomUp,
} from '../../../../engine/plan/traverse-plan.js';
import type { Rule } from '../rule.js';

/**
 * Scans, projections, unions and groupings put out only the columns that something above reads. Columns that
 * an operator compares as a whole row (DISTINCT, EXCEPT, INTERSECT) are all read. A shared sub-plan keeps
 * what any of its readers needs.
 */
export const pruneColumns: Rule = {
  name: 'prune columns',
  description: 'columns that nothing reads are not computed',
  scope: 'plan',
  apply(plan) {
    const needed = neededColumns(plan);
    const pruned = rewriteBottomUp(plan, (node, original) => prune(node, original, needed));
    return pruned === plan ? undefined : pruned;
  },
};

type Needed = ReadonlyMap<LogicalPlan, ReadonlySet<ColumnId>>;

/** For each node, which of its columns its readers need; readers come before what they read. */
function neededColumns(root: LogicalPlan): Needed {
  const needed = new Map<LogicalPlan, Set<ColumnId>>();
  const require = (node: LogicalPlan, ids: Iterable<ColumnId>) => {
    const set = needed.get(node) ?? new Set<ColumnId>();
    for (const id of ids) set.add(id);
    needed.set(node, set);
  };
  require(root, ids(root));
  for (const node of [...inputsFirst(root)].reverse()) {
    const own = needed.get(node) ?? new Set<ColumnId>();
    const read = new Set<ColumnId>();
    for (const expression of readExpressions(node, own)) columnsRead(expression, read);
    switch (node.kind) {
      case 'distinct':
        require(node.input, ids(node.input));
        break;
      case 'except':
      case 'intersect':
        require(node.left, ids(node.left));
        require(node.right, ids(node.right));
        break;
      case 'union':
        for (const input of node.inputs) {
          require(input, columnsOf(input)
            .filter((_, i) => own.has(node.columns[i].id))
            .map((column) => column.id));
        }
        break;
      case 'project':
      case 'aggregate':
        require(node.input, read);
        break;
      default:
        for (const input of inputsOf(node)) {
          require(input, columnsOf(input)
            .map((column) => column.id)
            .filter((id) => own.has(id) || read.has(id)));
        }
    }
  }
  return needed;
}

/** The node's expressions, without those of columns that are not needed. */
function readExpressions(node: LogicalPlan, own: ReadonlySet<ColumnId>): readonly Expression[] {
  if (node.kind === 'project') return node.expressions.filter((_, i) => own.has(node.columns[i].id));
  if (node.kind === 'aggregate') {
    const kept = node.aggregates.filter((call) => own.has(call.column.id));
    return expressionsOf({ ...node, aggregates: kept });
  }
  return expressionsOf(node);
}

function ids(plan: LogicalPlan): ColumnId[] {
  return columnsOf(plan).map((column) => column.id);
}

/** @param node with pruned inputs; @param original the key in `needed` */
function prune(node: LogicalPlan, original: LogicalPlan, needed: Needed): LogicalPlan {
  const own = needed.get(original) ?? new Set<ColumnId>();
  const keep = (id: ColumnId) => own.has(id);
  switch (node.kind) {
    case 'scan': {
      const kept = node.columns.flatMap((column, i) => (keep(column.id) ? [i] : []));
      if (kept.length === node.columns.length) return node;
      return {
        ...node,
        columns: kept.map((i) => node.columns[i]),
        indexes: kept.map((i) => node.indexes[i]),
      };
    }
    case 'project': {
      const kept = node.columns.flatMap((column, i) => (keep(column.id) ? [i] : []));
      if (kept.length === node.columns.length) return node;
      return {
        ...node,
        columns: kept.map((i) => node.columns[i]),
        expressions: kept.map((i) => node.expressions[i]),
      };
    }
    case 'aggregate': {
      const aggregates = node.aggregates.filter((call) => keep(call.column.id));
      return aggregates.length === node.aggregates.length ? node : { ...node, aggregates };
    }
    case 'union':
      return pruneUnion(node, original, keep);
    default:
      return node;
  }
}

/** Every branch must put out exactly the kept columns, by position; `original` knows the positions. */
function pruneUnion(node: Union, original: LogicalPlan, keep: (id: ColumnId) => boolean): LogicalPlan {
  const kept = node.columns.flatMap((column, i) => (keep(column.id) ? [i] : []));
  if (kept.length === node.columns.length) return node;
  const inputs = node.inputs.map((input, branch): LogicalPlan => {
    const all = columnsOf(inputsOf(original)[branch]);
    const columns = kept.map((i) => all[i]);
    const below = columnsOf(input);
    if (below.length === columns.length && below.every((column, i) => column.id === columns[i].id))
      return input;
    const expressions = columns.map(
      (column): Expression => ({ kind: 'column', id: column.id, type: column.type }),
    );
    return { kind: 'project', input, columns, expressions };
  });
  return { ...node, columns: kept.map((i) => node.columns[i]), inputs };
}
