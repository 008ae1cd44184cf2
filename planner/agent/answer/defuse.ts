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
 * | `https&colon;//x`, `https：／／x`              | `https[&colon;]//x`…       |
 * | `[a](…`, `![a](…`, `[a]: …`                  | `[a] (…`, `[a] :…`         |
 * | `<img …`, `<https:…`                         | `&lt;img …`                |
 * | controls, bidirectional, zero-width, tags    | codes: `\u{202e}`          |
 *
 * What an address is, is the policy's own link check: a bare host name or mail address stays as it is.
 */
import { visibleText } from '../../../semiring/message/visible-text.js';
import { addressesIn } from '../decision/addresses.js';
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

function* addresses(marked: MarkedText): Generator<Edit> {
  const { text } = marked;
  const nextSpace = ahead(text, /[ \t\n\v\f\r]/g);
  for (const { from, at, end, host } of addressesIn(text)) {
    if (!marked.touches(from, nextSpace(at))) continue;
    yield {
      at,
      length: end - at,
      text: bracketed(text.slice(at, end), text[end]),
      what: 'address',
    };
    if (host) yield* dotsOfHost(text, slashes(text, end));
  }
}

/** The brackets must not become the text of a link. */
function bracketed(what: string, next: string | undefined): string {
  return next !== undefined && '([:'.includes(next) ? `[${what}] ` : `[${what}]`;
}

function slashes(text: string, from: number): number {
  let at = from;
  while (text[at] === '/') at += 1;
  return at;
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
