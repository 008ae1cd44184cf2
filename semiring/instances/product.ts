/**
 * The product of two semirings: both readings in one pass, each component on its own.
 *
 * Carrier: pairs. All operations by component; ∸ and δ where both have them.
 * Laws: those that both have, except "positive", which no product has: (a, 0) · (0, b) = (0, 0).
 */

import { type Growth, type Semiring, show } from '../contract/semiring.js';
import { tokenValue } from '../contract/token-value.js';
import { SemiringError } from '../message/error.js';

/** @throws SemiringError `semiring/mixed-reads` where one reads derivations and the other dependencies */
export function product<A, B>(a: Semiring<A>, b: Semiring<B>): Semiring<readonly [A, B]> {
  const reads = a.reads ?? 'derivation';
  if (reads !== (b.reads ?? 'derivation')) {
    throw new SemiringError(
      'semiring/mixed-reads',
      `${a.name} and ${b.name} read difference and grouping in two ways (${reads}, ${b.reads ?? 'derivation'}), so one pass cannot serve both; read them apart`,
    );
  }
  const both = (law: keyof NonNullable<typeof a.laws>): boolean =>
    a.laws?.[law] === true && b.laws?.[law] === true;
  return {
    name: `${a.name} × ${b.name}`,
    zero: [a.zero, b.zero],
    one: [a.one, b.one],
    plus: (x, y) => [a.plus(x[0], y[0]), b.plus(x[1], y[1])],
    times: (x, y) => [a.times(x[0], y[0]), b.times(x[1], y[1])],
    equals: (x, y) => a.equals(x[0], y[0]) && b.equals(x[1], y[1]),
    ...tokensOf(a, b),
    show: (x) => `(${show(a, x[0])}, ${show(b, x[1])})`,
    showWith: (x, naming) => `(${show(a, x[0], naming)}, ${show(b, x[1], naming)})`,
    contains: (value) =>
      Array.isArray(value) &&
      value.length === 2 &&
      (a.contains?.(value[0]) ?? true) &&
      (b.contains?.(value[1]) ?? true),
    laws: {
      plusIdempotent: both('plusIdempotent'),
      timesIdempotent: both('timesIdempotent'),
      absorptive: both('absorptive'),
      naturallyOrdered: both('naturallyOrdered'),
      timesDistributesOverMonus: both('timesDistributesOverMonus'),
    },
    // Called on their objects, which may be instances of a user's class.
    ...(a.monus && b.monus && { monus: (x, y) => [a.monus!(x[0], y[0]), b.monus!(x[1], y[1])] as const }),
    ...(a.delta && b.delta && { delta: (x) => [a.delta!(x[0]), b.delta!(x[1])] as const }),
    ...growthOf(a.growth, b.growth),
    reads,
  };
}

/** What a token is, where both sides say it or need not. */
function tokensOf<A, B>(
  a: Semiring<A>,
  b: Semiring<B>,
): Pick<Semiring<readonly [A, B]>, 'indeterminate' | 'ofLabel'> {
  if (a.ofLabel && b.ofLabel) return { ofLabel: (label) => [a.ofLabel!(label), b.ofLabel!(label)] };
  if (!a.indeterminate && !b.indeterminate) return {};
  const [left, right] = [tokenValue(a), tokenValue(b)];
  return left && right ? { indeterminate: (token) => [left(token), right(token)] } : {};
}

/** The parts of both sides together. */
function growthOf<A, B>(
  a: Growth<A> | undefined,
  b: Growth<B> | undefined,
): { readonly growth?: Growth<readonly [A, B]> } {
  if (a === undefined && b === undefined) return {};
  const product = a === undefined ? b?.product : b === undefined ? a.product : undefined;
  return {
    growth: {
      parts: a && b && a.parts !== b.parts ? `${a.parts} and ${b.parts}` : ((a ?? b)?.parts ?? ''),
      size: (x) => (a?.size(x[0]) ?? 0) + (b?.size(x[1]) ?? 0),
      ...(product && { product }),
    },
  };
}
