/**
 * Homomorphisms are values: a map together with its two semirings, so that a property test can hold
 * it to the laws and the engine can push it through a query.
 */
import type { Semiring } from './semiring.js';

/**
 * A semiring homomorphism h: A → B. Laws: h(0) = 0, h(1) = 1, h(a+b) = h(a)+h(b), h(a·b) = h(a)·h(b); where
 * `preservesMonus` is set also h(a ∸ b) = h(a) ∸ h(b), and where `preservesDelta` is set h(δ(a)) = δ(h(a)).
 */
export interface Homomorphism<A, B> {
  readonly name: string;
  readonly from: Semiring<A>;
  readonly to: Semiring<B>;
  apply(a: A): B;
  readonly preservesMonus?: boolean;
  readonly preservesDelta?: boolean;
}

/** g ∘ f */
export function compose<A, B, C>(g: Homomorphism<B, C>, f: Homomorphism<A, B>): Homomorphism<A, C> {
  return {
    name: `${g.name} ∘ ${f.name}`,
    from: f.from,
    to: g.to,
    apply: (a) => g.apply(f.apply(a)),
    preservesMonus: g.preservesMonus === true && f.preservesMonus === true,
    preservesDelta: g.preservesDelta === true && f.preservesDelta === true,
  };
}
