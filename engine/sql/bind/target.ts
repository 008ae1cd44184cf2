/** The select list: expressions with their names, and `*`. */
import type { ColumnRef, Node } from 'libpg-query';
import { visibleText } from '../../../semiring/message/visible-text.js';
import type { Column, Expression } from '../../plan/expression.js';
import { columnName } from '../column-name.js';
import type { Environment } from '../environment.js';
import { suggestion } from '../parse/sql-error.js';
import { columnFields } from '../parse/tree.js';

export interface Target {
  readonly name: string;
  readonly expression: Expression;
}

export function bindTargets(nodes: readonly Node[], environment: Environment): readonly Target[] {
  return nodes.flatMap((node) => {
    if (!('ResTarget' in node) || !node.ResTarget.val) return [];
    const { val, name } = node.ResTarget;
    if ('ColumnRef' in val && columnFields(val.ColumnRef).some((field) => field.star)) {
      return expandStar(val.ColumnRef, environment);
    }
    return [{ name: name ?? columnName(val), expression: environment.bind(val) }];
  });
}

function expandStar(reference: ColumnRef, { context, scope }: Environment): readonly Target[] {
  const place = context.place(reference.location);
  const fields = columnFields(reference);
  const targets = (columns: readonly Column[]): Target[] =>
    columns.map(({ id, name, type }) => ({ name, expression: { kind: 'column', id, type, place } }));
  if (fields.length === 1) {
    if (scope.relations.length === 0 && scope.columns.length === 0) {
      throw context.error('unknown-column', 'SELECT * needs a FROM', place);
    }
    return targets(scope.columns);
  }
  if (fields.length > 2) throw context.unsupported('schema name before a column', place);
  const relation = scope.relation(fields[0].name);
  if (relation) return targets(relation.columns);
  throw context.error('unknown-table', `table ${visibleText(fields[0].name)} is not in FROM here`, place, {
    hint: suggestion(fields[0].name, scope.relationNames()),
  });
}
