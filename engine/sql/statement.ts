/** A bound statement: what a database has to do. */
import type { Constraints } from '../constraints/index.js';
import type { Table } from '../table/table.js';
import type { Type } from '../value/value.js';
import type { BoundQuery } from './environment.js';

export type Statement =
  | { readonly kind: 'query'; readonly query: BoundQuery }
  /**
   * Query column i goes to the table's column `columns[i]`; the others, which have no default, become NULL.
   */
  | {
      readonly kind: 'insert';
      readonly table: Table;
      readonly columns: readonly number[];
      readonly query: BoundQuery;
    }
  | {
      readonly kind: 'create-table';
      readonly name: string;
      readonly columns: readonly { readonly name: string; readonly type: Type }[];
      /** Absent where nothing is demanded of the rows. */
      readonly constraints?: Constraints;
      readonly ifNotExists: boolean;
    }
  | {
      readonly kind: 'create-table-as';
      readonly name: string;
      readonly query: BoundQuery;
      readonly ifNotExists: boolean;
    }
  | { readonly kind: 'drop-table'; readonly names: readonly string[]; readonly ifExists: boolean }
  | { readonly kind: 'explain'; readonly query: BoundQuery; readonly analyze: boolean };
