/** CREATE TABLE: columns with their types and sizes; what else it demands is in bind-constraints.ts. */
import type { CreateStmt, Node, TypeName } from 'libpg-query';
import { visibleText } from '../../../semiring/message/visible-text.js';
import { exactDigits } from '../../value/decimal.js';
import type { BindContext } from '../context.js';
import { suggestion } from '../parse/sql-error.js';
import { locationOf, names } from '../parse/tree.js';
import type { Statement } from '../statement.js';
import { namedType, typeNames } from '../type-name.js';
import { bindConstraints, type DefinedColumn } from './constraints.js';

export function bindCreate(node: CreateStmt, context: BindContext): Statement {
  const columns: DefinedColumn[] = [];
  const constraints: Node[] = [];
  for (const element of node.tableElts ?? []) {
    if ('Constraint' in element) constraints.push(element);
    else columns.push(definedColumn(element, columns, context));
  }
  return {
    kind: 'create-table',
    columns: columns.map((column) => ({ name: column.name, type: column.type })),
    constraints: bindConstraints(node.relation?.relname ?? '', columns, constraints, context),
    name: newName(node.relation, context, node.if_not_exists),
    ifNotExists: node.if_not_exists ?? false,
  };
}

function definedColumn(
  element: Node,
  earlier: readonly DefinedColumn[],
  context: BindContext,
): DefinedColumn {
  if (!('ColumnDef' in element))
    throw context.unsupported(Object.keys(element)[0], context.place(locationOf(element)));
  const { colname: name = '', typeName, constraints = [], location } = element.ColumnDef;
  if (earlier.some((column) => column.name === name)) {
    throw context.error(
      'duplicate-column',
      `column ${visibleText(name)} is defined twice`,
      context.place(location),
    );
  }
  return { name, constraints, ...columnType(typeName, context) };
}

/** Columns that number their rows. */
const serials: ReadonlySet<string> = new Set([
  'serial',
  'serial2',
  'serial4',
  'serial8',
  'smallserial',
  'bigserial',
]);

function columnType(
  typeName: TypeName | undefined,
  context: BindContext,
): Pick<DefinedColumn, 'type' | 'size' | 'comparable'> {
  const place = context.place(typeName?.location);
  const written = names(typeName?.names).at(-1) ?? '';
  if (serials.has(written)) {
    throw context.unsupported(written, place, 'write integer, and give each row its number');
  }
  const named = namedType(typeName);
  if (typeof named === 'string') {
    const known = [...typeNames()];
    throw context.error('unknown-type', named, place, {
      hint: known.includes(written) ? undefined : suggestion(written, known),
    });
  }
  const { type, modifier } = named;
  const comparable = written !== 'json';
  switch (modifier?.kind) {
    case undefined:
      return { type, comparable };
    case 'length':
      return {
        type,
        comparable,
        size: { kind: modifier.fixed ? 'fixed' : 'varying', length: modifier.length },
      };
    case 'scale': {
      const { precision, scale } = modifier;
      if (precision > exactDigits) {
        throw context.unsupported(
          `numeric of more than ${exactDigits} digits as a column type`,
          place,
          'numbers are doubles; write numeric for one without a limit of its own',
        );
      }
      return { type, comparable, size: { kind: 'decimal', precision, scale } };
    }
    default:
      throw context.error('unknown-type', `${written}(…) as a column type is not supported`, place, {
        hint: `write ${written}`,
      });
  }
}

/** The name of a table to be made. @throws {SqlError} `sql/table-exists` */
export function newName(relation: CreateStmt['relation'], context: BindContext, ifNotExists = false): string {
  const name = relation?.relname ?? '';
  if (context.tables.table(name) && !ifNotExists) {
    throw context.error(
      'table-exists',
      `there is a table ${visibleText(name)} already`,
      context.place(relation?.location),
      {
        hint: 'DROP TABLE it first, or write IF NOT EXISTS',
      },
    );
  }
  return name;
}
