/**
 * Aggregates as tensors (Amsterdamer, Deutch, Tannen: Provenance for aggregate queries, PODS 2011): Σ ann ⊗ value.
 * The one thing to know: a valuation in N says how often each row is there, and the tensor's value is then the
 * aggregate over these rows; deleting t3 is the valuation that gives t3 the value 0 and all others 1.
 */
import type { Count } from '../semiring/count.js';
import { AssayError } from '../semiring/error.js';
import { type Polynomial, showPolynomial } from '../semiring/polynomial.js';
import type { Semiring } from '../semiring/semiring.js';
import { indexesOf } from './circuit.js';
import { external } from './external.js';
import { productNode, type TensorInputs, type TensorSource } from './frame.js';
import { flatIndex, type Index } from './packed-index.js';
import { polynomialAt } from './polynomial-at.js';
import { read } from './read.js';
import { slice } from './slice.js';
import type { Token } from './token.js';
import type { Value } from './value.js';
import { valueAt } from './vector.js';

export interface TensorTerm {
  /** The argument of the aggregate; none for count(*). */
  readonly value: Value | undefined;
  readonly polynomial: Polynomial;
}

export interface Tensor {
  readonly function: string;
  readonly size: number;
  /** The terms, at most `limit`. */
  terms(limit?: number): readonly TensorTerm[];
  /** The value where `multiplicity` says how often each token is there. */
  under(multiplicity: (token: Token) => Count): Value;
  /** The value after the rows of these tokens are deleted. */
  without(tokens: Iterable<Token>): Value;
  /** `10 ⊗ t1 + 20 ⊗ t3` */
  show(name: (token: Token) => string, limit?: number): string;
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

export function tensorOf(inputs: TensorInputs, group: number): Tensor {
  const members = membersOf(inputs, group);
  const under = (multiplicity: (token: Token) => Count): Value => {
    const node = slice(inputs.annotation, members);
    const counts = read(node, multiplicities, (token) => BigInt(multiplicity(token)));
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
  };
  const terms = (limit = members.length): TensorTerm[] =>
    members.slice(0, limit).map((row) => ({
      value: inputs.arguments.length === 0 ? undefined : valueAt(inputs.arguments[0], row),
      polynomial: polynomialAt(inputs.annotation, row).polynomial,
    }));
  return {
    function: inputs.function,
    size: members.length,
    terms,
    under,
    without: (tokens) => {
      const deleted = new Set(tokens);
      return under((token) => (deleted.has(token) ? 0 : 1));
    },
    show: (name, limit = 100) => showTerms(terms(limit), members.length, inputs, name),
  };
}

/** The index vectors that an aggregate's terms are read through, with the rows that are used of each. */
export function* tensorIndexes({ input, group }: TensorSource): Generator<[Index, number]> {
  if (group !== null) yield [group, input.rows];
  yield* indexesOf([productNode(input.annotation, input.rows)]);
  for (const { selection } of input.columns) if (selection !== null) yield [selection.composed(), input.rows];
}

function membersOf({ rows, group, takesPart, arguments: args }: TensorInputs, wanted: number): number[] {
  const members: number[] = [];
  const groups = group === null ? null : flatIndex(group);
  for (let row = 0; row < rows; row++) {
    if (groups !== null && groups[row] !== wanted) continue;
    if (takesPart !== null && takesPart[row] === 0) continue;
    if (args.length > 0 && valueAt(args[0], row) === null) continue;
    members.push(row);
  }
  return members;
}

function showTerms(
  terms: readonly TensorTerm[],
  size: number,
  inputs: TensorInputs,
  name: (token: Token) => string,
): string {
  if (size === 0) return '0';
  const shown = terms.map(({ value, polynomial }) => {
    const annotation = showPolynomial(polynomial, name);
    const factor = polynomial.length > 1 ? `(${annotation})` : annotation;
    return `${value === undefined ? '1' : String(external(value, inputs.arguments[0].type))} ⊗ ${factor}`;
  });
  return size > terms.length ? `${shown.join(' + ')} + … ${size - terms.length} more` : shown.join(' + ');
}
