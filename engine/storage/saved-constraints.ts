/** Constraints as data for a file: CHECK and DEFAULT as syntax trees, the rest as it is. */
import * as v from 'valibot';
import type { Constraints, Key, Reference, Size } from '../constraints/index.js';
import { builtinScalars, type FunctionCatalog, Functions, savedCheck, savedDefault } from '../sql/index.js';
import type { Table, TableColumn } from '../table/table.js';

const natural = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const columnList = v.pipe(v.array(natural), v.minLength(1));

const savedSize = v.variant('kind', [
  v.object({ kind: v.picklist(['varying', 'fixed']), length: natural }),
  v.object({ kind: v.literal('decimal'), precision: natural, scale: v.pipe(v.number(), v.safeInteger()) }),
]);

export const savedConstraints = v.object({
  notNull: v.array(natural),
  sizes: v.array(v.object({ column: natural, size: savedSize })),
  defaults: v.array(v.object({ column: natural, syntax: v.unknown() })),
  keys: v.array(
    v.object({
      name: v.string(),
      columns: columnList,
      primary: v.boolean(),
      nullsDistinct: v.boolean(),
    }),
  ),
  checks: v.array(v.object({ name: v.string(), syntax: v.unknown() })),
  references: v.array(
    v.object({
      name: v.string(),
      columns: columnList,
      /** Null: the table itself. */
      table: v.nullable(v.string()),
      key: natural,
    }),
  ),
});

export type SavedConstraints = v.InferOutput<typeof savedConstraints>;

export function saveConstraints(constraints: Constraints): SavedConstraints {
  return {
    notNull: [...constraints.notNull],
    sizes: [...constraints.sizes].map(([column, size]) => ({ column, size })),
    defaults: [...constraints.defaults].map(([column, { syntax }]) => ({ column, syntax })),
    keys: constraints.keys.map((key) => ({ ...key, columns: [...key.columns] })),
    checks: constraints.checks.map(({ name, syntax }) => ({ name, syntax })),
    references: constraints.references.map(({ name, columns, table, key }) => ({
      name,
      columns: [...columns],
      table: table?.name ?? null,
      key,
    })),
  };
}

export interface LoadConstraintsOptions {
  /** What CHECK and DEFAULT may call. Default: the engine's own functions. */
  readonly functions?: FunctionCatalog;
  /**
   * What CHECK and DEFAULT mean by now, in milliseconds since 1970-01-01 00:00 UTC. Default: the system's
   * clock.
   */
  readonly clock?: () => number;
}

/**
 * @param tables those that the file has before this one
 * @throws RangeError, TypeError, SqlError where the parts do not fit together
 */
export function loadConstraints(
  saved: SavedConstraints,
  table: string,
  columns: readonly TableColumn[],
  tables: (name: string) => Table,
  { functions = new Functions(builtinScalars) }: LoadConstraintsOptions,
): Constraints {
  const known = (column: number): number => {
    if (column < columns.length) return column;
    throw new RangeError('a constraint over a column that is not there');
  };
  return {
    notNull: new Set(saved.notNull.map(known)),
    sizes: new Map(saved.sizes.map(({ column, size }): [number, Size] => [known(column), size])),
    defaults: new Map(
      saved.defaults.map(({ column, syntax }) => [
        known(column),
        savedDefault(syntax, columns[known(column)], functions),
      ]),
    ),
    keys: saved.keys.map((key): Key => ({ ...key, columns: key.columns.map(known) })),
    checks: saved.checks.map(({ name, syntax }) => savedCheck(name, syntax, table, columns, functions)),
    references: saved.references.map((reference): Reference => {
      const target = reference.table === null ? null : tables(reference.table);
      const key = (target ? target.constraints?.keys : saved.keys)?.[reference.key];
      if (key?.columns.length !== reference.columns.length)
        throw new RangeError('a foreign key that refers to no key');
      return { ...reference, table: target, columns: reference.columns.map(known) };
    }),
  };
}
