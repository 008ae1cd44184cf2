/**
 * PostgreSQL's own grammar, as WebAssembly. The module is loaded at the first use of SQL and not before, so
 * that a program that only guards tool calls never pays for it.
 */
import type { Node } from 'libpg-query';
import { checkSupported, deepestTree } from './check-supported.js';
import { withoutRepeatedParentheses } from './parentheses.js';
import { SqlSource } from './source.js';
import { SqlError } from './sql-error.js';

/** One statement of a text: its checked syntax tree and the text that its places refer to. */
export interface ParsedStatement {
  readonly tree: Node;
  readonly source: SqlSource;
  /** Where the statement begins and ends in the text, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
}

/**
 * Parses a text of any number of statements, and refuses what assay does not run.
 * @throws {SqlError} `sql/syntax`, `sql/unsupported`
 */
export async function parseSql(text: string): Promise<readonly ParsedStatement[]> {
  const source = new SqlSource(text);
  // The parser reads a C string: it would take a NUL for the end of the text.
  const nul = text.indexOf('\0');
  if (nul >= 0)
    throw new SqlError('sql/syntax', 'SQL text cannot hold a NUL character', source, { offset: nul });
  // Half a surrogate pair has no form in UTF-8, which the parser reads.
  const half = loneSurrogate(text);
  if (half >= 0) {
    const reason = 'SQL text cannot hold half a surrogate pair (no character has its number)';
    const hint = 'give a text that holds one as a parameter: $1';
    throw new SqlError('sql/syntax', reason, source, { offset: half }, { hint });
  }
  if (text.trim() === '') return [];
  const parser = await import('libpg-query');
  await parser.loadModule();
  let parsed: ReturnType<typeof parser.parseSync>;
  try {
    parsed = parser.parseSync(text);
  } catch (error) {
    const shallow = isTooDeep(error) ? withoutRepeatedParentheses(text) : text;
    if (shallow === text) throw asSqlError(error, source);
    try {
      parsed = parser.parseSync(shallow);
    } catch (again) {
      throw asSqlError(again, source);
    }
  }
  return (parsed.stmts ?? []).flatMap((statement) => {
    if (!statement.stmt) return [];
    const first = statement.stmt_location ?? 0;
    const start = source.place(first).offset;
    const end = statement.stmt_len ? source.place(first + statement.stmt_len).offset : text.length;
    checkSupported(statement.stmt, source, first + leadingSpace(text.slice(start, end)));
    return [{ tree: statement.stmt, source, start, end }];
  });
}

/** Where the first half of a surrogate pair without its other half is; -1 where there is none. */
function loneSurrogate(text: string): number {
  return text.search(/\p{Surrogate}/u);
}

/** Bytes of white space before the first word: blanks are ASCII, so bytes and units agree. */
function leadingSpace(text: string): number {
  return /^[\s;]*/.exec(text)?.[0].length ?? 0;
}

const tooDeep = `an expression nested deeper than ${deepestTree} levels is not supported`;

/** What the parser says of more open parentheses, or NOTs, than its stack takes. */
function isTooDeep(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('memory exhausted');
}

function asSqlError(error: unknown, source: SqlSource): SqlError {
  if (error instanceof RangeError || (error instanceof Error && /call stack/.test(error.message))) {
    return new SqlError('sql/unsupported', tooDeep, source, { offset: 0 }, { cause: error });
  }
  const written = error instanceof Error ? error.message : String(error);
  const isDeep = isTooDeep(error);
  const message = isDeep ? tooDeep : written;
  const details = error instanceof Error && 'sqlDetails' in error ? error.sqlDetails : undefined;
  const character =
    typeof details === 'object' && details !== null && 'cursorPosition' in details
      ? Number(details.cursorPosition)
      : 0;
  const offset = source.offsetOfCharacter(Number.isFinite(character) ? Math.max(0, character) : 0);
  return new SqlError(
    isDeep ? 'sql/unsupported' : 'sql/syntax',
    message,
    source,
    { offset },
    { cause: error },
  );
}
