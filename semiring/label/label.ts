/**
 * Security labels: integrity {T below U} paired with a set of readers. A label that is higher in the lattice
 * may do less. Join is the label of data made from both; bottom is trusted and public.
 */

/** Who may read or receive something: compared as exact strings, never normalised. */
export type Principal = string;

/** `T` trusted, `U` untrusted; T ⊑ U. */
export type Integrity = 'T' | 'U';

/** A set of principals, or everyone. Fewer readers are higher: join is intersection, bottom is everyone. */
export type Readers = 'everyone' | ReadonlySet<Principal>;

export interface Label {
  readonly integrity: Integrity;
  readonly readers: Readers;
}

/**
 * A copy whose methods that change a set throw, since `Object.freeze` leaves a set's content open. What goes
 * round the set's own methods is not stopped.
 */
export function frozenReaders(readers: Readers): Readers {
  if (readers === 'everyone' || Object.isFrozen(readers)) return readers;
  const own = new Set(readers);
  for (const method of ['add', 'delete', 'clear']) {
    Object.defineProperty(own, method, { value: refuseChange });
  }
  return Object.freeze(own);
}

function refuseChange(): never {
  throw new TypeError('the readers of a label do not change: make a new label');
}

const nobody = frozenReaders(new Set());

/** (T, everyone) */
export const bottom: Label = Object.freeze({ integrity: 'T', readers: 'everyone' });
/** (U, nobody) */
export const top: Label = Object.freeze({ integrity: 'U', readers: nobody });

export function joinIntegrity(a: Integrity, b: Integrity): Integrity {
  return a === 'U' ? a : b;
}

/** Intersection. Returns an argument where that is the answer. */
export function joinReaders(a: Readers, b: Readers): Readers {
  if (a === 'everyone' || a === b) return b;
  if (b === 'everyone') return a;
  const [small, large] = a.size <= b.size ? [a, b] : [b, a];
  const both = [...small].filter((principal) => large.has(principal));
  return both.length === small.size ? small : new Set(both);
}

/** Union. */
export function meetReaders(a: Readers, b: Readers): Readers {
  if (a === 'everyone' || b === 'everyone') return 'everyone';
  return new Set([...a, ...b]);
}

export function joinLabels(a: Label, b: Label): Label {
  const integrity = joinIntegrity(a.integrity, b.integrity);
  const readers = joinReaders(a.readers, b.readers);
  if (integrity === a.integrity && readers === a.readers) return a;
  if (integrity === b.integrity && readers === b.readers) return b;
  return { integrity, readers };
}

/** a ⊑ b for readers: everyone in b is in a. */
export function readersAtMost(a: Readers, b: Readers): boolean {
  if (a === 'everyone') return true;
  if (b === 'everyone') return false;
  for (const principal of b) if (!a.has(principal)) return false;
  return true;
}

/** a ⊑ b: what holds label a may flow to where b is allowed. */
export function labelAtMost(a: Label, b: Label): boolean {
  return (a.integrity === 'T' || b.integrity === 'U') && readersAtMost(a.readers, b.readers);
}

export function equalLabels(a: Label, b: Label): boolean {
  return labelAtMost(a, b) && labelAtMost(b, a);
}

/** `T everyone`, `U {alice, bob}`; principals in order of code units. Not made safe for a terminal. */
export function showLabel(label: Label): string {
  return `${label.integrity} ${showReaders(label.readers)}`;
}

export function showReaders(readers: Readers): string {
  return readers === 'everyone' ? readers : `{${[...readers].sort().join(', ')}}`;
}
