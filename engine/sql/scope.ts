/**
 * Which names mean which columns. A scope is one query's FROM; its parent is the enclosing query, and a name
 * that is found there makes the reference a correlated one.
 */
import type { Column } from '../plan/expression.js';
import type { LogicalPlan } from '../plan/plan.js';

/** A table of FROM under its alias. */
export interface NamedRelation {
  readonly name: string;
  readonly columns: readonly Column[];
}

/** What an item of FROM gives: a plan, the names of its tables, and the columns that `*` stands for. */
export interface FromItem {
  readonly plan: LogicalPlan;
  readonly relations: readonly NamedRelation[];
  readonly columns: readonly Column[];
}

/** A query bound by WITH. */
export interface CommonTable {
  readonly name: string;
  readonly plan: LogicalPlan;
  readonly columns: readonly Column[];
}

/** Named queries in reach, the innermost first. */
export class CommonTables {
  readonly #parent: CommonTables | undefined;
  readonly #tables = new Map<string, CommonTable>();

  constructor(parent?: CommonTables) {
    this.#parent = parent;
  }

  add(table: CommonTable): void {
    this.#tables.set(table.name, table);
  }

  has(name: string): boolean {
    return this.#tables.has(name);
  }

  find(name: string): CommonTable | undefined {
    return this.#tables.get(name) ?? this.#parent?.find(name);
  }

  *names(): Iterable<string> {
    yield* this.#tables.keys();
    if (this.#parent) yield* this.#parent.names();
  }
}

export type Resolution =
  | { readonly found: 'column'; readonly column: Column }
  | { readonly found: 'nothing' | 'ambiguous' }
  /** The table is known, the column is not. */
  | { readonly found: 'no-column'; readonly relation: NamedRelation };

export class Scope {
  readonly relations: readonly NamedRelation[];
  readonly columns: readonly Column[];
  readonly parent: Scope | undefined;
  readonly commonTables: CommonTables;

  constructor(from: Pick<FromItem, 'relations' | 'columns'>, commonTables: CommonTables, parent?: Scope) {
    this.relations = from.relations;
    this.columns = from.columns;
    this.commonTables = commonTables;
    this.parent = parent;
  }

  /** Looks a name up here and then in the enclosing queries. */
  resolve(name: string, table?: string): Resolution {
    const here = table === undefined ? this.#unqualified(name) : this.#qualified(table, name);
    return here.found === 'nothing' && this.parent ? this.parent.resolve(name, table) : here;
  }

  relation(name: string): NamedRelation | undefined {
    return this.relations.find((relation) => relation.name === name) ?? this.parent?.relation(name);
  }

  #unqualified(name: string): Resolution {
    return only(this.columns.filter((column) => column.name === name));
  }

  #qualified(table: string, name: string): Resolution {
    const relation = this.relations.find((candidate) => candidate.name === table);
    if (!relation) return { found: 'nothing' };
    const resolution = only(relation.columns.filter((column) => column.name === name));
    return resolution.found === 'nothing' ? { found: 'no-column', relation } : resolution;
  }

  /** Every name that could have been meant, for hints. */
  *names(): Iterable<string> {
    for (const column of this.columns) yield column.name;
    if (this.parent) yield* this.parent.names();
  }

  *relationNames(): Iterable<string> {
    for (const relation of this.relations) yield relation.name;
    if (this.parent) yield* this.parent.relationNames();
  }
}

function only(columns: readonly Column[]): Resolution {
  if (columns.length === 0) return { found: 'nothing' };
  return columns.length === 1 ? { found: 'column', column: columns[0] } : { found: 'ambiguous' };
}
