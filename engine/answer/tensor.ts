/**
 * Aggregates as tensors (Amsterdamer, Deutch, Tannen: Provenance for aggregate queries, PODS 2011): Σ ann ⊗
 * value. There are two ways to value one. A row of a relation is one copy, so after a deletion (`without`)
 * each summand is there once or not at all: its annotation is read in Boolean. A valuation in N (`under`)
 * says how often each base row is there, and a summand is then there as often as its row has derivations: a
 * row that DISTINCT, UNION or a grouping made of five rows counts five times, so `under(() => 1)` is the
 * answer only where none is below.
 */

import { checkValue } from '../../semiring/contract/carrier.js';
import type { Count } from '../../semiring/contract/count.js';
import type { Semiring } from '../../semiring/contract/semiring.js';
import { Bool } from '../../semiring/instances/boolean.js';
import { Natural } from '../../semiring/instances/natural.js';
import { AssayError } from '../../semiring/message/error.js';
import { type Polynomial, showPolynomial } from '../../semiring/polynomial/polynomial.js';
import { productNode, type TensorInputs, type TensorSource } from '../frame/frame.js';
import { flatIndex, type Index } from '../memory/packed-index.js';
import { struckSpot } from '../plan/blind-spots.js';
import { indexesOf } from '../provenance/circuit.js';
import { type Expansion, polynomialAt } from '../provenance/polynomial-at.js';
import { read } from '../provenance/read.js';
import { slice } from '../provenance/slice.js';
import type { Token } from '../provenance/token.js';
import { external } from '../value/external.js';
import type { Type, Value } from '../value/value.js';
import { valueAt } from '../value/vector.js';

export interface TensorTerm {
  /** The argument of the aggregate; none for count(*). */
  readonly value: Value | undefined;
  /** Its beginning, where `cut`. */
  readonly polynomial: Polynomial;
  readonly cut: boolean;
}

export interface Tensor {
  /** The aggregate's name: `sum`, or `sum distinct` where equal values count once. */
  readonly function: string;
  readonly size: number;
  /** The terms, at most `limit`. */
  terms(limit?: number): readonly TensorTerm[];
  /**
   * The value where `multiplicity` says how often each token is there, and each summand is there as often as
   * its row has derivations.
   * @throws AssayError `engine/too-many-copies`; SemiringError `semiring/not-in-carrier` for what is no
   *   natural number
   */
  under(multiplicity: (token: Token) => Count): Value;
  /**
   * The value after the rows of these tokens are deleted: what the query would say then, of the same group.
   * @throws AssayError `engine/not-in-tensor` where rows could come in, or values change, that the tensor
   *   knows nothing of
   */
  without(tokens: Token | Iterable<Token>): Value;
  /**
   * `10 ⊗ t1 + 20 ⊗ t3` @param limit how many terms, and monomials of each, are shown; the rest is counted
   */
  show(name: (token: Token) => string, limit?: number): string;
}

/** What tokens stand for, where they stand for more than themselves. */
export interface TensorOptions {
  readonly expansion?: Expansion;
  /** What is there after a deletion. Default: every token but these. */
  readonly remaining?: (deleted: ReadonlySet<Token>) => (token: Token) => boolean;
}

/** Natural numbers with bigints past 2^53, for multiplicities. */
const multiplicities: Semiring<bigint> = {
  name: 'N',
  zero: 0n,
  one: 1n,
  plus: (a, b) => a + b,
  times: (a, b) => a * b,
  equals: (a, b) => a === b,
  monus: (a, b) => (a > b ? a - b : 0n),
  delta: (a) => (a > 0n ? 1n : 0n),
};

/** A row that is there more often than this is refused rather than repeated. */
const mostCopies = 1_000_000n;

const allButThese = (deleted: ReadonlySet<Token>) => (token: Token) => !deleted.has(token);

export function tensorOf(
  inputs: TensorInputs,
  group: number,
  { expansion, remaining = allButThese }: TensorOptions = {},
): Tensor {
  const members = membersOf(inputs, group);
  const annotations = () => slice(inputs.annotation, members);
  const terms = (limit = members.length): TensorTerm[] =>
    members.slice(0, limit).map((row) => {
      const { polynomial, cut } = polynomialAt(inputs.annotation, row, undefined, expansion);
      const value = inputs.arguments.length === 0 ? undefined : valueAt(inputs.arguments[0], row);
      return { value, polynomial, cut };
    });
  return {
    function: inputs.function,
    size: members.length,
    terms,
    under: (multiplicity) => {
      const own = (token: Token): bigint => BigInt(checkValue(Natural, token, multiplicity(token)));
      const counts = read(
        annotations(),
        multiplicities,
        expansion ? expansion.over(multiplicities, own) : own,
      );
      const rows: number[] = [];
      for (const [i, row] of members.entries()) {
        const copies = counts.at(i);
        if (BigInt(rows.length) + copies > mostCopies + BigInt(members.length)) {
          throw new AssayError(
            'engine/too-many-copies',
            `a row is there ${copies} times; valuing an aggregate stops at ${mostCopies}`,
          );
        }
        for (let k = 0n; k < copies; k++) rows.push(row);
      }
      return inputs.aggregate(Int32Array.from(rows));
    },
    without: (tokens) => {
      const isThere = remaining(new Set(typeof tokens === 'number' ? [tokens] : tokens));
      refuseBlindSpots(inputs, isThere);
      const there = read(annotations(), Bool, isThere);
      return inputs.aggregate(Int32Array.from(members.filter((_, i) => there.at(i))));
    },
    show: (name, limit = 100) => showTerms(terms(limit), members.length, inputs, name, limit),
  };
}

/** @throws AssayError `engine/not-in-tensor` */
function refuseBlindSpots(inputs: TensorInputs, isThere: (token: Token) => boolean): void {
  const spot = struckSpot(inputs.blindSpots(), isThere);
  if (spot === undefined) return;
  const instead = spot.seenIfPossible ? ", or run it with { keep: 'possible' }" : '';
  throw new AssayError(
    'engine/not-in-tensor',
    `what ${inputs.function} would be without these tokens is not in its tensor: below this aggregate is ${spot.what}, so rows could come in or be others that are not among its terms; run the query without them, result.without(tokens)${instead}`,
  );
}

/** The index vectors that an aggregate's terms are read through, with the rows that are used of each. */
export function* tensorIndexes({ input, group }: TensorSource): Generator<[Index, number]> {
  if (group !== null) yield [group, input.rows];
  yield* indexesOf([productNode(input.annotation, input.rows)]);
  for (const { selection } of input.columns) if (selection !== null) yield [selection.composed(), input.rows];
}

function membersOf(
  { rows, group, takesPart, takesNull, arguments: args }: TensorInputs,
  wanted: number,
): number[] {
  const members: number[] = [];
  const groups = group === null ? null : flatIndex(group);
  for (let row = 0; row < rows; row++) {
    if (groups !== null && groups[row] !== wanted) continue;
    if (takesPart !== null && takesPart[row] === 0) continue;
    if (!takesNull && args.some((argument) => valueAt(argument, row) === null)) continue;
    members.push(row);
  }
  return members;
}

function showTerms(
  terms: readonly TensorTerm[],
  size: number,
  inputs: TensorInputs,
  name: (token: Token) => string,
  limit: number,
): string {
  if (size === 0) return '0';
  const shown = terms.map(({ value, polynomial, cut }) => {
    const annotation = `${showPolynomial(polynomial, name, { limit })}${cut ? ' + …' : ''}`;
    const factor = polynomial.length > 1 || cut ? `(${annotation})` : annotation;
    return `${value === undefined ? '1' : valueText(value, inputs.arguments[0].type)} ⊗ ${factor}`;
  });
  return size > terms.length ? `${shown.join(' + ')} + … ${size - terms.length} more` : shown.join(' + ');
}

function valueText(value: Value, type: Type): string {
  if (value === null) return 'NULL';
  const shown = external(value, type);
  return typeof shown === 'object' ? JSON.stringify(shown) : String(shown);
}
