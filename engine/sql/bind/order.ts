/** ORDER BY, LIMIT and OFFSET. */
import type { Node, SelectStmt } from 'libpg-query';
import type { Expression } from '../../plan/expression.js';
import type { LogicalPlan, SortKey } from '../../plan/plan.js';
import { columnsRead, hasSubquery } from '../../plan/traverse-expression.js';
import { coerce } from '../coerce.js';
import type { Environment } from '../environment.js';

/** An element of ORDER BY: its node, and how it sorts. */
export interface OrderItem {
  readonly node: Node;
  readonly descending: boolean;
  readonly nullsFirst: boolean;
}

/** NULLs sort as if larger than everything, unless it is said otherwise. */
export function orderItems(clause: readonly Node[] | undefined): readonly OrderItem[] {
  return (clause ?? []).flatMap((item) => {
    if (!('SortBy' in item) || !item.SortBy.node) return [];
    const { node, sortby_dir: direction, sortby_nulls: nulls } = item.SortBy;
    const descending = direction === 'SORTBY_DESC';
    const nullsFirst = nulls === 'SORTBY_NULLS_FIRST' || (nulls !== 'SORTBY_NULLS_LAST' && descending);
    return [{ node, descending, nullsFirst }];
  });
}

export function sorted(
  input: LogicalPlan,
  items: readonly OrderItem[],
  keys: readonly Expression[],
): LogicalPlan {
  if (items.length === 0) return input;
  const sortKeys = items.map(
    ({ descending, nullsFirst }, i): SortKey => ({ expression: keys[i], descending, nullsFirst }),
  );
  return { kind: 'sort', input, keys: sortKeys };
}

/** LIMIT and OFFSET of a query, bound where no column is in reach. */
export function limited(input: LogicalPlan, select: SelectStmt, environment: Environment): LogicalPlan {
  if (!select.limitCount && !select.limitOffset) return input;
  const bound = (node: Node | undefined, clause: string): Expression | null => {
    if (!node) return null;
    const { context } = environment;
    const expression = environment.withoutAggregates(clause).bind(node);
    const place = expression.place ?? { offset: 0 };
    if (columnsRead(expression).size > 0) throw context.error('type', `${clause} cannot read columns`, place);
    if (hasSubquery(expression)) throw context.unsupported(`a subquery in ${clause}`, place);
    if (expression.kind === 'literal' && expression.value === null) return null;
    const isNumber = ['integer', 'float', 'null'].includes(expression.type);
    if (!isNumber && !context.untyped.has(expression)) {
      throw context.error('type', `${clause} must be a whole number`, place);
    }
    return coerce(context, expression, 'integer');
  };
  const limit = bound(select.limitCount, 'LIMIT');
  const offset = bound(select.limitOffset, 'OFFSET');
  return limit === null && offset === null ? input : { kind: 'limit', input, limit, offset };
}
