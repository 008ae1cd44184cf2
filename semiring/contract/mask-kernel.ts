/**
 * Kernels on bit masks, for semirings that are distributive lattices: loops written out because labels are
 * read on hot paths. Bottom is the mask 0, join is bitwise or, meet is bitwise and.
 */
import type { Kernel, Lanes } from './kernel.js';

/** Masks that stand for the values of a lattice. */
export interface Masks<L> {
  /** How many of the low bits are used, at most 32. */
  readonly width: number;
  /** A mask (as a signed 32-bit number) that no join or meet of masks can be; for the adjoined zero. */
  readonly unused?: number;
  /** The mask of a value, or NaN where it has none; 0 for bottom. join ↦ or, meet ↦ and. */
  encode(value: L): number;
  /** Whether `encode` does so for whatever value. Absent: not known; see `Kernel`. */
  readonly checksCarrier?: boolean;
  decode(mask: number): L;
}

/** + is meet, · is join, 0 is top, 1 is bottom; δ is the identity. */
export function meetJoinKernel<L>(masks: Masks<L>, top: L): Kernel<L> {
  return {
    allocate: (length) => new Int32Array(length),
    zero: masks.encode(top),
    one: 0,
    encode: (value) => masks.encode(value),
    checksCarrier: masks.checksCarrier ?? false,
    decode: (mask) => masks.decode(mask),
    times(out: Lanes, a: Lanes, b: Lanes, n: number) {
      for (let i = 0; i < n; i++) out[i] = a[i] | b[i];
    },
    timesGather(out: Lanes, a: Lanes, ia: Int32Array, b: Lanes, ib: Int32Array, n: number) {
      for (let i = 0; i < n; i++) {
        const x = ia[i];
        const y = ib[i];
        out[i] = (x < 0 ? 0 : a[x]) | (y < 0 ? 0 : b[y]);
      }
    },
    sumBy(out: Lanes, group: Int32Array, a: Lanes, n: number) {
      for (let i = 0; i < n; i++) out[group[i]] &= a[i];
    },
    productBy(out: Lanes, group: Int32Array, a: Lanes, n: number) {
      for (let i = 0; i < n; i++) out[group[i]] |= a[i];
    },
    delta(out: Lanes, a: Lanes, n: number) {
      for (let i = 0; i < n; i++) out[i] = a[i];
    },
  };
}

/** + and · are join, with a zero adjoined (`null`); undefined where no mask is left to stand for it. */
export function joinKernel<L>(masks: Masks<L>): Kernel<L | null> | undefined {
  const absent = masks.unused ?? (masks.width < 32 ? 1 << 31 : undefined);
  if (absent === undefined) return undefined;
  return {
    allocate: (length) => new Int32Array(length),
    zero: absent,
    one: 0,
    encode: (value) => (value === null ? absent : masks.encode(value)),
    checksCarrier: masks.checksCarrier ?? false,
    decode: (mask) => (mask === absent ? null : masks.decode(mask)),
    times(out: Lanes, a: Lanes, b: Lanes, n: number) {
      for (let i = 0; i < n; i++) {
        out[i] = a[i] === absent || b[i] === absent ? absent : a[i] | b[i];
      }
    },
    timesGather(out: Lanes, a: Lanes, ia: Int32Array, b: Lanes, ib: Int32Array, n: number) {
      for (let i = 0; i < n; i++) {
        const x = ia[i] < 0 ? 0 : a[ia[i]];
        const y = ib[i] < 0 ? 0 : b[ib[i]];
        out[i] = x === absent || y === absent ? absent : x | y;
      }
    },
    sumBy(out: Lanes, group: Int32Array, a: Lanes, n: number) {
      for (let i = 0; i < n; i++) {
        if (a[i] === absent) continue;
        const g = group[i];
        out[g] = out[g] === absent ? a[i] : out[g] | a[i];
      }
    },
    productBy(out: Lanes, group: Int32Array, a: Lanes, n: number) {
      for (let i = 0; i < n; i++) {
        const g = group[i];
        out[g] = out[g] === absent || a[i] === absent ? absent : out[g] | a[i];
      }
    },
    delta(out: Lanes, a: Lanes, n: number) {
      for (let i = 0; i < n; i++) out[i] = a[i];
    },
  };
}
