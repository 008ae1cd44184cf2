/**
 * Intervals: when a row is valid (as in temporal K-relations: Dignös, Glavic, Niu, Böhlen, Gamper, VLDB 2019,
 * Boolean case).
 *
 * Carrier: finite unions of half-open intervals [from, to) of numbers, kept disjoint, not touching and in
 * order; ±∞ allowed. 0: {}, 1: [-∞, ∞), +: union, ·: intersection. a ∸ b: set difference. δ: identity. Laws:
 * a Boolean algebra: + and · idempotent, absorptive, naturally ordered (by inclusion), · distributes over ∸.
 * Not positive: [1, 2) · [3, 4) = {}. Exact: bounds are only compared.
 */

import type { Semiring } from '../contract/semiring.js';
import { SemiringError } from '../message/error.js';

/** [from, to) with from < to. */
export type HalfOpenInterval = readonly [from: number, to: number];

/** Disjoint, not touching, in increasing order. */
export type IntervalSet = readonly HalfOpenInterval[];

/**
 * The union of any intervals.
 * @throws SemiringError `semiring/bad-interval` where from < to does not hold
 */
export function intervals(...pairs: HalfOpenInterval[]): IntervalSet {
  for (const [from, to] of pairs) {
    if (!(from < to)) {
      throw new SemiringError(
        'semiring/bad-interval',
        `[${from}, ${to}) is empty; an interval needs from < to`,
      );
    }
  }
  return merge(pairs);
}

function merge(pairs: readonly HalfOpenInterval[]): IntervalSet {
  const sorted = [...pairs].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const merged: HalfOpenInterval[] = [];
  for (const [from, to] of sorted) {
    const last = merged[merged.length - 1];
    if (last && from <= last[1]) merged[merged.length - 1] = [last[0], Math.max(last[1], to)];
    else merged.push([from, to]);
  }
  return merged;
}

function intersection(a: IntervalSet, b: IntervalSet): IntervalSet {
  const both: HalfOpenInterval[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length && j < b.length) {
    const from = Math.max(a[i][0], b[j][0]);
    const to = Math.min(a[i][1], b[j][1]);
    if (from < to) both.push([from, to]);
    if (a[i][1] < b[j][1]) i++;
    else j++;
  }
  return both;
}

function complement(a: IntervalSet): IntervalSet {
  const bounds = [Number.NEGATIVE_INFINITY, ...a.flat(), Number.POSITIVE_INFINITY];
  const gaps: HalfOpenInterval[] = [];
  for (let i = 0; i < bounds.length; i += 2) {
    if (bounds[i] < bounds[i + 1]) gaps.push([bounds[i], bounds[i + 1]]);
  }
  return gaps;
}

function showBound(bound: number): string {
  if (Number.isFinite(bound)) return String(bound);
  return bound < 0 ? '-∞' : '∞';
}

function contains(value: unknown): boolean {
  if (!Array.isArray(value)) return false;
  let end = Number.NaN;
  for (const pair of value) {
    if (!Array.isArray(pair) || pair.length !== 2 || pair[0] <= end || !(pair[0] < pair[1])) return false;
    end = pair[1];
  }
  return value.flat().every((bound) => typeof bound === 'number');
}

export const Intervals: Semiring<IntervalSet> = {
  name: 'intervals',
  zero: [],
  one: [[Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]],
  plus: (a, b) => (a.length === 0 ? b : b.length === 0 ? a : merge([...a, ...b])),
  times: intersection,
  equals: (a, b) => a.length === b.length && a.every(([from, to], i) => from === b[i][0] && to === b[i][1]),
  show: (a) =>
    a.length === 0 ? '{}' : a.map(([from, to]) => `[${showBound(from)}, ${showBound(to)})`).join(' ∪ '),
  contains,
  laws: {
    plusIdempotent: true,
    timesIdempotent: true,
    absorptive: true,
    naturallyOrdered: true,
    timesDistributesOverMonus: true,
  },
  monus: (a, b) => intersection(a, complement(b)),
  delta: (a) => a,
};
