/**
 * Reading a provenance circuit in a semiring: the unique homomorphism that a valuation of the tokens fixes,
 * applied node by node. The one thing to know: where the semiring has a machine representation that holds the
 * values, a node is one pass over typed arrays; where it has not, or a result leaves the exact range, the
 * generic operations are used. Both give the same answer; sub-circuits that are shared are read once.
 */
import { checkedValuation, checkSemiring, checkValue } from '../../semiring/contract/carrier.js';
import { Limited, sizesOf, TooManyParts } from '../../semiring/contract/growth.js';
import type { Semiring } from '../../semiring/contract/semiring.js';
import { describeValue } from '../../semiring/message/describe-value.js';
import { AssayError } from '../../semiring/message/error.js';
import { flatIndex } from '../memory/packed-index.js';
import type { BufferPool } from '../memory/pool.js';
import type { Node } from './circuit.js';
import { missing } from './missing-operation.js';
import { readLanes } from './read-lanes.js';
import type { Reading, Valuation } from './reading.js';
import type { Token } from './token.js';
import { topological } from './topological.js';

/** How far a reading may go. */
export interface ReadOptions {
  /**
   * The most parts (monomials, witnesses, tokens) that a value may have in a semiring whose values grow, see
   * `growth` of `Semiring`; all values of the reading together may have twice as many, and eight for each
   * row. Default 2,000,000, which takes about half a gigabyte.
   */
  readonly limit?: number;
  /** What row i of the node is, for messages. Default `row i`. */
  readonly place?: (row: number) => string;
}

/** The default of `limit`. */
export const defaultParts = 2_000_000;

/** A reading would not fit into memory: nothing of it was kept. */
export class ReadingLimitError extends AssayError {
  /** The row of the greatest size. */
  readonly row: number;
  /** An upper bound of the number of parts that its value has. */
  readonly bound: number;

  constructor(row: number, bound: number, message: string) {
    super('engine/reading-limit', message);
    this.row = row;
    this.bound = bound;
  }
}

/**
 * @param pool where buffers come from; without one they are fresh
 * @throws SemiringError `semiring/not-a-semiring`; `semiring/not-in-carrier` where the valuation gives a
 *   token a value that the semiring refuses; `semiring/no-monus`, `semiring/no-delta` where the circuit needs
 *   what the semiring lacks
 * @throws ReadingLimitError `engine/reading-limit`; AssayError `engine/no-valuation`, `engine/bad-limit`
 */
export function read<K>(
  node: Node,
  semiring: Semiring<K>,
  valuation: Valuation<K>,
  pool?: BufferPool,
  options?: ReadOptions,
): Reading<K> {
  checkSemiring(semiring);
  checkValuation(valuation);
  if (options?.limit !== undefined) checkLimit(options.limit);
  const lanes = readLanes(node, semiring, valuation, pool);
  if (lanes !== null) return lanes;
  const values = readGenerically(node, semiring, valuation, options);
  return {
    length: values.length,
    at: (row) => values[row],
    [Symbol.iterator]: () => values[Symbol.iterator](),
  };
}

/** The generic pass, which defines what a reading is. */
export function readGenerically<K>(
  root: Node,
  semiring: Semiring<K>,
  valuation: Valuation<K>,
  options: ReadOptions = {},
): readonly K[] {
  const { limit = defaultParts } = options;
  const dependency = semiring.reads === 'dependency';
  const value =
    typeof valuation === 'function'
      ? checkedValuation(semiring, valuation)
      : always(checkValue(semiring, undefined, valuation.every));
  const limited = new Limited(semiring, limit, root.rows);
  const done = new Map<Node, readonly K[]>();
  const valuesOf = (node: Node): readonly K[] => done.get(node) ?? [];
  try {
    for (const node of topological(root, dependency))
      done.set(node, step(node, semiring, limited, value, valuesOf, dependency));
  } catch (error) {
    if (!(error instanceof TooManyParts)) throw error;
    done.clear();
    throw tooBig(root, semiring, value, limit, options.place);
  }
  return valuesOf(root);
}

function* rowsOf<K>(reading: Reading<K>): Iterable<[number, K]> {
  for (let row = 0; row < reading.length; row++) yield [row, reading.at(row)];
}

/** What to say of the row that is the greatest by an upper bound. */
function tooBig<K>(
  root: Node,
  semiring: Semiring<K>,
  value: (token: Token) => K,
  limit: number,
  place = (row: number): string => `row ${row}`,
): ReadingLimitError {
  const { growth, name } = semiring;
  const size = (a: K): number => growth?.size(a) ?? 1;
  const sizes = sizesOf(semiring, { parts: '', ...growth, size }, size(semiring.one));
  let row = 0;
  let bound = 0;
  for (const [i, sizeOfRow] of rowsOf(read(root, sizes, (token) => size(value(token))))) {
    if (sizeOfRow <= bound) continue;
    row = i;
    bound = sizeOfRow;
  }
  const shown = (n: number): string => (n < 1e15 ? n.toLocaleString('en-US') : n.toExponential(2));
  const parts = growth?.parts ?? 'parts';
  const smaller = growth?.product === undefined && name !== 'PosBool' ? 'PosBool, Lin, ' : '';
  const what =
    bound > limit
      ? `its value in ${name} has up to ${shown(bound)} ${parts}, and the limit is ${shown(limit)}`
      : `it has up to ${shown(bound)} ${parts} in ${name}, and all rows together, with what they are made of, have more than the limit of ${shown(2 * limit)}, and eight for each row`;
  return new ReadingLimitError(
    row,
    bound,
    `${place(row)}: ${what}; see its beginning with expand(row, limit), read it in a semiring that keeps less (${smaller}N, Boolean), ask for fewer rows, or raise { limit }`,
  );
}

function always<K>(value: K): () => K {
  return () => value;
}

/** @throws AssayError `engine/bad-limit` */
export function checkLimit(limit: number): void {
  if (typeof limit === 'number' && limit >= 1) return;
  throw new AssayError('engine/bad-limit', `a limit must be a number from 1 up, not ${describeValue(limit)}`);
}

function checkValuation(valuation: unknown): void {
  if (typeof valuation === 'function') return;
  if (typeof valuation === 'object' && valuation !== null && 'every' in valuation) return;
  throw new AssayError(
    'engine/no-valuation',
    `a valuation must be a function of a token, or { every: value }, not ${describeValue(valuation)}`,
  );
}

function step<K>(
  node: Node,
  semiring: Semiring<K>,
  limited: Limited<K>,
  value: (token: Token) => K,
  valuesOf: (node: Node) => readonly K[],
  dependency: boolean,
): readonly K[] {
  const { rows } = node;
  const build = (at: (row: number) => K): K[] => Array.from({ length: rows }, (_, row) => at(row));
  switch (node.kind) {
    case 'one':
      return build(() => semiring.one);
    case 'zero':
      return build(() => semiring.zero);
    case 'range':
      return build((row) => value(node.first + row));
    case 'tokens':
      return build((row) => value(node.tokens[row]));
    case 'gather': {
      const child = valuesOf(node.child);
      const index = flatIndex(node.index);
      return build((row) => (index[row] < 0 ? semiring.one : child[index[row]]));
    }
    case 'spread': {
      const [only] = valuesOf(node.child);
      return build(() => only);
    }
    case 'times': {
      limited.expect(rows);
      const children = node.children.map(valuesOf);
      return build((row) => limited.product(children.map((child) => child[row])));
    }
    case 'sumBy':
      return build(
        byGroup(flatIndex(node.group), valuesOf(node.child), rows, (values) => limited.sum(values)),
      );
    case 'productBy':
      return build(
        byGroup(flatIndex(node.group), valuesOf(node.child), rows, (values) => limited.product(values)),
      );
    case 'product':
      return [limited.product(valuesOf(node.child))];
    case 'concat':
      return node.children.flatMap(valuesOf);
    case 'monus': {
      if (!semiring.monus) throw missing('monus', 'a difference (∸)', semiring);
      const left = valuesOf(node.left);
      const right = valuesOf(node.right);
      return build((row) => limited.keep(semiring.monus?.(left[row], right[row]) as K));
    }
    case 'delta': {
      if (!semiring.delta) throw missing('delta', 'a grouped row (δ)', semiring);
      const child = valuesOf(node.child);
      return build((row) => semiring.delta?.(child[row]) as K);
    }
    case 'either':
      return valuesOf(dependency ? node.dependency : node.derivation);
  }
}

/** The fold of each group's values, in their order. */
function byGroup<K>(
  group: Int32Array,
  values: readonly K[],
  groups: number,
  fold: (values: readonly K[]) => K,
): (g: number) => K {
  const members: K[][] = Array.from({ length: groups }, () => []);
  for (let i = 0; i < values.length; i++) members[group[i]].push(values[i]);
  return (g) => fold(members[g]);
}
