/**
 * Tokens by what a person writes: `orders[3]`, `orders[3].price`, `orders[*]`, a table for all its rows, or a
 * given name.
 */

import type { Token } from '../../../engine/provenance/token.js';
import type { Table } from '../../../engine/table/table.js';
import { nearest } from '../../../semiring/message/nearest.js';
import type { Database } from '../../query/index.js';
import { ShellError } from '../shell-error.js';

/** The most tokens among which one is looked for by name. */
const mostSearched = 5_000_000;
/** Names that are offered for completion and as near ones. */
const mostOffered = 500;

export class TokenNames {
  readonly #database: Database;
  readonly #given = new Map<string, Token>();

  constructor(database: Database) {
    this.#database = database;
    for (const token of database.tokens.renamed) this.#given.set(this.nameOf(token), token);
  }

  /** Names that were given, with their tokens. */
  get given(): ReadonlyMap<string, Token> {
    return this.#given;
  }

  nameOf = (token: Token): string => this.#database.tokens.nameOf(token);

  /** @throws ShellError `shell/token-name` where the name is another token's */
  give(token: Token, name: string, offset: number): void {
    const taken = this.find(name);
    if (taken !== undefined && taken !== token) {
      throw new ShellError(
        'shell/token-name',
        `${JSON.stringify(name)} is the name of another token already`,
        { offset },
      );
    }
    if (!/^[\p{L}\p{N}_#.[\]*-]+$/u.test(name)) {
      throw new ShellError('shell/token-name', `${JSON.stringify(name)} cannot be a token's name`, {
        offset,
        hint: 'letters, digits and _ # . - [ ]',
      });
    }
    for (const [old, known] of this.#given) if (known === token) this.#given.delete(old);
    this.#database.tokens.rename(token, name);
    this.#given.set(name, token);
  }

  /**
   * The tokens that a word means; a table's name means its row tokens. @throws ShellError
   * `shell/unknown-token`
   */
  resolve(word: string, offset: number): Token[] {
    const { catalog } = this.#database;
    const token = this.find(word);
    if (token !== undefined) return [token];
    if (catalog.has(word)) return rowTokensOf(catalog.table(word));
    const hint = nearest(word, [
      ...this.#given.keys(),
      ...this.names(word.slice(0, 1)),
      ...catalog.tables.map((table) => table.name),
    ]);
    throw new ShellError('shell/unknown-token', `there is no token ${JSON.stringify(word.slice(0, 64))}`, {
      offset,
      hint,
    });
  }

  find(name: string): Token | undefined {
    const given = this.#given.get(name);
    if (given !== undefined) return given;
    const [, table, row, column] = /^(.+)\[(\d{1,9}|\*)\](?:\.(.+))?$/s.exec(name) ?? [];
    if (table !== undefined && this.#database.catalog.has(table)) {
      const found = tokenAt(this.#database.catalog.table(table), row, column);
      if (found !== undefined) return found;
    }
    const { tokens } = this.#database;
    const searched = Math.min(tokens.count, mostSearched);
    for (let token = 0; token < searched; token++) if (tokens.nameOf(token) === name) return token;
    return undefined;
  }

  /** Some names that begin like this. */
  names(beginning: string): string[] {
    const names = [...this.#given.keys()].filter((name) => name.startsWith(beginning));
    for (const table of this.#database.tables) {
      const rows = Math.min(table.rowCount, 50);
      for (let row = 0; row < rows && names.length < mostOffered; row++) {
        const name = this.nameOf(table.rowToken(row));
        if (name.startsWith(beginning)) names.push(name);
      }
    }
    return [...new Set(names)];
  }
}

export function rowTokensOf(table: Table): Token[] {
  return Array.from({ length: table.rowCount }, (_, row) => table.rowToken(row));
}

function tokenAt(table: Table, row: string, column: string | undefined): Token | undefined {
  if (row === '*') return column === undefined ? table.membership : undefined;
  const at = Number(row) - 1;
  if (at < 0 || at >= table.rowCount) return undefined;
  if (column === undefined) return table.rowToken(at);
  return table.columns.some(({ name }) => name === column) ? table.cellToken(column, at) : undefined;
}
