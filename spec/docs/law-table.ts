/**
 * The laws that a semiring has and lacks, as it declares them; beside each that it lacks, values that break
 * it. What breaks a law is searched for, among values that the semiring makes of its own tokens' values.
 */
import type { Laws, Semiring } from '../../semiring/contract/semiring.js';
import { mayLaws } from '../semiring/laws.js';

export interface LawRow {
  readonly law: keyof Laws;
  readonly equation: string;
  readonly holds: boolean;
  /** Values of a, b and c for which the law fails; absent where it holds, or where the search finds none. */
  readonly brokenBy?: readonly unknown[];
}

/** Equation and number of its variables. */
const equations: readonly (readonly [law: keyof Laws, equation: string, variables: 1 | 2 | 3])[] = [
  ['plusIdempotent', 'a + a = a', 1],
  ['timesIdempotent', 'a · a = a', 1],
  ['absorptive', 'a + a · b = a', 2],
  ['positive', 'a + b = 0 or a · b = 0 only with a 0 in it', 2],
  ['naturallyOrdered', 'a + b + c = a only if a + b = a', 3],
  ['timesDistributesOverMonus', 'a · (b ∸ c) = a · b ∸ a · c', 3],
];

/** @param seeds values to look for counterexamples among, and to make more of */
export function lawTable<K>(semiring: Semiring<K>, seeds: readonly K[]): LawRow[] {
  const values = valuesFrom(semiring, seeds);
  const checks = mayLaws<K>();
  return equations
    .filter(([law]) => law !== 'timesDistributesOverMonus' || semiring.monus !== undefined)
    .map(([law, equation, variables]): LawRow => {
      if (semiring.laws?.[law] === true) return { law, equation, holds: true };
      const check = checks[law];
      const brokenBy = [...tuples(values, variables)].find(([a, b = a, c = a]) => !check(semiring, a, b, c));
      return { law, equation, holds: false, ...(brokenBy && { brokenBy }) };
    });
}

/** The seeds, then 0 and 1, then what one operation makes of the seeds; each value once. */
function valuesFrom<K>(semiring: Semiring<K>, seeds: readonly K[]): K[] {
  const candidates = [...seeds, semiring.zero, semiring.one];
  for (const a of seeds) {
    for (const b of seeds) {
      candidates.push(semiring.plus(a, b), semiring.times(a, b));
      if (semiring.monus) candidates.push(semiring.monus(a, b));
    }
  }
  const values: K[] = [];
  for (const value of candidates) {
    if (!values.some((known) => semiring.equals(known, value))) values.push(value);
  }
  return values.slice(0, 14);
}

function* tuples<K>(values: readonly K[], length: number): Generator<readonly K[]> {
  if (length === 0) return yield [];
  for (const rest of tuples(values, length - 1)) for (const value of values) yield [...rest, value];
}
