/** References to columns: plain, qualified, and of enclosing queries. */
import type { ColumnRef } from 'libpg-query';
import { visibleText } from '../../../semiring/message/visible-text.js';
import type { Expression } from '../../plan/expression.js';
import type { Environment } from '../environment.js';
import { suggestion } from '../parse/sql-error.js';
import { columnFields } from '../parse/tree.js';

export function bindColumn(reference: ColumnRef, { context, scope }: Environment): Expression {
  const place = context.place(reference.location);
  const fields = columnFields(reference);
  if (fields.some((field) => field.star)) throw context.unsupported('* outside a select list', place);
  if (fields.length > 2) throw context.unsupported('schema name before a column', place);
  const [table, name] = fields.length === 2 ? [fields[0].name, fields[1].name] : [undefined, fields[0].name];
  const shown = visibleText(table === undefined ? name : `${table}.${name}`);
  const resolution = scope.resolve(name, table);
  switch (resolution.found) {
    case 'column':
      return { kind: 'column', id: resolution.column.id, type: resolution.column.type, place };
    case 'ambiguous':
      throw context.error('ambiguous-column', `column ${shown} is ambiguous`, place, {
        hint: 'write the name of its table before it',
      });
    case 'no-column': {
      const candidates = resolution.relation.columns.map((column) => column.name);
      throw context.error('unknown-column', `column ${shown} does not exist`, place, {
        hint: suggestion(name, candidates),
      });
    }
    case 'nothing':
      if (table !== undefined) {
        throw context.error('unknown-table', `table ${visibleText(table)} is not in FROM here`, place, {
          hint: suggestion(table, scope.relationNames()),
        });
      }
      if (scope.relation(name)) throw context.unsupported(`a whole row (${shown}) as a value`, place);
      throw context.error('unknown-column', `column ${shown} does not exist`, place, {
        hint: suggestion(name, scope.names()),
      });
  }
}
