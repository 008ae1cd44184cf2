/**
 * The vectorised reading. The result of a node is a view, lanes seen through an index, so that a product of
 * two gathers is one fused pass and the gathers themselves cost nothing.
 */
import { isOutside } from '../../semiring/contract/carrier.js';
import type { Kernel, Lanes } from '../../semiring/contract/kernel.js';
import type { Semiring } from '../../semiring/contract/semiring.js';
import { type Index, PackedIndex } from '../memory/packed-index.js';
import type { BufferPool } from '../memory/pool.js';
import type { Node } from './circuit.js';
import { missing } from './missing-operation.js';
import type { Reading, Valuation } from './reading.js';
import type { Token } from './token.js';
import { topological } from './topological.js';

/**
 * Row i is `lanes[index[i]]` (1 where negative), or `lanes[i]` without an index, or `uniform` in every row.
 */
type View = { readonly lanes: Lanes; readonly index: Int32Array | null } | { readonly uniform: number };

/** A value that the kernel cannot hold, or a result that may not be exact. */
class Inexact extends Error {}

/** Tokens encoded in one call: the loop is compiled after a few calls, not after a whole column. */
const block = 4096;

/** False where the kernel cannot hold a value; the generic reading then says whether the semiring can. */
function encodeTokens<K>(
  out: Lanes,
  first: Token,
  tokens: Int32Array | null,
  from: number,
  to: number,
  valuation: (token: Token) => K,
  kernel: Kernel<K>,
  semiring: Semiring<K>,
): boolean {
  const asks = kernel.checksCarrier !== true;
  // Most tokens have the value of their neighbour.
  let last: K | undefined;
  let code = 0;
  for (let row = from; row < to; row++) {
    const value = valuation(tokens === null ? first + row : tokens[row]);
    if (value !== last || row === from) {
      if (asks && isOutside(semiring, value)) return false;
      code = kernel.encode(value);
      if (Number.isNaN(code)) return false;
      last = value;
    }
    out[row] = code;
  }
  return true;
}

/** Null where the semiring has no kernel, or it does not hold all values exactly. */
export function readLanes<K>(
  root: Node,
  semiring: Semiring<K>,
  valuation: Valuation<K>,
  pool?: BufferPool,
): (Reading<K> & { release(): void }) | null {
  const { kernel } = semiring;
  if (kernel === undefined) return null;
  const pass = new Pass(semiring, kernel, valuation, pool);
  try {
    const view = pass.view(root);
    return readingOf(view, root.rows, kernel, pass);
  } catch (error) {
    pass.releaseAll();
    if (error instanceof Inexact) return null;
    throw error;
  }
}

function readingOf<K>(
  view: View,
  length: number,
  kernel: Kernel<K>,
  pass: Pass<K>,
): Reading<K> & { release(): void } {
  const code = 'uniform' in view ? () => view.uniform : codeReader(view, kernel);
  const at = (row: number): K => kernel.decode(code(row));
  return {
    length,
    at,
    *[Symbol.iterator]() {
      for (let row = 0; row < length; row++) yield at(row);
    },
    release: () => pass.releaseAll(),
  };
}

function codeReader<K>(
  { lanes, index }: { lanes: Lanes; index: Int32Array | null },
  kernel: Kernel<K>,
): (row: number) => number {
  if (index === null) return (row) => lanes[row];
  return (row) => (index[row] < 0 ? kernel.one : lanes[index[row]]);
}

class Pass<K> {
  readonly #semiring: Semiring<K>;
  readonly #kernel: Kernel<K>;
  readonly #valuation: Valuation<K>;
  readonly #pool: BufferPool | undefined;
  readonly #views = new Map<Node, View>();
  readonly #arrays = new Map<PackedIndex, Int32Array>();
  readonly #taken: Lanes[] = [];

  constructor(
    semiring: Semiring<K>,
    kernel: Kernel<K>,
    valuation: Valuation<K>,
    pool: BufferPool | undefined,
  ) {
    this.#semiring = semiring;
    this.#kernel = kernel;
    this.#valuation = valuation;
    this.#pool = pool;
  }

  view(root: Node): View {
    const dependency = this.#semiring.reads === 'dependency';
    for (const node of topological(root, dependency)) this.#views.set(node, this.#step(node, dependency));
    return this.#of(root);
  }

  releaseAll(): void {
    for (const lanes of this.#taken.splice(0)) this.#pool?.giveBack(lanes);
  }

  #of(node: Node): View {
    return this.#views.get(node) as View;
  }

  #step(node: Node, dependency: boolean): View {
    const kernel = this.#kernel;
    const { rows } = node;
    switch (node.kind) {
      case 'one':
        return { uniform: kernel.one };
      case 'zero':
        return { uniform: kernel.zero };
      case 'range':
        return this.#leaves(rows, node.first, null);
      case 'tokens':
        return this.#leaves(rows, 0, node.tokens);
      case 'gather':
        return this.#gather(this.#of(node.child), node.child.rows, this.#unpacked(node.index));
      case 'spread': {
        const child = this.#of(node.child);
        return { uniform: 'uniform' in child ? child.uniform : this.#flat(child, 1)[0] };
      }
      case 'times':
        return this.#times(
          node.children.map((child) => this.#of(child)),
          rows,
        );
      case 'sumBy': {
        const out = this.#filled(rows, kernel.zero);
        const { child } = node;
        kernel.sumBy(out, this.#unpacked(node.group), this.#flat(this.#of(child), child.rows), child.rows);
        return this.#checked(out, rows);
      }
      case 'productBy': {
        const out = this.#filled(rows, kernel.one);
        const { child } = node;
        kernel.productBy(
          out,
          this.#unpacked(node.group),
          this.#flat(this.#of(child), child.rows),
          child.rows,
        );
        return this.#checked(out, rows);
      }
      case 'product': {
        const out = this.#filled(1, kernel.one);
        const child = this.#of(node.child);
        if ('uniform' in child && this.#semiring.laws?.timesIdempotent) return child;
        const group = new Int32Array(node.child.rows);
        kernel.productBy(out, group, this.#flat(child, node.child.rows), node.child.rows);
        return this.#checked(out, 1);
      }
      case 'concat': {
        const out = this.#allocate(rows);
        let at = 0;
        for (const child of node.children) {
          out.set(this.#flat(this.#of(child), child.rows).subarray(0, child.rows), at);
          at += child.rows;
        }
        return { lanes: out, index: null };
      }
      case 'monus': {
        if (!this.#semiring.monus) throw missing('monus', 'a difference (∸)', this.#semiring);
        if (!kernel.monus) throw new Inexact();
        const out = this.#allocate(rows);
        kernel.monus(
          out,
          this.#flat(this.#of(node.left), rows),
          this.#flat(this.#of(node.right), rows),
          rows,
        );
        return this.#checked(out, rows);
      }
      case 'delta': {
        if (!this.#semiring.delta) throw missing('delta', 'a grouped row (δ)', this.#semiring);
        if (!kernel.delta) throw new Inexact();
        const out = this.#allocate(rows);
        kernel.delta(out, this.#flat(this.#of(node.child), rows), rows);
        return this.#checked(out, rows);
      }
      case 'either':
        return this.#of(dependency ? node.dependency : node.derivation);
    }
  }

  /** Row i is the token `tokens[i]`, or `first + i` where there are none. */
  #leaves(rows: number, first: Token, tokens: Int32Array | null): View {
    const valuation = this.#valuation;
    if (typeof valuation !== 'function') return { uniform: this.#encode(valuation.every) };
    const out = this.#allocate(rows);
    for (let from = 0; from < rows; from += block)
      if (
        !encodeTokens(
          out,
          first,
          tokens,
          from,
          Math.min(rows, from + block),
          valuation,
          this.#kernel,
          this.#semiring,
        )
      )
        throw new Inexact();
    return { lanes: out, index: null };
  }

  #unpacked(index: Index): Int32Array {
    if (!(index instanceof PackedIndex)) return index;
    let array = this.#arrays.get(index);
    if (array === undefined) {
      array = index.unpack(this.#pool?.int32(index.rows));
      this.#arrays.set(index, array);
      this.#taken.push(array);
    }
    return array;
  }

  #gather(child: View, childRows: number, index: Int32Array): View {
    if ('uniform' in child) {
      return child.uniform === this.#kernel.one ? child : { lanes: this.#flat(child, childRows), index };
    }
    return { lanes: this.#flat(child, childRows), index };
  }

  #times(views: readonly View[], rows: number): View {
    const kernel = this.#kernel;
    let product: View | undefined;
    for (const view of views) {
      if (product === undefined || ('uniform' in product && product.uniform === kernel.one)) product = view;
      else if (!('uniform' in view && view.uniform === kernel.one))
        product = this.#timesTwo(product, view, rows);
    }
    return product ?? { uniform: kernel.one };
  }

  #timesTwo(a: View, b: View, rows: number): View {
    const kernel = this.#kernel;
    if ('uniform' in a && 'uniform' in b) {
      const [x, y, out] = [this.#filled(1, a.uniform), this.#filled(1, b.uniform), this.#allocate(1)];
      kernel.times(out, x, y, 1);
      this.#checked(out, 1);
      return { uniform: out[0] };
    }
    const out = this.#allocate(rows);
    if (!('uniform' in a) && !('uniform' in b) && a.index !== null && b.index !== null) {
      kernel.timesGather(out, a.lanes, a.index, b.lanes, b.index, rows);
    } else kernel.times(out, this.#flat(a, rows), this.#flat(b, rows), rows);
    return this.#checked(out, rows);
  }

  /** The view's lanes without an index. */
  #flat(view: View, rows: number): Lanes {
    if ('uniform' in view) return this.#filled(rows, view.uniform);
    if (view.index === null) return view.lanes;
    const out = this.#allocate(rows);
    const { lanes, index } = view;
    const { one } = this.#kernel;
    for (let row = 0; row < rows; row++) out[row] = index[row] < 0 ? one : lanes[index[row]];
    return out;
  }

  #checked(lanes: Lanes, rows: number): View {
    if (this.#kernel.exact && !this.#kernel.exact(lanes, rows)) throw new Inexact();
    return { lanes, index: null };
  }

  #encode(value: K): number {
    if (this.#kernel.checksCarrier !== true && isOutside(this.#semiring, value)) throw new Inexact();
    const code = this.#kernel.encode(value);
    if (Number.isNaN(code)) throw new Inexact();
    return code;
  }

  #filled(rows: number, code: number): Lanes {
    return this.#allocate(rows).fill(code, 0, rows);
  }

  #allocate(rows: number): Lanes {
    const lanes = this.#pool === undefined ? this.#kernel.allocate(rows) : this.#pooled(this.#pool, rows);
    this.#taken.push(lanes);
    return lanes;
  }

  #pooled(pool: BufferPool, rows: number): Lanes {
    const sample = this.#kernel.allocate(0);
    if (sample instanceof Float64Array) return pool.float64(rows);
    if (sample instanceof Int32Array) return pool.int32(rows);
    return sample instanceof Uint32Array ? pool.uint32(rows) : pool.uint8(rows);
  }
}
