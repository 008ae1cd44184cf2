/**
 * What a caller hands to a reading, checked at the door: the semiring by its shape, values by its `contains`.
 * What goes wrong is named with the semiring, the token and the value, before any of it is computed with.
 */
import { describeValue } from '../message/describe-value.js';
import { SemiringError } from '../message/error.js';
import type { Semiring } from './semiring.js';

/** Whether the semiring can tell that `value` is none of its own. */
export function isOutside<K>(semiring: Semiring<K>, value: unknown): boolean {
  return semiring.contains !== undefined && !semiring.contains(value);
}

/**
 * The value that a valuation gives a token.
 * @param token undefined where it is the value of every token
 * @throws SemiringError `semiring/not-in-carrier`
 */
export function checkValue<K>(semiring: Semiring<K>, token: number | undefined, value: K): K {
  if (!isOutside(semiring, value)) return value;
  throw new SemiringError(
    'semiring/not-in-carrier',
    `the valuation gives ${token === undefined ? 'every token' : `token ${token}`} the value ${describeValue(value)}, which the semiring ${semiring.name} does not hold${instead(semiring, value)}`,
  );
}

/** A number that was given in another form: `3n` and `'3'` are 3. */
function instead<K>(semiring: Semiring<K>, value: unknown): string {
  if (typeof value !== 'bigint' && (typeof value !== 'string' || value.trim() === '')) return '';
  const number = Number(value);
  return !Number.isNaN(number) && !isOutside(semiring, number) ? `; give the number ${number}` : '';
}

/** A valuation whose answers are checked. A value that comes several times in a row is looked at once. */
export function checkedValuation<K>(
  semiring: Semiring<K>,
  valuation: (token: number) => K,
): (token: number) => K {
  if (semiring.contains === undefined) return valuation;
  let last: K | undefined;
  let isFirst = true;
  return (token) => {
    const value = valuation(token);
    if (isFirst || value !== last) {
      checkValue(semiring, token, value);
      last = value;
      isFirst = false;
    }
    return value;
  };
}

const operations = ['plus', 'times', 'equals'] as const;
const optional = [
  'indeterminate',
  'ofLabel',
  'show',
  'showWith',
  'parse',
  'contains',
  'monus',
  'delta',
] as const;
const loops = ['allocate', 'encode', 'decode', 'times', 'timesGather', 'sumBy', 'productBy'] as const;
const optionalLoops = ['monus', 'delta', 'exact'] as const;

/**
 * Refuses what is no semiring by its shape; that it keeps the laws nobody can see.
 * @throws SemiringError `semiring/not-a-semiring`, which names the member that is missing or wrong
 */
export function checkSemiring(semiring: unknown): void {
  if (typeof semiring !== 'object' || semiring === null) {
    const named = typeof semiring === 'string' ? '; semiringNamed(name).semiring is one by its name' : '';
    throw notASemiring(`a semiring must be an object, not ${describeValue(semiring)}${named}`);
  }
  const { name, zero, one, reads, kernel } = semiring as Partial<Semiring<unknown>>;
  if (typeof name !== 'string')
    throw notASemiring(`a semiring's name must be text, not ${describeValue(name)}`);
  const place = `the semiring ${JSON.stringify(name.slice(0, 64))}`;
  if (zero === undefined) throw notASemiring(`${place} has no zero`);
  if (one === undefined) throw notASemiring(`${place} has no one`);
  if (reads !== undefined && reads !== 'derivation' && reads !== 'dependency')
    throw notASemiring(`${place}: reads must be 'derivation' or 'dependency', not ${describeValue(reads)}`);
  checkFunctions(semiring, place, operations, optional);
  if (kernel === undefined) return;
  if (typeof kernel !== 'object' || kernel === null)
    throw notASemiring(`${place}: kernel must be an object, not ${describeValue(kernel)}`);
  checkFunctions(kernel, `${place}: kernel`, loops, optionalLoops);
  for (const member of ['zero', 'one'] as const) {
    if (typeof kernel[member] !== 'number')
      throw notASemiring(`${place}: kernel.${member} must be a number, not ${describeValue(kernel[member])}`);
  }
}

function checkFunctions(
  of: object,
  place: string,
  needed: readonly string[],
  optional: readonly string[],
): void {
  const members = of as { readonly [member: string]: unknown };
  for (const member of needed) {
    if (typeof members[member] === 'function') continue;
    throw notASemiring(
      `${place} has no function ${member}${members[member] === undefined ? '' : ` (it is ${describeValue(members[member])})`}`,
    );
  }
  for (const member of optional) {
    if (members[member] === undefined || typeof members[member] === 'function') continue;
    throw notASemiring(`${place}: ${member} must be a function, not ${describeValue(members[member])}`);
  }
}

function notASemiring(what: string): SemiringError {
  return new SemiringError('semiring/not-a-semiring', what);
}
