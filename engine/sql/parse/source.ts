/**
 * A text of SQL and the places in it. The parser counts UTF-8 bytes, assay counts UTF-16 units; this file is
 * the only place where one becomes the other.
 */
import type { Place } from '../../plan/expression.js';

export class SqlSource {
  readonly text: string;
  /** offsets[b] is the UTF-16 offset of byte b; absent where the text is ASCII and they are the same. */
  #offsets: Uint32Array | undefined;
  #ascii: boolean | undefined;

  constructor(text: string) {
    this.text = text;
  }

  /** The place of a parser location (UTF-8 bytes); of none, the start. */
  place(byte: number | undefined): Place {
    return { offset: this.#offset(byte === undefined || byte < 0 ? 0 : byte) };
  }

  #offset(byte: number): number {
    this.#ascii ??= !/[^\0-\x7f]/.test(this.text);
    if (this.#ascii) return Math.min(byte, this.text.length);
    this.#offsets ??= byteOffsets(this.text);
    return this.#offsets[Math.min(byte, this.#offsets.length - 1)];
  }

  /** The UTF-16 offset of the character (code point) with this index, from 0. */
  offsetOfCharacter(index: number): number {
    let offset = 0;
    for (let i = 0; i < index && offset < this.text.length; i++) {
      offset += (this.text.codePointAt(offset) ?? 0) > 0xffff ? 2 : 1;
    }
    return offset;
  }

  /** Line and column, both from 1; the column counts code points. */
  lineAndColumn(offset: number): { readonly line: number; readonly column: number } {
    const before = this.text.slice(0, offset);
    const start = before.lastIndexOf('\n') + 1;
    return { line: before.split('\n').length, column: [...before.slice(start)].length + 1 };
  }

  /** The text of the line that holds `offset`, and where in it `offset` is (UTF-16). */
  lineAt(offset: number): { readonly text: string; readonly offset: number } {
    const start = this.text.lastIndexOf('\n', offset - 1) + 1;
    const end = this.text.indexOf('\n', offset);
    const text = this.text.slice(start, end < 0 ? undefined : end).replace(/\r$/, '');
    return { text, offset: Math.min(offset - start, text.length) };
  }
}

function byteOffsets(text: string): Uint32Array {
  const offsets = new Uint32Array(Buffer.byteLength(text, 'utf8') + 1);
  let byte = 0;
  let offset = 0;
  for (const character of text) {
    const point = character.codePointAt(0) as number;
    const bytes = point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
    offsets.fill(offset, byte, byte + bytes);
    byte += bytes;
    offset += character.length;
  }
  offsets[byte] = offset;
  return offsets;
}
