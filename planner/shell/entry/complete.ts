/**
 * What the word before the cursor could become. It looks at names only, never at data, so a key never waits.
 */
import { commands } from '../commands/table.js';
import type { Shell } from '../shell.js';

const keywords = (
  'SELECT DISTINCT FROM WHERE GROUP BY HAVING ORDER LIMIT OFFSET JOIN LEFT RIGHT FULL INNER CROSS ON USING UNION ALL EXCEPT INTERSECT ' +
  'WITH AS AND OR NOT IN EXISTS BETWEEN LIKE IS NULL TRUE FALSE CASE WHEN THEN ELSE END ASC DESC INSERT INTO VALUES CREATE TABLE DROP EXPLAIN ANALYZE CAST ' +
  'IF CONSTRAINT DEFAULT PRIMARY KEY UNIQUE CHECK FOREIGN REFERENCES NULLS'
).split(' ');

/** Candidates beyond this are not listed. */
const most = 200;

/** As node's readline wants it: candidates, and the text that they replace. */
export function complete(shell: Shell, line: string): [string[], string] {
  return line.startsWith('.') ? completeCommand(shell, line) : completeSql(shell, line);
}

function completeCommand(shell: Shell, line: string): [string[], string] {
  const [, name, rest] = /^\.(\S*)(?:\s+(.*))?$/s.exec(line) ?? [];
  if (rest === undefined) {
    const typed = line;
    return [
      commands
        .map((command) => `.${command.name}`)
        .filter((candidate) => candidate.startsWith(typed))
        .map((candidate) => `${candidate} `),
      typed,
    ];
  }
  const command =
    commands.find((candidate) => candidate.name === name) ??
    commands.find((candidate) => candidate.name.startsWith(name ?? ''));
  const word = /\S*$/.exec(rest)?.[0] ?? '';
  const argument = rest
    .trimStart()
    .slice(0, -word.length || undefined)
    .split(/\s+/)
    .filter((text) => text !== '').length;
  const offers = [...(command?.offers?.(shell, argument) ?? [])];
  return [matching(offers, word), word];
}

function completeSql(shell: Shell, line: string): [string[], string] {
  const word = /[\p{L}\p{N}_.]*$/u.exec(line)?.[0] ?? '';
  if (word === '') return [[], ''];
  const { database } = shell.workspace;
  const [, before, column] = /^(.*)\.([^.]*)$/.exec(word) ?? [];
  if (before !== undefined) {
    const table = database.catalog.has(before) ? database.table(before) : undefined;
    // The name before the dot may be an alias: then any column could be meant.
    const tables = table ? [table] : database.tables;
    return [
      matching(
        new Set(tables.flatMap((each) => each.columns.map(({ name }) => quotedIfNeeded(name)))),
        column ?? '',
      ).map((name) => `${before}.${name}`),
      word,
    ];
  }
  const upper = word === word.toUpperCase() && /\p{L}/u.test(word);
  const names = new Set([
    ...database.tables.map((table) => quotedIfNeeded(table.name)),
    ...database.tables.flatMap((table) => table.columns.map(({ name }) => quotedIfNeeded(name))),
    ...database.functions.names(),
    ...keywords.map((keyword) => (upper ? keyword : keyword.toLowerCase())),
  ]);
  return [matching(names, word), word];
}

function matching(names: Iterable<string>, word: string): string[] {
  const lower = word.toLowerCase();
  const found: string[] = [];
  for (const name of names) {
    // A name that needs quotes is found without them.
    if (!name.toLowerCase().startsWith(lower) && !name.toLowerCase().startsWith(`"${lower}`)) continue;
    found.push(name);
    if (found.length === most) break;
  }
  return found.sort();
}

function quotedIfNeeded(name: string): string {
  return /^[\p{Ll}_][\p{Ll}\p{N}_]*$/u.test(name) ? name : `"${name.replaceAll('"', '""')}"`;
}
