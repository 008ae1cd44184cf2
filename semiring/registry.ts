/**
 * The semirings by name, with what a person needs to choose one: for the REPL and the docs. The names are the
 * semirings' own `name`; access control and product are made by functions and stand here with an example.
 */

import { requireIndeterminate } from './contract/require.js';
import type { Semiring } from './contract/semiring.js';
import { tokenValue } from './contract/token-value.js';
import { accessControl } from './instances/access-control.js';
import { Bool } from './instances/boolean.js';
import { Fuzzy } from './instances/fuzzy.js';
import { Integers } from './instances/integers.js';
import { Intervals } from './instances/intervals.js';
import { Lin } from './instances/lin.js';
import { Lukasiewicz } from './instances/lukasiewicz.js';
import { MaxPlus } from './instances/max-plus.js';
import { Natural } from './instances/natural.js';
import { PosBool } from './instances/pos-bool.js';
import { Tropical } from './instances/tropical.js';
import { Viterbi } from './instances/viterbi.js';
import { Why } from './instances/why.js';
import {
  alternativeConfidentiality,
  alternativeIntegrity,
  alternativeLabels,
  alternativeReaders,
  conservativeConfidentiality,
  conservativeIntegrity,
  conservativeLabels,
  conservativeReaders,
} from './label/label-semiring.js';
import { SemiringError } from './message/error.js';
import { nearestName } from './message/nearest.js';
import { BooleanPolynomials } from './polynomial/boolean-polynomial.js';
import { Formula } from './polynomial/formula.js';
import { Polynomials } from './polynomial/polynomial.js';
import { Sorp } from './polynomial/sorp.js';
import { Trio } from './polynomial/trio.js';

/**
 * A semiring with its documentation. Values of `K` are unknown here; each semiring's own constant is typed.
 */
export interface RegisteredSemiring {
  readonly semiring: Semiring<unknown>;
  /** What a reading in it tells, in a few words. */
  readonly reads: string;
  /** One paragraph: carrier, operations, laws. */
  readonly doc: string;
  /** A valuation to start from: the value of a token where the user gives none. */
  readonly valuation: (token: number) => unknown;
  /** The valuation in words. */
  readonly example: string;
}

/** @param valuation where it is more telling than what a token is worth by itself */
function entry<K>(
  semiring: Semiring<K>,
  reads: string,
  doc: string,
  example: string,
  valuation = tokenValue(semiring) ?? requireIndeterminate(semiring, 'the registry'),
): [string, RegisteredSemiring] {
  return [semiring.name, { semiring, reads, doc, valuation, example }];
}

const labelDoc = {
  conservative:
    'Both + and · are join, and null stands for "not there": the label of all that was used, as in classic label propagation. Idempotent, positive, not absorptive. Reads dependencies: difference and grouping take in all that was looked at.',
  alternative:
    '+ is meet and · is join: where a row has several derivations, what all of them are at least. Never more restrictive than the conservative reading. Idempotent, absorptive. Reads dependencies.',
};

/** By name, in the order of a catalogue: provenance first, then counts, costs, confidence, security. */
export const semirings: ReadonlyMap<string, RegisteredSemiring> = new Map([
  entry(
    Polynomials,
    'how: every derivation, with what it used and how often',
    'Polynomials over tokens with natural coefficients; + is alternative, · is joint use. The universal reading: all others follow from it. Difference and grouping are kept as formal ∸ and δ. Positive, naturally ordered, not idempotent.',
    'each token is itself',
  ),
  entry(
    BooleanPolynomials,
    'how, without counting equal derivations',
    'Sets of monomials: polynomials with 1 + 1 = 1. ∸ is set difference. + idempotent, not absorptive.',
    'each token is itself',
  ),
  entry(
    Trio,
    'which sets of tokens, and in how many ways',
    'Polynomials with x·x = x for tokens: bags of witnesses. Difference and grouping are kept as formal ∸ and δ. Not idempotent.',
    'each token is itself',
  ),
  entry(
    Sorp,
    'the derivations that no other derivation is part of, with exponents',
    'Sets of monomials none of which divides another: polynomials with 1 + a = 1. ∸ keeps the monomials that none on the right divides. Absorptive: the universal reading for costs and confidences.',
    'each token is itself',
  ),
  entry(
    Why,
    'why: the sets of tokens that derive the row',
    'Sets of witnesses; + is union, · unites pairwise, ∸ is set difference. + idempotent, not absorptive.',
    'each token is its own witness, {{x}}',
  ),
  entry(
    PosBool,
    'the minimal witnesses',
    'Positive Boolean expressions as minimal witnesses; + is or, · is and; ∸ keeps the witnesses that do not satisfy the right side. + and · idempotent, absorptive.',
    'each token is its own witness, {{x}}',
  ),
  entry(
    Lin,
    'which inputs the row comes from at all',
    'Token sets, and null for "not there"; + and · are union. + and · idempotent, not absorptive.',
    'each token is its own set, {x}',
  ),
  entry(
    Formula,
    'the expression as the query built it',
    'Expressions over tokens; two are equal where their polynomials are. Difference and grouping are formal. For reading, not for computing with.',
    'each token is itself',
  ),
  entry(
    Bool,
    'is the row there',
    'false and true; + is or, · is and, ∸ is "and not". All laws hold.',
    'every token is there; give false to delete a row',
  ),
  entry(
    Natural,
    'how often the row is there',
    'Natural numbers of any size, exact; the usual + and ·; a ∸ b is a - b, or 0 where that is negative. Positive, naturally ordered, not idempotent.',
    'every token once; give a number for its multiplicity',
  ),
  entry(
    Integers,
    'changes: how often added, less how often deleted',
    'Whole numbers of any sign and size, exact. A ring, so there is no monus, and difference is refused. Not positive, not naturally ordered.',
    'every token added once; give -1 for a deletion',
  ),
  entry(
    Tropical,
    'the least cost of a derivation; the fewest human interventions',
    'Numbers from 0 to ∞; + is min, · adds costs, 0 is ∞, 1 is 0. Absorptive, · not idempotent.',
    'every token costs 1; give 0 for what is free',
    () => 1,
  ),
  entry(
    MaxPlus,
    'the greatest gain of a derivation',
    'Numbers and -∞; + is max, · adds gains. + idempotent, not absorptive.',
    'every token gains 1',
    () => 1,
  ),
  entry(
    Viterbi,
    'the probability of the likeliest derivation',
    'Numbers from 0 to 1; + is max, · multiplies. Absorptive, · not idempotent. Doubles round. For the probability of the row itself see probability().',
    'every token has probability 0.5',
    () => 0.5,
  ),
  entry(
    Fuzzy,
    'how sure: the weakest link of the best derivation',
    'Numbers from 0 to 1; + is max, · is min. + and · idempotent, absorptive, exact.',
    'every token has confidence 0.5',
    () => 0.5,
  ),
  entry(
    Lukasiewicz,
    'how sure, where doubts add up',
    'Numbers from 0 to 1; + is max, a·b is a + b - 1, or 0 where that is negative. Absorptive; not positive.',
    'every token has confidence 0.5',
    () => 0.5,
  ),
  entry(
    accessControl(['public', 'confidential', 'secret', 'top secret']),
    'the clearance that is needed to see the row',
    "The levels of a chain and '0' for what nobody sees; + is the less restricted, · the more restricted. + and · idempotent, absorptive. accessControl(levels) makes one over your own levels; this one has public, confidential, secret, top secret.",
    'every token is public',
  ),
  entry(
    Intervals,
    'when the row is valid',
    'Sets of disjoint half-open intervals; + is union, · is intersection, ∸ is difference: a Boolean algebra. Not positive.',
    'every token is valid always; give [[from, to]]',
  ),
  entry(
    conservativeIntegrity,
    'may an agent act on it: trusted or not',
    `T (trusted) below U. ${labelDoc.conservative}`,
    'every token is untrusted, U',
  ),
  entry(
    alternativeIntegrity,
    'is there a derivation from trusted data alone',
    `T (trusted) below U. ${labelDoc.alternative}`,
    'every token is untrusted, U',
  ),
  entry(
    conservativeConfidentiality,
    'is anything secret in it',
    `L (public) below H. ${labelDoc.conservative}`,
    'every token is secret, H',
  ),
  entry(
    alternativeConfidentiality,
    'is there a derivation from public data alone',
    `L (public) below H. ${labelDoc.alternative}`,
    'every token is secret, H',
  ),
  entry(
    conservativeReaders,
    'who may see it',
    `Sets of principals, or everyone; join is intersection. ${labelDoc.conservative}`,
    'nobody may read any token',
  ),
  entry(
    alternativeReaders,
    'who may see all that one derivation needs',
    `Sets of principals, or everyone; join is intersection. ${labelDoc.alternative}`,
    'nobody may read any token',
  ),
  entry(
    conservativeLabels,
    'may an agent act on it, and who may see it',
    `Integrity with readers. ${labelDoc.conservative}`,
    'every token is untrusted and read by nobody',
  ),
  entry(
    alternativeLabels,
    'the best label that some derivations allow',
    `Integrity with readers. ${labelDoc.alternative}`,
    'every token is untrusted and read by nobody',
  ),
]);

/**
 * The semiring of a name; upper and lower case are not told apart.
 * @throws SemiringError `semiring/unknown-name`, with the nearest right name
 */
export function semiringNamed(name: string): RegisteredSemiring {
  const exact = semirings.get(name);
  if (exact) return exact;
  const lower = name.toLowerCase();
  for (const [known, registered] of semirings) if (known.toLowerCase() === lower) return registered;
  const names = [...semirings.keys()];
  const near = nearestName(name, names);
  throw new SemiringError(
    'semiring/unknown-name',
    `there is no semiring ${JSON.stringify(name.slice(0, 64))}; ${near === undefined ? '' : `did you mean "${near}"? `}known are ${names.join(', ')}`,
  );
}
