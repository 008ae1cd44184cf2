/**
 * The sink of the final answer: links, images and markup that untrusted data built, even partly, are made
 * inert and stay readable. The one thing to know: it does not parse Markdown. It breaks, by a linear scan,
 * the few pairs of characters without which no renderer of CommonMark, GFM or HTML makes a link or loads
 * anything, wherever one of them, or the address they lead to, is untrusted. Where it cannot tell it breaks
 * too, so an odd dialect is no way out.
 *
 * | found                                        | becomes                    |
 * |----------------------------------------------|----------------------------|
 * | `https://evil.com/x`, `//evil.com`, `www.…`  | `https[:]//evil[.]com/x`…  |
 * | `javascript:…`, `data:…/`, `mailto:…`        | `javascript[:]…`           |
 * | `[a](…`, `![a](…`, `[a]: …`                  | `[a] (…`, `[a] :…`         |
 * | `<img …`, `<https:…`                         | `&lt;img …`                |
 * | controls, bidirectional, zero-width, tags    | codes: `\u{202e}`          |
 *
 * A bare host name or mail address without a scheme stays as it is, as in the policy's own link check.
 */
import { visibleText } from '../../../semiring/message/visible-text.js';
import { type AnswerPart, MarkedText, type Where } from './marked-text.js';

export interface Defused {
  readonly what: 'address' | 'link' | 'definition' | 'html' | 'invisible';
  /** In the parts as they came in. */
  readonly where: Where;
}

export interface DefusedAnswer {
  readonly text: string;
  readonly defused: readonly Defused[];
}

/** @param parts in order; only those with integrity U, and what they reach into, are changed */
export function defuse(parts: readonly AnswerPart[]): DefusedAnswer {
  const marked = new MarkedText(parts);
  const edits = [...addresses(marked), ...brackets(marked), ...tags(marked), ...invisibles(marked)].sort(
    (a, b) => a.at - b.at,
  );
  const pieces: string[] = [];
  const defused: Defused[] = [];
  let done = 0;
  for (const { at, length, text, what } of edits) {
    if (at < done) continue;
    pieces.push(marked.text.slice(done, at), text);
    done = at + length;
    if (what !== undefined) defused.push({ what, where: marked.where(at) });
  }
  pieces.push(marked.text.slice(done));
  return { text: pieces.join(''), defused };
}

/** Replace `length` units at `at`; without `what` it is part of a finding that is already told. */
interface Edit {
  readonly at: number;
  readonly length: number;
  readonly text: string;
  readonly what?: Defused['what'];
}

/** `://`, slashes that start an address, `www.`, and schemes that work without slashes. */
const address =
  /:(?=\/\/)|(?<![\p{L}\p{N}:/]|\[:\])\/{2,}(?=[^\s/\]])|www\.(?=\S)|(?<![\p{L}\p{N}])(?:javascript|vbscript|livescript|mailto|xmpp|tel|sms|file|blob|ftp|intent|view-source|data(?=:[\w.+-]+\/|:[,;])):(?=\S)/giu;

function* addresses(marked: MarkedText): Generator<Edit> {
  const { text } = marked;
  const nextSpace = ahead(text, /[ \t\n\v\f\r]/g);
  for (const match of text.matchAll(address)) {
    const found = match[0];
    const at = match.index;
    const from = found === ':' ? startOfScheme(text, at) : at;
    if (!marked.touches(from, nextSpace(at))) continue;
    const end = at + found.length;
    if (found.endsWith(':')) {
      yield { at: end - 1, length: 1, text: bracketed(':', text[end]), what: 'address' };
    } else if (found.startsWith('/')) {
      yield { at, length: found.length, text: bracketed(found, text[end]), what: 'address' };
    } else {
      yield { at: end - 1, length: 1, text: bracketed('.', text[end]), what: 'address' };
    }
    if (found === ':' || found.startsWith('/')) yield* dotsOfHost(text, found === ':' ? end + 2 : end);
  }
}

/** The brackets must not become the text of a link. */
function bracketed(what: string, next: string | undefined): string {
  return next !== undefined && '([:'.includes(next) ? `[${what}] ` : `[${what}]`;
}

function startOfScheme(text: string, colon: number): number {
  let from = colon;
  while (from > 0 && /[\w+.-]/.test(text[from - 1])) from -= 1;
  return from;
}

/** Without these a renderer that guesses at bare hosts makes a link again. */
function* dotsOfHost(text: string, from: number): Generator<Edit> {
  for (let at = from; at < text.length && !/[\s/?#<>"'()[\]]/.test(text[at]); at++) {
    if (text[at] === '.') yield { at, length: 1, text: bracketed('.', text[at + 1]) };
  }
}

/** A whole destination: in angles or without spaces, parentheses balanced one deep, then maybe a title. */
const inlineRest =
  /\]\(\s*(?:<[^<>\n\\]*>|[^\s()<>\\]*(?:\([^\s()<>\\]*\)[^\s()<>\\]*)*)(?:\s+(?:"[^"\\]*"|'[^'\\]*'))?\s*\)/y;

function* brackets(marked: MarkedText): Generator<Edit> {
  const { text } = marked;
  const blankLine = ahead(text, /\n[ \t]*\r?\n/g);
  const solid = ahead(text, /\S/g);
  const space = ahead(text, /\s/g);
  for (const { 0: found, index: at } of text.matchAll(/\][(:]/g)) {
    const inline = found === '](';
    let end: number;
    if (inline) {
      const whole = lengthAt(inlineRest, text, at);
      // What is no whole link here may be one to another parser, up to the end of the paragraph.
      end = whole === undefined ? blankLine(at) : at + whole;
    } else {
      const start = solid(at + 2);
      end = text[start] === '<' ? blankLine(at) : space(start) + 1;
    }
    if (marked.touches(at, end)) {
      yield { at: at + 1, length: 0, text: ' ', what: inline ? 'link' : 'definition' };
    }
  }
}

const wholeTag =
  /<(?:\/?[a-z][a-z0-9-]*(?:\s+[^\s"'<>/=`]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'=<>`]+))?)*\s*\/?|[a-z][a-z0-9+.-]+:[^\s<>]*)>/iy;
/** What follows these is read by rules of its own. */
const rawElement =
  /<(?:script|style|textarea|title|xmp|iframe|noembed|noframes|noscript|plaintext|svg|math|select|template)\b/iy;

function* tags(marked: MarkedText): Generator<Edit> {
  const { text } = marked;
  const endOfComment = ahead(text, /-->/g);
  for (const { index: at } of text.matchAll(/<(?=[a-z/!?])/gi)) {
    let end = text.length;
    if (text.startsWith('<!--', at)) end = endOfComment(at + 4);
    else if (lengthAt(rawElement, text, at) === undefined) end = at + (lengthAt(wholeTag, text, at) ?? end);
    if (marked.touches(at, end)) yield { at, length: 1, text: '&lt;', what: 'html' };
  }
}

/** Tabs and line breaks stay, and so do the joiners that scripts and emoji need. */
const invisible = /(?![\t\n\r\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]|[\u{e0100}-\u{e01ef}]/gu;

function* invisibles(marked: MarkedText): Generator<Edit> {
  for (const { 0: found, index: at } of marked.text.matchAll(invisible)) {
    if (marked.touches(at, at + found.length)) {
      yield { at, length: found.length, text: visibleText(found), what: 'invisible' };
    }
  }
}

function lengthAt(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0].length;
}

/**
 * Where `pattern` is found next at or after a position; positions must be asked in order, so the whole is
 * linear.
 */
function ahead(text: string, pattern: RegExp): (from: number) => number {
  let found = -1;
  return (from) => {
    if (found < from) {
      pattern.lastIndex = from;
      found = pattern.exec(text)?.index ?? text.length;
    }
    return found;
  };
}
