/**
 * Scalar subqueries: an aggregate of everything, or the first of the values, so that there is at most one
 * row.
 */
import type { SqlType } from '../generated-sql-schema.js';
import { output, type Scope, type Writer } from './writer.js';

export function writeScalarSubquery(w: Writer, type: SqlType, scope: Scope): string {
  return w.deeper(() => {
    const from = w.from();
    const outer = w.chance(2) ? scope.columns : [];
    const where = w.chance(2)
      ? ''
      : ` WHERE ${w.condition({ columns: [...from.columns, ...outer], subqueries: true })}`;
    const [column] = from.columns.filter((c) => c.type === type);
    if (column && w.chance(3))
      return `(SELECT DISTINCT ${column.sql} FROM ${from.sql}${where} ORDER BY 1 LIMIT 1)`;
    if (w.chance(8)) {
      const value = w.expression(type, { columns: scope.columns, subqueries: true });
      return `(SELECT ${output(type, value)}${outer.length > 0 ? ` WHERE ${w.condition(scope)}` : ''})`;
    }
    return `(SELECT ${w.aggregate(type, from.columns)} FROM ${from.sql}${where})`;
  });
}
