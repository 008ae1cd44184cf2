/**
 * What a tool answered, as plain data. Past this point a result is JSON, a copy that the tool no longer
 * holds; a tool whose result is anything else has failed.
 */

import { checkLabel } from '../semiring/label/check-label.js';
import type { Label } from '../semiring/label/label.js';
import { AssayError } from '../semiring/message/error.js';

/**
 * A result with a label that its server gave. It is joined with the policy's, so it can restrict and never
 * relax.
 */
export class LabelledResult {
  readonly value: unknown;
  readonly label: Label;

  /** @throws SemiringError `semiring/bad-label` */
  constructor(value: unknown, label: Label) {
    this.value = value;
    this.label = checkLabel(label, "the label of a tool's result");
  }
}

/** A failure whose text has a label that its server gave. */
export class LabelledFailure extends Error {
  readonly label: Label;

  /** @throws SemiringError `semiring/bad-label` */
  constructor(message: string, label: Label) {
    super(message);
    this.label = checkLabel(label, "the label of a tool's failure");
  }
}

/** Deeper results are refused: recursion must end, cycles included. */
export const deepestResult = 500;

/** How large a result may be. */
export interface PlainLimits {
  /** Items of lists and members of records, all together. */
  readonly items: number;
  /** How deep lists and records are nested; at most {@link deepestResult}. */
  readonly depth: number;
  /** Characters (UTF-16 units) of texts and keys, all together. */
  readonly characters: number;
}

/** What is still to be had of each limit while a result is copied. */
interface Left {
  items: number;
  characters: number;
  readonly limits: PlainLimits;
}

const unlimited: PlainLimits = { items: Infinity, depth: deepestResult, characters: Infinity };

/**
 * A copy of `value` as JSON would carry it: dates as text, members that are undefined left out.
 * @throws AssayError `udf/not-json`, `udf/too-large`; their wording is fixed, since it is shown and data must
 *   not choose it
 */
export function plainResult(value: unknown, limits: PlainLimits = unlimited): unknown {
  return copy(value, 0, { items: limits.items, characters: limits.characters, limits });
}

function copy(value: unknown, depth: number, left: Left): unknown {
  switch (typeof value) {
    case 'string':
      spend(left, 'characters', value.length);
      return value;
    case 'boolean':
      return value;
    case 'number':
      if (!Number.isFinite(value)) return refuse('a number that is not finite');
      return value === 0 ? 0 : value;
    case 'undefined':
      return null;
    case 'object':
      return value === null ? null : copyObject(value, depth + 1, left);
    default:
      return refuse(`a ${typeof value}`);
  }
}

function copyObject(value: object, depth: number, left: Left): unknown {
  const deepest = Math.min(left.limits.depth, deepestResult);
  if (depth > deepest) return refuse(`data nested deeper than ${deepest}`);
  if (Array.isArray(value)) {
    spend(left, 'items', value.length);
    return Array.from(value, (item) => copy(item, depth, left));
  }
  if ('toJSON' in value && typeof value.toJSON === 'function') return copy(value.toJSON(), depth, left);
  if (Object.prototype.toString.call(value) !== '[object Object]')
    return refuse('an object that is no record');
  // fromEntries defines own properties, so that a key `__proto__` stays a key.
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  spend(left, 'items', members.length);
  for (const [key] of members) spend(left, 'characters', key.length);
  return Object.fromEntries(members.map(([key, member]) => [key, copy(member, depth, left)]));
}

function spend(left: Left, what: 'items' | 'characters', amount: number): void {
  left[what] -= amount;
  if (left[what] >= 0) return;
  const most = left.limits[what].toLocaleString('en-US');
  throw new AssayError(
    'udf/too-large',
    `The tool's result was not taken: it has more than ${most} ${what}, which is the policy's limit.`,
  );
}

function refuse(what: string): never {
  throw new AssayError('udf/not-json', `The tool's result is not JSON: it holds ${what}.`);
}
