/**
 * Labels at the door. Whoever compares labels looks for `'U'` and `'T'` alone, so that a label with any other
 * word in it would let untrusted data through; every label that a caller hands over is checked here first.
 */
import { describeValue } from '../message/describe-value.js';
import { SemiringError } from '../message/error.js';
import { frozenReaders, type Label, type Readers } from './label.js';

/**
 * `value` as a label: a frozen copy, so that whoever still holds the original cannot widen it later.
 * @param place what is checked, as the beginning of a message: `the label of table "mail"`
 * @throws SemiringError `semiring/bad-label`, with the path and what would be right
 */
export function checkLabel(value: unknown, place = 'the label'): Label {
  if (typeof value !== 'object' || value === null) {
    throw badLabel(
      place,
      `must be an object such as { integrity: 'U', readers: 'everyone' }, not ${describeValue(value)}`,
    );
  }
  const { integrity, readers } = value as Partial<Record<keyof Label, unknown>>;
  if (integrity !== 'T' && integrity !== 'U') {
    const near =
      typeof integrity === 'string' && /^(?:t|u|trusted|untrusted)$/i.test(integrity)
        ? `; did you mean '${integrity[0].toUpperCase()}'?`
        : '';
    throw badLabel(
      `${place}: integrity`,
      `must be 'T' (trusted) or 'U' (untrusted), not ${describeValue(integrity)}${near}`,
    );
  }
  return Object.freeze({ integrity, readers: checkReaders(readers, `${place}: readers`) });
}

/**
 * `value` as readers: a frozen copy.
 * @throws SemiringError `semiring/bad-label`
 */
export function checkReaders(value: unknown, place = 'readers'): Readers {
  if (isReaders(value)) return frozenReaders(value);
  const right = "must be 'everyone' or a Set of names";
  if (value instanceof Set) {
    const [wrong] = [...value].filter((principal) => typeof principal !== 'string');
    throw badLabel(place, `${right}, and has ${describeValue(wrong)} in it`);
  }
  const instead =
    typeof value === 'string'
      ? `; for one reader give new Set([${JSON.stringify(value.slice(0, 40))}])`
      : Array.isArray(value)
        ? '; for a list give new Set(list)'
        : '';
  throw badLabel(place, `${right}, not ${describeValue(value)}${instead}`);
}

export function isReaders(value: unknown): value is Readers {
  if (value === 'everyone') return true;
  if (!(value instanceof Set)) return false;
  for (const principal of value) if (typeof principal !== 'string') return false;
  return true;
}

export function isLabel(value: unknown): value is Label {
  if (typeof value !== 'object' || value === null) return false;
  const { integrity, readers } = value as Partial<Record<keyof Label, unknown>>;
  return (integrity === 'T' || integrity === 'U') && isReaders(readers);
}

function badLabel(place: string, what: string): SemiringError {
  return new SemiringError('semiring/bad-label', `${place} ${what}`);
}
