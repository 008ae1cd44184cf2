/**
 * Sums, products, multiples and powers in any semiring. A long sum is folded as a balanced tree, so that
 * set-like carriers cost n log n and not n².
 */
import type { Count } from './count.js';
import type { Semiring } from './semiring.js';

/** The sum of `values`; 0 where there are none. */
export function foldPlus<K>(semiring: Semiring<K>, values: Iterable<K>): K {
  return balanced(values, semiring.zero, (a, b) => semiring.plus(a, b));
}

/** The product of `values`; 1 where there are none. */
export function foldTimes<K>(semiring: Semiring<K>, values: Iterable<K>): K {
  return balanced(values, semiring.one, (a, b) => semiring.times(a, b));
}

/** n·a = a + … + a, by doubling. */
export function multiple<K>(semiring: Semiring<K>, n: Count, a: K): K {
  if (n === 1 || (semiring.laws?.plusIdempotent && n !== 0)) return a;
  return repeat(n, a, semiring.zero, (x, y) => semiring.plus(x, y));
}

/** a^n = a · … · a, by squaring. */
export function power<K>(semiring: Semiring<K>, a: K, n: number): K {
  if (n === 1 || (semiring.laws?.timesIdempotent && n !== 0)) return a;
  return repeat(n, a, semiring.one, (x, y) => semiring.times(x, y));
}

/** Adds like a binary counter: `pending[i]` is empty or the fold of 2^i values. */
function balanced<K>(values: Iterable<K>, neutral: K, join: (a: K, b: K) => K): K {
  const pending: { readonly weight: number; readonly value: K }[] = [];
  for (let value of values) {
    let weight = 1;
    while (pending.length > 0 && pending[pending.length - 1].weight === weight) {
      value = join(pending[pending.length - 1].value, value);
      pending.length--;
      weight *= 2;
    }
    pending.push({ weight, value });
  }
  if (pending.length === 0) return neutral;
  let result = pending[pending.length - 1].value;
  for (let i = pending.length - 2; i >= 0; i--) result = join(pending[i].value, result);
  return result;
}

function repeat<K>(n: Count, value: K, neutral: K, join: (a: K, b: K) => K): K {
  let rest = BigInt(n);
  if (rest === 0n) return neutral;
  let step = value;
  while ((rest & 1n) === 0n) {
    step = join(step, step);
    rest >>= 1n;
  }
  let result = step;
  rest >>= 1n;
  while (rest > 0n) {
    step = join(step, step);
    if ((rest & 1n) === 1n) result = join(result, step);
    rest >>= 1n;
  }
  return result;
}
