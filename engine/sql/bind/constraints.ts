/**
 * What CREATE TABLE demands of rows: NOT NULL, DEFAULT, CHECK, UNIQUE, PRIMARY KEY, FOREIGN KEY. A constraint
 * after a column and one after all columns mean the same; the former merely has its column given.
 */
import type { Constraint, Node } from 'libpg-query';
import { visibleText } from '../../../semiring/message/visible-text.js';
import type { Check, Constraints, Default, Key, Reference, Size } from '../../constraints/index.js';
import type { Table } from '../../table/table.js';
import type { Type } from '../../value/value.js';
import type { BindContext } from '../context.js';
import { suggestion } from '../parse/sql-error.js';
import { names } from '../parse/tree.js';
import { checkOf, defaultOf } from './row-expression.js';

/** A column as it is written. */
export interface DefinedColumn {
  readonly name: string;
  readonly type: Type;
  readonly size?: Size;
  /** PostgreSQL's `json` knows no equality, `jsonb` does. */
  readonly comparable: boolean;
  readonly constraints: readonly Node[];
}

/** Undefined where nothing is demanded. @throws {SqlError} */
export function bindConstraints(
  table: string,
  columns: readonly DefinedColumn[],
  ofTable: readonly Node[],
  context: BindContext,
): Constraints | undefined {
  const binder = new ConstraintBinder(table, columns, context);
  const written = [
    ...columns.flatMap(({ constraints }, c) =>
      constraints.map((node) => ({ constraint: constraintOf(node), own: c })),
    ),
    ...ofTable.map((node) => ({ constraint: constraintOf(node), own: undefined })),
  ];
  for (const { constraint } of written) binder.reserve(constraint);
  // Keys before references: a foreign key may refer to its own table.
  for (const { constraint, own } of written) if (!isForeign(constraint)) binder.add(constraint, own);
  for (const { constraint, own } of written) if (isForeign(constraint)) binder.add(constraint, own);
  return binder.constraints();
}

function constraintOf(node: Node): Constraint {
  if ('Constraint' in node) return node.Constraint;
  throw new TypeError('a constraint is missing from the syntax tree');
}

function isForeign(constraint: Constraint): boolean {
  return constraint.contype === 'CONSTR_FOREIGN';
}

class ConstraintBinder {
  readonly #table: string;
  readonly #columns: readonly DefinedColumn[];
  readonly #context: BindContext;
  readonly #names = new Set<string>();
  readonly #nullable = new Set<number>();
  readonly #notNull = new Set<number>();
  readonly #defaults = new Map<number, Default>();
  readonly #keys: Key[] = [];
  readonly #checks: Check[] = [];
  readonly #references: Reference[] = [];

  constructor(table: string, columns: readonly DefinedColumn[], context: BindContext) {
    this.#table = table;
    this.#columns = columns;
    this.#context = context;
  }

  /** Keeps a name that is written from being given to a constraint that has none. */
  reserve({ conname, location }: Constraint): void {
    if (conname === undefined) return;
    if (this.#names.has(conname))
      throw this.#error(
        'duplicate-constraint',
        `two constraints are called ${visibleText(conname)}`,
        location,
      );
    this.#names.add(conname);
  }

  /** @param own the column that the constraint is written after */
  add(constraint: Constraint, own: number | undefined): void {
    const { contype, location, is_enforced: enforced } = constraint;
    switch (contype) {
      case 'CONSTR_NULL':
        if (own !== undefined) this.#setNull(own, true, location);
        return;
      case 'CONSTR_NOTNULL':
        for (const c of this.#keyColumns(constraint.keys, own, location)) this.#setNull(c, false, location);
        return;
      case 'CONSTR_DEFAULT':
        this.#addDefault(constraint, own);
        return;
      case 'CONSTR_PRIMARY':
      case 'CONSTR_UNIQUE':
        this.#addKey(constraint, own);
        return;
      case 'CONSTR_CHECK':
        if (!enforced) throw this.#unsupported('NOT ENFORCED', location);
        this.#addCheck(constraint, own);
        return;
      case 'CONSTR_FOREIGN':
        if (!enforced) throw this.#unsupported('NOT ENFORCED', location);
        this.#addReference(constraint, own);
        return;
      case 'CONSTR_ATTR_NOT_DEFERRABLE':
      case 'CONSTR_ATTR_IMMEDIATE':
      case 'CONSTR_ATTR_ENFORCED':
        return;
      default:
        throw this.#unsupported(
          (contype ?? 'constraint').replace(/^CONSTR_(ATTR_)?/, '').replaceAll('_', ' '),
          location,
        );
    }
  }

  constraints(): Constraints | undefined {
    const sizes = new Map(this.#columns.flatMap(({ size }, c) => (size ? [[c, size] as const] : [])));
    const demands = [sizes, this.#notNull, this.#defaults];
    const lists = [this.#keys, this.#checks, this.#references];
    if (demands.every(({ size }) => size === 0) && lists.every(({ length }) => length === 0))
      return undefined;
    return {
      sizes,
      // In the order of the columns, as rows are checked.
      notNull: new Set([...this.#notNull].sort((a, b) => a - b)),
      defaults: this.#defaults,
      keys: this.#keys,
      checks: this.#checks,
      references: this.#references,
    };
  }

  #setNull(column: number, may: boolean, location: number | undefined): void {
    (may ? this.#nullable : this.#notNull).add(column);
    if (!this.#nullable.has(column) || !this.#notNull.has(column)) return;
    const name = visibleText(this.#columns[column].name);
    throw this.#error('constraint', `column ${name} is both NULL and NOT NULL`, location);
  }

  #addDefault({ raw_expr: syntax, location }: Constraint, own: number | undefined): void {
    if (!syntax || own === undefined) throw new TypeError('a DEFAULT without column or value');
    const column = this.#columns[own];
    if (this.#defaults.has(own))
      throw this.#error('constraint', `column ${visibleText(column.name)} has two defaults`, location);
    this.#defaults.set(own, defaultOf(syntax, this.#context, column));
  }

  #addCheck({ raw_expr: syntax, conname }: Constraint, own: number | undefined): void {
    if (!syntax) throw new TypeError('a CHECK without a condition');
    const check = checkOf(conname ?? '', syntax, this.#context, this.#table, this.#columns);
    const about =
      check.columns.length === 1 ? check.columns[0] : check.columns.length === 0 ? own : undefined;
    const name = conname ?? this.#freshName([...(about === undefined ? [] : [about])], 'check');
    this.#checks.push({ ...check, name });
  }

  #addKey(constraint: Constraint, own: number | undefined): void {
    const { conname, location } = constraint;
    const primary = constraint.contype === 'CONSTR_PRIMARY';
    const columns = this.#keyColumns(constraint.keys, own, location);
    const unequal = columns.find((c) => !this.#columns[c].comparable);
    if (unequal !== undefined) {
      const name = visibleText(this.#columns[unequal].name);
      throw this.#error(
        'type',
        `a key cannot hold column ${name}: json has no equality`,
        location,
        'write jsonb',
      );
    }
    if (primary && this.#keys.some((key) => key.primary))
      throw this.#error(
        'constraint',
        `table ${visibleText(this.#table)} has two primary keys`,
        location,
        'write one PRIMARY KEY (…) after the columns',
      );
    // After all columns PRIMARY KEY overrides NULL, beside it it contradicts.
    if (primary && own === undefined) for (const c of columns) this.#notNull.add(c);
    else if (primary && own !== undefined) this.#setNull(own, false, location);
    this.#keys.push({
      name: conname ?? (primary ? this.#freshName([], 'pkey') : this.#freshName(columns, 'key')),
      columns,
      primary,
      nullsDistinct: !constraint.nulls_not_distinct,
    });
  }

  #addReference(constraint: Constraint, own: number | undefined): void {
    const { conname, location, pktable } = constraint;
    const columns = this.#keyColumns(constraint.fk_attrs, own, location);
    const target = this.#target(pktable?.relname ?? '', pktable?.location);
    const referred = constraint.pk_attrs
      ? names(constraint.pk_attrs).map((name) =>
          columnNumber(this.#context, name, target.name, target.columns, location),
        )
      : target.keys.find((key) => key.primary)?.columns;
    const shown = visibleText(target.name);
    if (!referred) throw this.#error('constraint', `table ${shown} has no primary key to refer to`, location);
    if (referred.length !== columns.length) {
      const what = `a foreign key of ${columns.length} columns refers to ${referred.length}`;
      throw this.#error('constraint', what, location);
    }
    const key = target.keys.findIndex(
      (one) => one.columns.length === referred.length && one.columns.every((c) => referred.includes(c)),
    );
    if (key < 0) {
      const what = `no UNIQUE or PRIMARY KEY of table ${shown} has just the columns that are referred to`;
      throw this.#error('constraint', what, location);
    }
    for (const [i, column] of columns.entries()) {
      const [from, to] = [this.#columns[column].type, target.columns[referred[i]].type];
      if (from === to || (from === 'integer' && to === 'float')) continue;
      const what = `column ${visibleText(this.#columns[column].name)} is ${from}, what it refers to is ${to}`;
      throw this.#error('type', what, location);
    }
    this.#references.push({
      name: conname ?? this.#freshName(columns, 'fkey'),
      columns: target.keys[key].columns.map((c) => columns[referred.indexOf(c)]),
      table: target.table,
      key,
    });
  }

  #target(name: string, location: number | undefined): Target {
    if (name === this.#table) return { table: null, name, columns: this.#columns, keys: this.#keys };
    const table = this.#context.tables.table(name);
    if (table) return { table, name, columns: table.columns, keys: table.constraints?.keys ?? [] };
    throw this.#error(
      'unknown-table',
      `table ${visibleText(name)} does not exist`,
      location,
      suggestion(name, this.#context.tables.names()),
    );
  }

  /** The columns that a constraint names, or the one that it is written after. */
  #keyColumns(
    keys: readonly Node[] | undefined,
    own: number | undefined,
    location: number | undefined,
  ): readonly number[] {
    if (own !== undefined) return [own];
    const columns = names(keys).map((name) =>
      columnNumber(this.#context, name, this.#table, this.#columns, location),
    );
    const twice = columns.find((column, i) => columns.indexOf(column) !== i);
    if (twice === undefined) return columns;
    const name = visibleText(this.#columns[twice].name);
    throw this.#error('duplicate-column', `column ${name} is twice in one constraint`, location);
  }

  /** As PostgreSQL names what has no name: table, columns, kind, and a number where that is taken. */
  #freshName(columns: readonly number[], kind: string): string {
    const stem = [this.#table, ...columns.map((c) => this.#columns[c].name), kind].join('_');
    let name = stem;
    for (let n = 1; this.#names.has(name); n++) name = `${stem}${n}`;
    this.#names.add(name);
    return name;
  }

  #error(code: string, reason: string, location: number | undefined, hint?: string): Error {
    return this.#context.error(code, reason, this.#context.place(location), { hint });
  }

  #unsupported(what: string, location: number | undefined): Error {
    return this.#context.unsupported(what, this.#context.place(location));
  }
}

/** A table that a foreign key refers to; null is the table that is being made. */
interface Target {
  readonly table: Table | null;
  readonly name: string;
  readonly columns: readonly { readonly name: string; readonly type: Type }[];
  readonly keys: readonly Key[];
}

function columnNumber(
  context: BindContext,
  name: string,
  table: string,
  columns: readonly { readonly name: string }[],
  location: number | undefined,
): number {
  const index = columns.findIndex((column) => column.name === name);
  if (index >= 0) return index;
  const known = columns.map((column) => column.name);
  const what = `table ${visibleText(table)} has no column ${visibleText(name)}`;
  throw context.error('unknown-column', what, context.place(location), { hint: suggestion(name, known) });
}
