/**
 * JSON, as one array or an object a line. Characters that could trick a screen are written as `\u` escapes,
 * which every reader of JSON turns back; whole numbers past 2^53 keep all their digits.
 */
import { distinctNames, type OutputColumn } from './column.js';
import type { RowWriter } from './writer.js';

export function jsonLinesWriter(columns: readonly OutputColumn[]): RowWriter {
  const keys = distinctNames(columns).map(jsonText);
  return { head: '', row: (row) => `${object(keys, row)}\n`, end: () => '' };
}

export function jsonWriter(columns: readonly OutputColumn[]): RowWriter {
  const keys = distinctNames(columns).map(jsonText);
  let first = true;
  return {
    head: '[',
    row: (row) => {
      const before = first ? '\n  ' : ',\n  ';
      first = false;
      return before + object(keys, row);
    },
    end: (rows) => (rows === 0 ? ']\n' : '\n]\n'),
  };
}

function object(keys: readonly string[], row: readonly unknown[]): string {
  return `{${keys.map((key, i) => `${key}: ${jsonText(row[i])}`).join(', ')}}`;
}

const hidden = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** A value as JSON that is safe to print. */
export function jsonText(value: unknown): string {
  if (value === undefined) return 'null';
  if (typeof value === 'bigint') return String(value);
  if (typeof value === 'number' && !Number.isFinite(value)) return `"${value}"`;
  return (JSON.stringify(value) ?? 'null').replace(hidden, (character) =>
    Array.from(
      { length: character.length },
      (_, i) => `\\u${character.charCodeAt(i).toString(16).padStart(4, '0')}`,
    ).join(''),
  );
}
