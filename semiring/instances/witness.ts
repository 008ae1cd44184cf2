/**
 * Witnesses: sets of tokens that together derive a row, and sets of them. Both are sorted arrays without
 * repetition, so equal values have equal arrays.
 */

/** Tokens by their numbers, in increasing order. */
export type Witness = readonly number[];

/** Witnesses in increasing lexicographic order (a prefix comes first). */
export type Witnesses = readonly Witness[];

export function compareWitnesses(a: Witness, b: Witness): number {
  const n = Math.min(a.length, b.length);
  for (let i = 0; i < n; i++) if (a[i] !== b[i]) return a[i] - b[i];
  return a.length - b.length;
}

/** Whether a value is a witness in canonical form. */
export function isWitness(value: unknown): value is Witness {
  if (!Array.isArray(value)) return false;
  let last = -1;
  for (const x of value) {
    if (!Number.isSafeInteger(x) || x <= last) return false;
    last = x;
  }
  return true;
}

/** Whether a value is a set of witnesses in canonical form. */
export function isWitnesses(value: unknown): value is Witnesses {
  if (!Array.isArray(value) || !value.every(isWitness)) return false;
  return value.every((w, i) => i === 0 || compareWitnesses(value[i - 1], w) < 0);
}

export function equalWitnesses(a: Witnesses, b: Witnesses): boolean {
  return a === b || (a.length === b.length && a.every((w, i) => compareWitnesses(w, b[i]) === 0));
}

/** a ∪ b, for token sets. Returns an argument where that is the answer. */
export function union(a: Witness, b: Witness): Witness {
  if (a.length === 0 || a === b) return b;
  if (b.length === 0) return a;
  const merged: number[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length && j < b.length) {
    const x = a[i];
    const y = b[j];
    merged.push(Math.min(x, y));
    if (x <= y) i++;
    if (y <= x) j++;
  }
  while (i < a.length) merged.push(a[i++]);
  while (j < b.length) merged.push(b[j++]);
  return merged;
}

/** a ⊆ b, for token sets. */
export function isSubset(a: Witness, b: Witness): boolean {
  if (a.length > b.length) return false;
  let j = 0;
  for (const x of a) {
    while (j < b.length && b[j] < x) j++;
    if (j === b.length || b[j] !== x) return false;
  }
  return true;
}

/** Brings any list of witnesses into canonical form, in place of the list given. */
export function witnessSet(witnesses: Witness[]): Witnesses {
  witnesses.sort(compareWitnesses);
  return witnesses.filter((w, i) => i === 0 || compareWitnesses(witnesses[i - 1], w) !== 0);
}

/** The unions of one witness from each side. */
export function pairwiseUnions(a: Witnesses, b: Witnesses): Witnesses {
  if (a.length === 1 && a[0].length === 0) return b;
  if (b.length === 1 && b[0].length === 0) return a;
  return witnessSet(a.flatMap((w) => b.map((v) => union(w, v))));
}

const plainName = (token: number): string => `x${token}`;

/** `{x1, x2}` @param limit how many tokens are shown; the rest is counted */
export function showWitness(w: Witness, nameOf = plainName, limit = w.length): string {
  const shown = w.slice(0, limit).map(nameOf);
  return `{${[...shown, ...hidden(w.length - shown.length, 'token', 'tokens')].join(', ')}}`;
}

/** `{{x1, x2}, {x3}}` @param limit how many witnesses, and tokens of each, are shown; the rest is counted */
export function showWitnesses(a: Witnesses, nameOf = plainName, limit?: number): string {
  const shown = a.slice(0, limit).map((w) => showWitness(w, nameOf, limit));
  return `{${[...shown, ...hidden(a.length - shown.length, 'witness', 'witnesses')].join(', ')}}`;
}

function hidden(count: number, one: string, many: string): string[] {
  return count > 0 ? [`… ${count.toLocaleString('en-US')} more ${count === 1 ? one : many}`] : [];
}
