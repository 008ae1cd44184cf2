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
const deepest = 500;

/**
 * A copy of `value` as JSON would carry it: dates as text, members that are undefined left out.
 * @throws AssayError `udf/not-json`; its wording is fixed, since it is shown and data must not choose it
 */
export function plainResult(value: unknown): unknown {
  return copy(value, 0);
}

function copy(value: unknown, depth: number): unknown {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'number':
      if (!Number.isFinite(value)) return refuse('a number that is not finite');
      return value === 0 ? 0 : value;
    case 'undefined':
      return null;
    case 'object':
      return value === null ? null : copyObject(value, depth + 1);
    default:
      return refuse(`a ${typeof value}`);
  }
}

function copyObject(value: object, depth: number): unknown {
  if (depth > deepest) return refuse(`data nested deeper than ${deepest}`);
  if (Array.isArray(value)) return Array.from(value, (item) => copy(item, depth));
  if ('toJSON' in value && typeof value.toJSON === 'function') return copy(value.toJSON(), depth);
  if (Object.prototype.toString.call(value) !== '[object Object]')
    return refuse('an object that is no record');
  // fromEntries defines own properties, so that a key `__proto__` stays a key.
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(members.map(([key, member]) => [key, copy(member, depth)]));
}

function refuse(what: string): never {
  throw new AssayError('udf/not-json', `The tool's result is not JSON: it holds ${what}.`);
}
