/**
 * What every part of the binder needs: the text (for places), the catalogs, the parameters. `untyped`
 * remembers which literals are PostgreSQL's "unknown", whose type the surroundings decide.
 */
import type { Node } from 'libpg-query';
import type { AggregateFunction, Expression, Place, ScalarFunction } from '../plan/expression.js';
import type { Table } from '../table/table.js';
import type { Type, Value } from '../value/value.js';
import type { FunctionCatalog } from './function-catalog.js';
import type { SqlSource } from './parse/source.js';
import { SqlError, type SqlErrorOptions } from './parse/sql-error.js';

/** The tables that SQL may name. */
export interface TableCatalog {
  table(name: string): Table | undefined;
  names(): Iterable<string>;
}

/** A column that a value is assigned to, and what DEFAULT means there. */
export interface TargetColumn {
  readonly name: string;
  readonly type: Type;
  readonly default: () => Value;
}

export interface BindOptions {
  readonly tables: TableCatalog;
  readonly functions: FunctionCatalog;
  /** Types of `$1`, `$2`, …: `'text'` adapts to its surroundings, as a literal in quotes does. */
  readonly parameterTypes?: readonly Type[];
  /** The instant of `now()` and `CURRENT_DATE`, in milliseconds since 1970-01-01 00:00 UTC. */
  readonly now: number;
  /**
   * The functions that every database has, the only ones that a CHECK or DEFAULT may call, since it is kept
   * with the table. Default: all of `functions`.
   */
  readonly fixedFunctions?: FunctionCatalog;
}

export class BindContext {
  readonly source: SqlSource;
  readonly tables: TableCatalog;
  readonly functions: FunctionCatalog;
  readonly parameterTypes: readonly Type[];
  readonly fixedFunctions: FunctionCatalog;
  readonly untyped = new WeakSet<Expression>();
  /**
   * Literals with a decimal point, as they are written: numerics to PostgreSQL, which rounds them as such.
   */
  readonly numerals = new WeakMap<Expression, string>();
  /** The columns that values of INSERT … VALUES are for. */
  readonly targets = new WeakMap<Node, TargetColumn>();
  /** One function object for one meaning, so that equal expressions are found equal. */
  readonly modifiers = new Map<string, ScalarFunction>();
  readonly ordered = new Map<AggregateFunction, Map<string, AggregateFunction>>();
  readonly #now: number;
  #readsClock = false;

  constructor(source: SqlSource, options: BindOptions) {
    this.source = source;
    this.tables = options.tables;
    this.functions = options.functions;
    this.parameterTypes = options.parameterTypes ?? [];
    this.fixedFunctions = options.fixedFunctions ?? options.functions;
    this.#now = options.now;
  }

  get now(): number {
    this.#readsClock = true;
    return this.#now;
  }

  /** Whether anything that was bound so far depends on `now`. */
  get readsClock(): boolean {
    return this.#readsClock;
  }

  /** @param byte a location as the parser gives it */
  place(byte: number | undefined): Place {
    return this.source.place(byte);
  }

  error(code: string, reason: string, place: Place, options?: SqlErrorOptions): SqlError {
    return new SqlError(`sql/${code}`, reason, this.source, place, options);
  }

  unsupported(what: string, place: Place, hint?: string): SqlError {
    return this.error('unsupported', `${what} is not supported`, place, { hint });
  }
}
