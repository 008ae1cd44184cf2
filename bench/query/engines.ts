/**
 * The engines of the benchmark that ship with assay: the floor, our plain run, our run with provenance,
 * readings.
 */

import type { Relation } from '../../engine/answer/relation.js';
import { Catalog } from '../../engine/table/catalog.js';
import type { Semiring } from '../../semiring/contract/semiring.js';
import { Natural } from '../../semiring/instances/natural.js';
import type { Database } from './data.js';
import { type FloorAnswer, floorQueries } from './floor.js';
import { plans, type QueryName, queryNames } from './plans.js';

/** One way to answer the queries. */
export interface Engine {
  /** Whether it can run here; else how to make it run. */
  missing?(): string | undefined;
  setup(db: Database): Promise<Prepared> | Prepared;
}

export interface Prepared {
  /** Timed. */
  run(query: QueryName): unknown;
  /** The rows of a result, outside of the timed part; undefined: not checked. */
  rows?(result: unknown): readonly (readonly unknown[])[];
  /** Figures of one result, for the report. */
  figures?(result: unknown): { readonly [name: string]: number };
  /** Called with every result before the next run. */
  release?(result: unknown): void;
}

export const floor: Engine = {
  setup(db) {
    const queries = floorQueries(db);
    return { run: (query) => queries[query](), rows: (result) => columnsToRows(result as FloorAnswer) };
  },
};

function columnsToRows({ columns, rows }: FloorAnswer): (number | string)[][] {
  return Array.from({ length: rows }, (_, i) => columns.map((column) => column[i]));
}

/** Rows that are handed over at once; a table of millions is never there as rows. */
const portion = 65_536;

export function load(db: Database): Catalog {
  const catalog = new Catalog();
  for (const [name, { columns, rows }] of db) {
    const data = [...columns.values()];
    const values = (from: number): (number | string)[][] =>
      Array.from({ length: Math.min(portion, rows - from) }, (_, i) =>
        data.map((column) => column[from + i]),
      );
    const table = catalog.create(name, values(0), { columns: [...columns.keys()] });
    for (let from = portion; from < rows; from += portion) table.append(values(from));
  }
  return catalog;
}

/** Every column of the answer is materialised, as the floor's is. */
function run(catalog: Catalog, capture: boolean): Prepared {
  const queries = plans(catalog);
  return {
    run(query) {
      const relation = queries[query].run({ capture, pool: catalog.pool });
      relation.columns.forEach((_, c) => void relation.vector(c));
      return relation;
    },
    rows: (result) => (result as Relation).rows(),
    figures: (result) => (capture ? provenanceFigures(result as Relation) : {}),
    release: (result) => (result as Relation).release(),
  };
}

/**
 * Bytes kept, and for how many derivations: products in the sum that the annotation is, or terms where all is
 * one sum.
 */
function provenanceFigures(relation: Relation): { bytes: number; derivations: number } {
  const counted: Semiring<number> = {
    name: 'derivations',
    zero: 0,
    one: 1,
    plus: (a, b) => a + b,
    times: (a, b) => a * b,
    equals: Object.is,
    delta: (a) => a,
  };
  let derivations = 0;
  if (relation.annotation.kind === 'one') derivations = relation.tensor(0, 0).size;
  else for (const n of relation.annotate(counted, { every: 1 })) derivations += n;
  return { bytes: relation.provenanceBytes, derivations };
}

export const plain: Engine = { setup: (db) => run(load(db), false) };
export const captured: Engine = { setup: (db) => run(load(db), true) };

/** With provenance, and rows made as JavaScript arrays. */
export const rowsOut: Engine = {
  setup(db) {
    const catalog = load(db);
    const queries = plans(catalog);
    return {
      run(query) {
        const relation = queries[query].run({ pool: catalog.pool });
        const rows = relation.rows();
        relation.release();
        return rows;
      },
      rows: (result) => result as unknown[][],
    };
  },
};

/** Only the reading is timed, of every row; tokens have values of their own. */
export function reading<K>(semiring: Semiring<K>, value: (token: number) => K): Engine {
  return {
    setup(db) {
      const catalog = load(db);
      const queries = plans(catalog);
      const relations = new Map(queryNames.map((query) => [query, queries[query].run()]));
      return {
        run: (query) => (relations.get(query) as Relation).annotate(semiring, value),
        release: (result) => (result as { release?(): void }).release?.(),
      };
    },
  };
}

export const inNatural: Engine = reading(Natural, (token) => 1 + (token & 1));
