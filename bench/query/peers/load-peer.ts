/**
 * Modules of the other engines. They live in a package of their own, bench/peers, so that installing assay
 * stays small; what is not installed is left out of a run.
 */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { TableData } from '../data.js';

/** The benchmark is run from the root of the project. */
const folder = resolve('bench/peers/package.json');

/** How to install a peer; undefined where it is installed. */
export function missing(name: string): string | undefined {
  if (existsSync(resolve(folder, `../node_modules/${name}/package.json`))) return undefined;
  return `${name} is not installed: npm install --prefix bench/peers`;
}

/** A peer's module; what it exports is described where it is used. */
export async function loadPeer<M>(name: string): Promise<M> {
  const path = createRequire(folder).resolve(name);
  const module = (await import(pathToFileURL(path).href)) as { default?: M } & M;
  return module.default ?? module;
}

export type Row = readonly (number | string)[];

export function rowsOf({ columns, rows }: TableData): Row[] {
  const data = [...columns.values()];
  return Array.from({ length: rows }, (_, i) => data.map((column) => column[i]));
}

function typeOf(column: Int32Array | readonly string[]): string {
  return column instanceof Int32Array ? 'INTEGER' : 'VARCHAR';
}

export function createTable(name: string, { columns }: TableData): string {
  return `CREATE TABLE ${name} (${[...columns].map(([column, data]) => `${column} ${typeOf(data)}`).join(', ')})`;
}
