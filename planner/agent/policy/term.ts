/**
 * Terms as they are written: `sender + keys(shared_with) + members(channel)`. This is syntax only; what a
 * name means (an argument, a field, a group) is told where the tool is known.
 */
import { quote, type Report } from './diagnostic.js';
import { type Located, type Tree, textsOf } from './tree.js';

export type Term =
  | { readonly kind: 'name'; readonly name: string; readonly at: number }
  /** In quotes: a principal, whatever else bears that name. */
  | { readonly kind: 'text'; readonly text: string; readonly at: number }
  | { readonly kind: 'call'; readonly name: string; readonly of?: Term; readonly at: number };

/** Terms from one text, or from a list of texts. */
export function termsOf(tree: Tree, what: string, report: Report): Term[] {
  return textsOf(tree, what, report).flatMap((text) => parseTerms(text, what, report));
}

/** Terms joined by `+`. After an error: the terms before it. */
export function parseTerms(text: Located<string>, what: string, report: Report): Term[] {
  return new TermParser(text, what, report).terms();
}

interface Token {
  readonly kind: 'name' | 'text' | '+' | '(' | ')' | 'end' | 'wrong';
  readonly text: string;
  readonly at: number;
}

const token = /\s*(?:([+()])|"([^"]*)"|'([^']*)'|([^\s+()"',;{}[\]]+)|(\S)|$)/y;
const deepestCall = 8;

class TermParser {
  readonly #tokens: Token[];
  readonly #what: string;
  readonly #report: Report;
  #next = 0;

  constructor(text: Located<string>, what: string, report: Report) {
    this.#tokens = tokenize(text);
    this.#what = what;
    this.#report = report;
  }

  terms(): Term[] {
    const terms: Term[] = [];
    for (;;) {
      const term = this.#term(0);
      if (term === undefined) return terms;
      terms.push(term);
      const between = this.#take();
      if (between.kind === 'end') return terms;
      if (between.kind !== '+') {
        this.#unexpected(between, 'terms are joined by `+`');
        return terms;
      }
    }
  }

  #term(depth: number): Term | undefined {
    const first = this.#take();
    if (first.kind === 'text') return { kind: 'text', text: first.text, at: first.at };
    if (first.kind !== 'name') {
      this.#unexpected(
        first,
        'a name, a quoted principal or a look-up such as `members(channel)` is expected',
      );
      return undefined;
    }
    if (this.#tokens[this.#next].kind !== '(') return { kind: 'name', name: first.text, at: first.at };
    this.#next++;
    if (this.#tokens[this.#next].kind === ')') {
      this.#next++;
      return { kind: 'call', name: first.text, at: first.at };
    }
    if (depth === deepestCall) {
      this.#report.error(first.at, 'look-ups nested too deeply');
      return undefined;
    }
    const of = this.#term(depth + 1);
    if (of === undefined) return undefined;
    const close = this.#take();
    if (close.kind !== ')') {
      this.#unexpected(close, 'a look-up has one term in parentheses');
      return undefined;
    }
    return { kind: 'call', name: first.text, of, at: first.at };
  }

  /** The last token is `end`, and it is never passed. */
  #take(): Token {
    const taken = this.#tokens[this.#next];
    if (taken.kind !== 'end') this.#next++;
    return taken;
  }

  #unexpected(found: Token, hint: string): void {
    const what = found.kind === 'end' ? 'it ends too early' : `unexpected ${quote(found.text)}`;
    this.#report.error(found.at, `${this.#what}: ${what}`, hint);
  }
}

function tokenize(text: Located<string>): Token[] {
  const tokens: Token[] = [];
  for (const match of text.value.matchAll(new RegExp(token.source, 'gy'))) {
    const [whole, mark, double, single, name, wrong] = match;
    const at = text.at + match.index + whole.length - whole.trimStart().length;
    if (mark !== undefined) tokens.push({ kind: mark as '+' | '(' | ')', text: mark, at });
    else if (name !== undefined) tokens.push({ kind: 'name', text: name, at });
    else if (wrong !== undefined) tokens.push({ kind: 'wrong', text: wrong, at });
    else if (whole.trim() === '') break;
    else tokens.push({ kind: 'text', text: double ?? single ?? '', at });
  }
  tokens.push({ kind: 'end', text: '', at: text.at + Math.max(0, text.value.length - 1) });
  return tokens;
}
