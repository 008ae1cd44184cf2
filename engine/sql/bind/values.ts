/**
 * VALUES lists, each value brought to the column's common type; in INSERT to that of the column that it is
 * for. Rows of literals become one node; rows that compute something become projections of a single row.
 */
import type { Node } from 'libpg-query';
import { type Expression, freshColumn } from '../../plan/expression.js';
import type { LogicalPlan } from '../../plan/plan.js';
import { assigned } from '../assign.js';
import { coerce, commonTypeOf } from '../coerce.js';
import type { BoundQuery, Environment } from '../environment.js';
import { items, locationOf } from '../parse/tree.js';

export function bindValues(lists: readonly Node[], environment: Environment): BoundQuery {
  const { context } = environment;
  const inside = environment.withoutAggregates('VALUES');
  const bind = (node: Node) => {
    const target = context.targets.get(node);
    return target ? assigned(context, inside.bind(node), target) : inside.bind(node);
  };
  const rows = lists.map((list) => items(list).map(bind));
  const width = rows[0].length;
  const uneven = rows.findIndex((row) => row.length !== width);
  if (uneven >= 0) {
    const place = context.place(locationOf(items(lists[uneven])[0]));
    throw context.error(
      'type',
      `row ${uneven + 1} of VALUES has ${rows[uneven].length} values, the first has ${width}`,
      place,
    );
  }
  const columns = Array.from({ length: width }, (_, i) =>
    freshColumn(
      `column${i + 1}`,
      commonTypeOf(
        context,
        rows.map((row) => row[i]),
        'VALUES',
      ),
    ),
  );
  const typed = rows.map((row) => row.map((expression, i) => coerce(context, expression, columns[i].type)));
  const literals = typed.map((row) =>
    row.flatMap((expression) => (expression.kind === 'literal' ? [expression.value] : [])),
  );
  if (literals.every((row) => row.length === width)) {
    const place = rows[0].find((expression) => expression.place)?.place;
    return { plan: { kind: 'values', columns, rows: literals, ...(place ? { place } : {}) }, columns };
  }
  const inputs = typed.map((expressions): LogicalPlan => singleRow(expressions));
  return { plan: { kind: 'union', inputs, columns }, columns };
}

function singleRow(expressions: readonly Expression[]): LogicalPlan {
  return {
    kind: 'project',
    input: { kind: 'values', columns: [], rows: [[]] },
    columns: expressions.map((expression, i) => freshColumn(`column${i + 1}`, expression.type)),
    expressions,
  };
}
