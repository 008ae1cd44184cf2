/**
 * What every part of the binder needs: the text (for places), the catalogs, the parameters. The one thing to know:
 * `untyped` remembers which literals are PostgreSQL's "unknown", whose type the surroundings decide.
 */
import type { Expression, Place } from '../expression.js';
import type { Table } from '../table.js';
import type { Type } from '../value.js';
import type { FunctionCatalog } from './function-catalog.js';
import type { SqlSource } from './source.js';
import { SqlError, type SqlErrorOptions } from './sql-error.js';

/** The tables that SQL may name. */
export interface TableCatalog {
  table(name: string): Table | undefined;
  names(): Iterable<string>;
}

export interface BindOptions {
  readonly tables: TableCatalog;
  readonly functions: FunctionCatalog;
  /** Types of `$1`, `$2`, …: `'text'` adapts to its surroundings, as a literal in quotes does. */
  readonly parameterTypes?: readonly Type[];
  /** The instant of `now()` and `CURRENT_DATE`, in milliseconds since 1970-01-01 00:00 UTC. */
  readonly now: number;
}

export class BindContext {
  readonly source: SqlSource;
  readonly tables: TableCatalog;
  readonly functions: FunctionCatalog;
  readonly parameterTypes: readonly Type[];
  readonly now: number;
  readonly untyped = new WeakSet<Expression>();

  constructor(source: SqlSource, options: BindOptions) {
    this.source = source;
    this.tables = options.tables;
    this.functions = options.functions;
    this.parameterTypes = options.parameterTypes ?? [];
    this.now = options.now;
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
