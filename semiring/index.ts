/**
 * The algebra: semirings, lattices, polynomials, homomorphisms. Imports nothing else of assay.
 *
 * - `contract/`: what a semiring is and must satisfy, and its typed-array kernels
 * - `instances/`: the semirings themselves, one a file
 * - `polynomial/`: N[X] and its quotients, with formal δ and monus, and formulas
 * - `label/`: security labels, their lattices, and these as semirings
 * - `counting/`: probability and Shapley values, by knowledge compilation
 * - `message/`: errors, hints and text that is safe to print
 * - `registry.ts` (by name), `homomorphisms.ts` and `hierarchy.ts` (which reads from which)
 */

export { compose, type Homomorphism } from './contract/homomorphism.js';
export type { Kernel } from './contract/kernel.js';
export { kernelOf } from './contract/kernel-of.js';
export type { Masks } from './contract/mask-kernel.js';
export { type Laws, type Semiring, show } from './contract/semiring.js';
export type { CompileOptions } from './counting/knowledge-compilation.js';
export { probability } from './counting/probability.js';
export { shapley } from './counting/shapley.js';
export { hierarchy, type Rung } from './hierarchy.js';
export { evaluation, homomorphisms } from './homomorphisms.js';
export { accessControl } from './instances/access-control.js';
export { Bool } from './instances/boolean.js';
export { Fuzzy } from './instances/fuzzy.js';
export { Integers } from './instances/integers.js';
export { type HalfOpenInterval, type IntervalSet, Intervals, intervals } from './instances/intervals.js';
export { Lin, type Lineage } from './instances/lin.js';
export { Lukasiewicz } from './instances/lukasiewicz.js';
export { MaxPlus } from './instances/max-plus.js';
export { Natural } from './instances/natural.js';
export { minimalWitnesses, PosBool } from './instances/pos-bool.js';
export { product } from './instances/product.js';
export { Tropical } from './instances/tropical.js';
export { Viterbi } from './instances/viterbi.js';
export { Why, witness } from './instances/why.js';
export { showWitnesses, type Witness, type Witnesses } from './instances/witness.js';
export {
  bottom,
  equalLabels,
  type Integrity,
  joinIntegrity,
  joinLabels,
  joinReaders,
  type Label,
  labelAtMost,
  meetReaders,
  type Principal,
  type Readers,
  readersAtMost,
  showLabel,
  showReaders,
  top,
} from './label/label.js';
export {
  type Confidentiality,
  confidentialityLattice,
  integrityLattice,
  labelLattice,
  labelLatticeOver,
  readersLattice,
  readersLatticeOver,
} from './label/label-lattice.js';
export {
  alternativeConfidentiality,
  alternativeIntegrity,
  alternativeLabels,
  alternativeLabelsOver,
  alternativeReaders,
  conservativeConfidentiality,
  conservativeIntegrity,
  conservativeLabels,
  conservativeReaders,
  labelsOver,
} from './label/label-semiring.js';
export { type BoundedLattice, chainLattice, productLattice } from './label/lattice.js';
export { alternative, conservative } from './label/security.js';
export { AssayError, SemiringError } from './message/error.js';
export { BooleanPolynomials } from './polynomial/boolean-polynomial.js';
export { Formula, showFormula } from './polynomial/formula.js';
export type { Atom, DeltaAtom, Monomial, MonusAtom, Polynomial } from './polynomial/monomial.js';
export { evaluate, Polynomials, token } from './polynomial/polynomial.js';
export { type ShowPolynomialOptions, showPolynomial } from './polynomial/show-polynomial.js';
export { Sorp } from './polynomial/sorp.js';
export { Trio } from './polynomial/trio.js';
export { type RegisteredSemiring, semiringNamed, semirings } from './registry.js';
