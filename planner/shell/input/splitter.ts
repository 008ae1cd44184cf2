/**
 * Cuts a stream of lines into SQL statements. It knows PostgreSQL's quotes, comments and brackets and nothing
 * else, keeps its place between lines, and looks at each character once, so a line of a megabyte costs a
 * megabyte and `pending` says at any time why the input goes on.
 */

/** Why a statement is not yet complete; `nothing`: there is none. */
export type Pending = 'nothing' | 'statement' | 'string' | 'name' | 'bracket' | 'comment' | 'dollar';

export interface SplitStatement {
  /** Without its semicolon. */
  readonly text: string;
  /** Where its first word stands, both from 1; the column counts characters. */
  readonly line: number;
  readonly column: number;
}

type Mode =
  | { readonly kind: 'plain' }
  | { readonly kind: 'string'; readonly escapes: boolean }
  | { readonly kind: 'name' }
  | { readonly kind: 'comment'; readonly depth: number }
  | { readonly kind: 'dollar'; readonly tag: string };

const plain: Mode = { kind: 'plain' };

/** What may end plain text. */
const special = /['"$()[\];]|--|\/\*/g;
const commentMark = /\/\*|\*\//g;
const dollarTag = /\$(?:[A-Za-z_\u0080-\uffff][A-Za-z0-9_\u0080-\uffff]*)?\$/y;

export class Splitter {
  #mode: Mode = plain;
  #depth = 0;
  /** What the current statement has so far; joined once. */
  #parts: string[] = [];
  /** Where its first word stands; undefined while there is none. */
  #start: { readonly line: number; readonly column: number } | undefined;

  get pending(): Pending {
    if (this.#mode.kind !== 'plain') return this.#mode.kind;
    if (this.#start === undefined) return 'nothing';
    return this.#depth > 0 ? 'bracket' : 'statement';
  }

  /** Takes one line, without its line feed. @returns the statements that it completes */
  line(text: string, number: number): SplitStatement[] {
    const done: SplitStatement[] = [];
    let at = 0;
    /** From where on the line belongs to the current statement. */
    let from = 0;
    const begin = (offset: number): void => {
      if (this.#start) return;
      this.#start = { line: number, column: [...text.slice(0, offset)].length + 1 };
      // Comments before the first word are no part of it: places in the text count from its beginning.
      this.#parts = [];
      from = offset;
    };
    while (at < text.length) {
      if (this.#mode.kind !== 'plain') {
        at = this.#leave(text, at);
        continue;
      }
      special.lastIndex = at;
      const found = special.exec(text);
      const end = found?.index ?? text.length;
      const word = /\S/.exec(text.slice(at, end));
      if (word) begin(at + word.index);
      if (!found) break;
      at = end + found[0].length;
      if (found[0] === '--') break;
      if (found[0] === '/*') this.#mode = { kind: 'comment', depth: 1 };
      else if (found[0] === ';' && this.#depth === 0) {
        if (this.#start) done.push(this.#finish(text.slice(from, end)));
        else this.reset();
        from = at;
      } else {
        begin(end);
        at = this.#enter(text, end);
      }
    }
    if (this.#start || this.#mode.kind !== 'plain') this.#parts.push(text.slice(from), '\n');
    return done;
  }

  /** The last statement of a script, which may do without a semicolon. */
  end(): SplitStatement | undefined {
    if (!this.#start) {
      this.reset();
      return undefined;
    }
    return this.#finish('');
  }

  /** Drops the statement. */
  reset(): void {
    this.#mode = plain;
    this.#depth = 0;
    this.#parts = [];
    this.#start = undefined;
  }

  /** The text so far, for the history. */
  get text(): string {
    return this.#parts.join('');
  }

  #finish(rest: string): SplitStatement {
    const whole = this.#parts.join('') + rest;
    const statement = { text: whole.trimEnd(), ...(this.#start ?? { line: 1, column: 1 }) };
    this.reset();
    return statement;
  }

  /** A special character of plain text. @returns where to go on */
  #enter(text: string, at: number): number {
    switch (text[at]) {
      case "'":
        this.#mode = {
          kind: 'string',
          escapes: /(?:^|[^A-Za-z0-9_$\u0080-\uffff])[eE]$/.test(text.slice(Math.max(0, at - 2), at)),
        };
        return at + 1;
      case '"':
        this.#mode = { kind: 'name' };
        return at + 1;
      case '(':
      case '[':
        this.#depth += 1;
        return at + 1;
      case ')':
      case ']':
        this.#depth = Math.max(0, this.#depth - 1);
        return at + 1;
      case '$': {
        dollarTag.lastIndex = at;
        const tag = /[A-Za-z0-9_\u0080-\uffff]/.test(text[at - 1] ?? '') ? null : dollarTag.exec(text);
        if (!tag) return at + 1;
        this.#mode = { kind: 'dollar', tag: tag[0] };
        return at + tag[0].length;
      }
      default:
        return at + 1;
    }
  }

  /** Looks for the end of a quote or a comment. @returns where to go on */
  #leave(text: string, at: number): number {
    const mode = this.#mode;
    switch (mode.kind) {
      case 'string':
        return this.#leaveQuote(text, at, "'", mode.escapes);
      case 'name':
        return this.#leaveQuote(text, at, '"', false);
      case 'dollar': {
        const end = text.indexOf(mode.tag, at);
        if (end < 0) return text.length;
        this.#mode = plain;
        return end + mode.tag.length;
      }
      case 'comment': {
        commentMark.lastIndex = at;
        const mark = commentMark.exec(text);
        if (!mark) return text.length;
        const depth = mode.depth + (mark[0] === '/*' ? 1 : -1);
        this.#mode = depth === 0 ? plain : { kind: 'comment', depth };
        return mark.index + 2;
      }
      default:
        return at;
    }
  }

  /** A doubled quote is entered and left again, which comes to the same. */
  #leaveQuote(text: string, at: number, quote: string, escapes: boolean): number {
    for (let i = at; i < text.length; i++) {
      if (escapes && text[i] === '\\') i += 1;
      else if (text[i] === quote) {
        this.#mode = escapes && text[i + 1] === quote ? this.#mode : plain;
        return escapes && text[i + 1] === quote ? i + 2 : i + 1;
      }
    }
    return text.length;
  }
}
