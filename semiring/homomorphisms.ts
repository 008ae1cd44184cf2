/**
 * The homomorphisms between the provenance semirings (Green: Containment of conjunctive queries on annotated
 * relations, 2011), and those that a valuation of tokens gives. `preservesMonus` is set where it is true,
 * which is out of N[X], Trio and formulas, whose ∸ is formal, and hardly elsewhere.
 */

import type { Count } from './contract/count.js';
import { foldPlus, foldTimes } from './contract/fold.js';
import type { Homomorphism } from './contract/homomorphism.js';
import { requireIndeterminate } from './contract/require.js';
import type { Semiring } from './contract/semiring.js';
import { Bool } from './instances/boolean.js';
import { Integers } from './instances/integers.js';
import { Lin, type Lineage } from './instances/lin.js';
import { Natural } from './instances/natural.js';
import { minimalWitnesses, PosBool } from './instances/pos-bool.js';
import { Why } from './instances/why.js';
import type { Witness, Witnesses } from './instances/witness.js';
import type { BoundedLattice } from './label/lattice.js';
import { alternative, conservative } from './label/security.js';
import { BooleanPolynomials } from './polynomial/boolean-polynomial.js';
import { Formula, polynomialOf } from './polynomial/formula.js';
import type { Polynomial } from './polynomial/monomial.js';
import { evaluate, Polynomials } from './polynomial/polynomial.js';
import { absorb, Sorp } from './polynomial/sorp.js';
import { Trio } from './polynomial/trio.js';

/**
 * The universal homomorphism out of N[X] under a valuation; by default each token is its own indeterminate.
 */
export function evaluation<K>(
  to: Semiring<K>,
  valuation: (token: number) => K = requireIndeterminate(to, 'a reading of N[X] without a valuation'),
  name = `N[X] → ${to.name}`,
): Homomorphism<Polynomial, K> {
  return {
    name,
    from: Polynomials,
    to,
    apply: (p) => evaluate(p, to, valuation),
    preservesMonus: to.monus !== undefined,
    preservesDelta: to.delta !== undefined,
  };
}

/** The labels of a lineage, joined: the conservative reading of labels. */
export function lineageLabel<L>(
  lattice: BoundedLattice<L>,
  valuation: (token: number) => L,
): Homomorphism<Lineage, L | null> {
  const to = conservative(lattice);
  return {
    name: `Lin → ${to.name}`,
    from: Lin,
    to,
    apply: (a) => (a === null ? null : foldTimes(to, a.map(valuation))),
    preservesDelta: true,
  };
}

/** The meet over the witnesses of the join over each: the alternative reading of labels. */
export function witnessLabel<L>(
  lattice: BoundedLattice<L>,
  valuation: (token: number) => L,
): Homomorphism<Witnesses, L> {
  const to = alternative(lattice);
  return {
    name: `PosBool → ${to.name}`,
    from: PosBool,
    to,
    apply: (a) =>
      foldPlus(
        to,
        a.map((w) => foldTimes(to, w.map(valuation))),
      ),
    preservesDelta: true,
  };
}

export const polynomialsToBooleanPolynomials = evaluation(BooleanPolynomials);
export const polynomialsToTrio = evaluation(Trio);
export const polynomialsToWhy = evaluation(Why);
export const polynomialsToSorp = evaluation(Sorp);
export const polynomialsToPosBool = evaluation(PosBool);
export const polynomialsToLin = evaluation(Lin);
/** Every token once: the number of derivations. */
export const polynomialsToNatural = evaluation<Count>(Natural, () => 1);
/** Every token there: the support. */
export const polynomialsToBool = evaluation(Bool, () => true);

export const formulaToPolynomials: Homomorphism<Formula, Polynomial> = {
  name: 'formula → N[X]',
  from: Formula,
  to: Polynomials,
  apply: polynomialOf,
  preservesMonus: true,
  preservesDelta: true,
};

export const trioToWhy: Homomorphism<Polynomial, Witnesses> = {
  ...polynomialsToWhy,
  name: 'Trio → Why',
  from: Trio,
};

export const booleanPolynomialsToWhy: Homomorphism<Polynomial, Witnesses> = {
  name: 'B[X] → Why',
  from: BooleanPolynomials,
  to: Why,
  apply: polynomialsToWhy.apply,
  preservesDelta: true,
};

export const booleanPolynomialsToSorp: Homomorphism<Polynomial, Polynomial> = {
  name: 'B[X] → Sorp',
  from: BooleanPolynomials,
  to: Sorp,
  apply: absorb,
  preservesDelta: true,
};

export const whyToPosBool: Homomorphism<Witnesses, Witnesses> = {
  name: 'Why → PosBool',
  from: Why,
  to: PosBool,
  apply: minimalWitnesses,
  preservesDelta: true,
};

export const whyToLin: Homomorphism<Witnesses, Lineage> = {
  name: 'Why → Lin',
  from: Why,
  to: Lin,
  apply: (a) => (a.length === 0 ? null : unionOf(a)),
  preservesDelta: true,
};

export const sorpToPosBool: Homomorphism<Polynomial, Witnesses> = {
  name: 'Sorp → PosBool',
  from: Sorp,
  to: PosBool,
  apply: polynomialsToPosBool.apply,
  preservesDelta: true,
};

/** Every token there. */
export const posBoolToBool: Homomorphism<Witnesses, boolean> = {
  name: 'PosBool → Boolean',
  from: PosBool,
  to: Bool,
  apply: (a) => a.length > 0,
  preservesDelta: true,
};

export const linToBool: Homomorphism<Lineage, boolean> = {
  name: 'Lin → Boolean',
  from: Lin,
  to: Bool,
  apply: (a) => a !== null,
  preservesDelta: true,
};

/** The support: is there at least one. */
export const naturalToBool: Homomorphism<Count, boolean> = {
  name: 'N → Boolean',
  from: Natural,
  to: Bool,
  apply: (a) => a !== 0,
  preservesDelta: true,
};

export const naturalToIntegers: Homomorphism<Count, Count> = {
  name: 'N → Z',
  from: Natural,
  to: Integers,
  apply: (a) => a,
  preservesDelta: true,
};

function unionOf(witnesses: Witnesses): Witness {
  return [...new Set(witnesses.flat())].sort((a, b) => a - b);
}

/** All homomorphisms that need no valuation. Each one's own type is that of its named constant. */
export const homomorphisms: readonly Homomorphism<unknown, unknown>[] = [
  formulaToPolynomials,
  polynomialsToBooleanPolynomials,
  polynomialsToTrio,
  polynomialsToWhy,
  polynomialsToSorp,
  polynomialsToPosBool,
  polynomialsToLin,
  polynomialsToNatural,
  polynomialsToBool,
  trioToWhy,
  booleanPolynomialsToWhy,
  booleanPolynomialsToSorp,
  whyToPosBool,
  whyToLin,
  sorpToPosBool,
  posBoolToBool,
  linToBool,
  naturalToBool,
  naturalToIntegers,
];
