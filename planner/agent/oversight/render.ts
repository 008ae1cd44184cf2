/**
 * What a human sees of a request, as plain lines. Three kinds of line that cannot be taken for one another.
 * Frame lines start with a corner or a branch, assay's own words with `│ ` and a letter, and whatever may
 * hold data with the gutter `│ ┊ `, wrapped to the width, in visible characters only. So no data, whatever it
 * is, can make a line that looks like the guard's.
 */

import type { Label } from '../../../semiring/label/label.js';
import { displayWidth, shorten, visibleText, wrap } from '../../../semiring/message/visible-text.js';
import { canonical } from './canonical.js';
import type { ApprovalRequest, Copy, Evidence, LabelledValue, ValueOrigin } from './request.js';

/** Longer values are folded: beginning and end, with length and hash between. */
const linesOfAValue = 16;
const linesOfItsEnd = 4;
/** Of origins, copies, readers: more are counted, not shown. */
const itemsOfAList = 12;
const depthOfAProof = 6;

/** @param width columns, at least 40 */
export function renderRequest(request: ApprovalRequest, width = 80): string {
  return new Screen(Math.max(40, Math.floor(width) || 0)).request(request);
}

class Screen {
  readonly #lines: string[] = [];
  readonly #width: number;

  constructor(width: number) {
    this.#width = width;
  }

  request({ id, subject, evidence, digest }: ApprovalRequest): string {
    if (subject.kind === 'call') {
      this.#frame('┌', `${isPlain(id) ? id : 'request'}: may this one call go through?`);
      this.#named('tool', subject.tool);
      this.#own(`the call itself is ${integrity(subject.label)}`);
      this.#list(
        'why you are asked',
        [...(evidence.reasons ?? []), ...subject.violations].filter(isFirst),
        (reason) => reason,
      );
      for (const argument of subject.arguments) this.#value('argument', argument, evidence);
      if (subject.arguments.length === 0) this.#own('no arguments');
    } else {
      this.#frame('┌', `${isPlain(id) ? id : 'request'}: do you certify this content as trusted?`);
      this.#own('the agent will read it and may act on what it says');
      this.#list('why you are asked', evidence.reasons ?? [], (reason) => reason);
      for (const variable of subject.variables) this.#value('variable', variable, evidence);
    }
    this.#alternatives(evidence);
    this.#named('session', subject.session);
    this.#named('call', subject.call);
    this.#own(`request ${digest.slice(0, 16)}`);
    this.#frame('└', 'the default answer is no');
    return `${this.#lines.join('\n')}\n`;
  }

  #value(what: string, { name, value, label }: LabelledValue, evidence: Evidence): void {
    this.#frame('├', isPlain(name) ? `${what} ${name}` : what);
    if (!isPlain(name)) this.#named('name', name);
    this.#own(`${kindOf(value)}, ${integrity(label)}, ${readable(label)}`);
    this.#data(typeof value === 'string' ? value : canonical(value));
    if (label.readers !== 'everyone')
      this.#list('may be read by', [...label.readers].sort(), (reader) => reader);
    const origins = evidence.origins?.get(name) ?? [];
    if (origins.length > 0) {
      this.#own('where it came from');
      for (const line of proof(origins, '', depthOfAProof)) this.#data(line, 3);
    }
    this.#list('copied from', evidence.copies?.get(name) ?? [], copyLine);
  }

  #alternatives(evidence: Evidence): void {
    const alternatives = [...(evidence.alternatives ?? [])].sort((a, b) => a.price - b.price);
    if (alternatives.length === 0) return;
    this.#frame('├', 'cheaper ways for the agent');
    for (const { way, price } of alternatives.slice(0, itemsOfAList)) {
      this.#own(price === 0 ? 'asks nobody' : `asks ${price} ${price === 1 ? 'time' : 'times'}`);
      this.#data(way, 3);
    }
  }

  #list<T>(title: string, items: readonly T[], line: (item: T) => string): void {
    if (items.length === 0) return;
    this.#own(title);
    for (const item of items.slice(0, itemsOfAList)) this.#data(line(item), 3);
    if (items.length > itemsOfAList) this.#own(`and ${items.length - itemsOfAList} more`);
  }

  #frame(corner: string, title: string): void {
    const line = `${corner}─ ${title} `;
    this.#lines.push(line + '─'.repeat(Math.max(1, this.#width - displayWidth(line))));
  }

  /** Words of this program: no data, not even escaped. */
  #own(text: string): void {
    this.#lines.push(`│ ${text}`);
  }

  /** A name goes beside its title where it is a plain word, else it is data like any other. */
  #named(title: string, name: string): void {
    this.#own(isPlain(name) ? `${title} ${name}` : title);
    if (!isPlain(name)) this.#data(name);
  }

  /** Anything else. */
  #data(text: string, most = linesOfAValue): void {
    const room = this.#width - 4;
    // Every character takes at least a quarter of a column: what lies beyond this can only be folded away.
    const reach = (most + 1) * room * 5;
    const whole = text.length <= 2 * reach;
    const lines = wrap(visibleText(whole ? text : text.slice(0, reach), { newlines: 'keep' }), room);
    if (whole && lines.length <= most) {
      for (const line of lines) this.#lines.push(`│ ┊ ${line}`);
      return;
    }
    const tail = Math.min(linesOfItsEnd, most >> 1);
    const ending = whole ? lines : wrap(visibleText(text.slice(-reach), { newlines: 'keep' }), room);
    for (const line of lines.slice(0, most - tail)) this.#lines.push(`│ ┊ ${line}`);
    this.#own(shorten(text, 0, { hash: true }).replace(/^… \((.*)\)$/, 'folded: $1'));
    for (const line of ending.slice(-tail)) this.#lines.push(`│ ┊ ${line}`);
  }
}

function isFirst<T>(item: T, index: number, all: readonly T[]): boolean {
  return all.indexOf(item) === index;
}

function integrity(label: Label): string {
  return label.integrity === 'T' ? 'trusted' : 'untrusted';
}

function readable(label: Label): string {
  if (label.readers === 'everyone') return 'for everyone to read';
  const count = label.readers.size;
  return count === 0 ? 'for nobody but you to read' : `for ${count} ${count === 1 ? 'reader' : 'readers'}`;
}

function describe({ what, label, detail }: ValueOrigin): string {
  return [what, integrity(label), ...(detail === undefined ? [] : [detail])].join(', ');
}

function* proof(origins: readonly ValueOrigin[], indent: string, depth: number): Generator<string> {
  for (const origin of origins.slice(0, itemsOfAList)) {
    yield `${indent}${oneLine(describe(origin))}`;
    const from = origin.from ?? [];
    if (from.length === 0) continue;
    if (depth > 1) yield* proof(from, `${indent}  `, depth - 1);
    else yield `${indent}  from ${from.length} more`;
  }
  if (origins.length > itemsOfAList) yield `${indent}and ${origins.length - itemsOfAList} more`;
}

function copyLine({ text, from }: Copy): string {
  return `“${shorten(text, 60, { hash: true })}” stands in ${oneLine(describe(from))}`;
}

/** A line feed inside a name would make a second line of a tree. */
function oneLine(text: string): string {
  return text.replaceAll('\n', ' ');
}

/** Words that may stand in a line of this program's own: no space, so they say nothing. */
function isPlain(name: string): boolean {
  return /^[A-Za-z0-9_.#-]{1,40}$/.test(name);
}

function kindOf(value: unknown): string {
  if (typeof value === 'string') return 'text';
  if (Array.isArray(value)) return 'list';
  return value === null ? 'null' : typeof value;
}
