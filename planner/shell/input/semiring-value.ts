/**
 * A value of a semiring from what a person writes: `3`, `0.5`, `true`, `secret`, `[[0, 10]]`, `T everyone`,
 * `U {alice, bob}`.
 */
import type { Label, Semiring } from '../../../semiring/index.js';
import { ShellError } from '../shell-error.js';

/** @throws ShellError `shell/value` */
export function semiringValue(semiring: Semiring<unknown>, text: string, offset: number): unknown {
  for (const candidate of candidates(semiring, text)) {
    if (semiring.contains?.(candidate)) return candidate;
  }
  throw new ShellError(
    'shell/value',
    `${JSON.stringify(text.slice(0, 64))} is no value of ${semiring.name}`,
    {
      offset,
      hint: !semiring.indeterminate
        ? 'numbers as 3 or 0.5, truth as true or false, clearances by name, intervals as [[0, 10]]'
        : `tokens of ${semiring.name} stand for themselves`,
    },
  );
}

function* candidates(semiring: Semiring<unknown>, text: string): Iterable<unknown> {
  const parsed = semiring.parse?.(text);
  if (parsed !== undefined) yield parsed;
  yield text;
  if (/^[+-]?\d{16,400}$/.test(text)) yield BigInt(text);
  if (/^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(text)) yield Number(text);
  if (/^(?:\+?inf(?:inity)?|∞)$/i.test(text)) yield Number.POSITIVE_INFINITY;
  if (/^-(?:inf(?:inity)?|∞)$/i.test(text)) yield Number.NEGATIVE_INFINITY;
  try {
    yield JSON.parse(text) as unknown;
  } catch {
    // Not JSON: one of the other forms.
  }
}

/**
 * A label in words: `trusted` or `T`, `untrusted` or `U`; then who may read: `everyone` or `public` (default
 * for trusted), `nobody`, or names parted by commas or blanks, in braces or not.
 * @throws ShellError `shell/label`
 */
export function labelFrom(text: string, offset: number): Label {
  const [, first, rest = ''] = /^(\S+)\s*(.*)$/s.exec(text.trim()) ?? [];
  const integrity = /^(?:t|trusted)$/i.test(first ?? '')
    ? 'T'
    : /^(?:u|untrusted)$/i.test(first ?? '')
      ? 'U'
      : undefined;
  if (integrity === undefined) {
    throw new ShellError('shell/label', 'a label begins with trusted (T) or untrusted (U)', {
      offset,
      hint: 'trusted everyone, untrusted {alice, bob}, untrusted nobody',
    });
  }
  const names = rest
    .replace(/^\{(.*)\}$/s, '$1')
    .split(/[\s,]+/)
    .filter((name) => name !== '');
  if (names.length === 0 && rest.trim() === '') return { integrity, readers: 'everyone' };
  if (names.length === 1 && /^(?:everyone|public)$/i.test(names[0]))
    return { integrity, readers: 'everyone' };
  if (names.length === 1 && /^nobody$/i.test(names[0])) return { integrity, readers: new Set() };
  return { integrity, readers: new Set(names) };
}
