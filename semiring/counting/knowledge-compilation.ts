/**
 * Knowledge compilation: a Boolean lineage becomes a circuit in which every "and" and "or" joins parts
 * without common tokens and every other choice is a decision on one token (a decision-DNNF with independent
 * or; Darwiche, Marquis 2002; Huang, Darwiche 2007). On such a circuit probabilities and derivatives are one
 * pass, and how big it gets depends on how entangled the lineage is, not on how long.
 */
import { SemiringError } from '../message/error.js';
import type { Formula } from '../polynomial/formula.js';
import type { Polynomial } from '../polynomial/monomial.js';
import { factor } from './factor.js';
import { Budget, type LineageNode, LineageStore, type NodeId } from './lineage.js';

/** A gate; children are indexes of earlier gates. */
export type Gate =
  | { readonly kind: 'constant'; readonly value: boolean }
  | { readonly kind: 'token'; readonly token: number }
  | { readonly kind: 'not'; readonly of: number }
  /** Parts have no token in common. */
  | { readonly kind: 'and' | 'or'; readonly of: readonly number[] }
  /** high where the token is there, else low; neither mentions the token. */
  | { readonly kind: 'decision'; readonly token: number; readonly high: number; readonly low: number };

/** Gates with children before parents; the last one is the output. */
export interface Circuit {
  readonly gates: readonly Gate[];
  /** The tokens of the polynomial on which the answer can depend, in increasing order. */
  readonly tokens: readonly number[];
  /** Number of gates and links. */
  readonly size: number;
}

export interface CompileOptions {
  /**
   * The greatest number of links that may be built on the way; 2,000,000 by default, which takes a few
   * seconds.
   */
  readonly limit?: number;
  /** Tokens that are there for certain, and are not asked about. */
  readonly certain?: Iterable<number>;
}

/** The default of `limit`. */
export const defaultLimit = 2_000_000;
/** How many decisions may nest: what the call stack holds with a margin. */
const deepest = 1000;

/**
 * The circuit of the Boolean reading of `p`: δ is the identity, p ∸ q is "p and not q".
 * @param p a polynomial, or a formula, which is not multiplied out: products and sums of independent parts
 *   stay as they are
 * @throws SemiringError `semiring/compile-limit` where it would need more than `limit` links
 */
export function compile(p: Polynomial | Formula, options: CompileOptions = {}): Circuit {
  const budget = new Budget(options.limit ?? defaultLimit);
  const lineage = new LineageStore(budget);
  let root = 'kind' in p ? lineage.ofFormula(p) : lineage.ofPolynomial(p);
  for (const x of options.certain ?? []) root = lineage.condition(root, x, true);
  const compiler = new Compiler(lineage, budget);
  compiler.compile(root, 0);
  return { gates: compiler.gates, tokens: lineage.tokensOf(root), size: compiler.size };
}

type Combination = Extract<LineageNode, { readonly of: readonly NodeId[] }>;

class Compiler {
  readonly gates: Gate[] = [];
  size = 0;
  readonly #lineage: LineageStore;
  readonly #budget: Budget;
  readonly #known = new Map<NodeId, number>();

  constructor(lineage: LineageStore, budget: Budget) {
    this.#lineage = lineage;
    this.#budget = budget;
  }

  /** The gate of a node. The root is compiled last of all its parts, so its gate is the last. */
  compile(id: NodeId, depth: number): number {
    const known = this.#known.get(id);
    if (known !== undefined) return known;
    if (depth > deepest) {
      throw new SemiringError(
        'semiring/compile-limit',
        `the lineage of this row is too entangled: compiling it nests more than ${deepest} decisions; ask about a less entangled row`,
      );
    }
    const gate = this.#gateOf(id, depth);
    const links = 'of' in gate && typeof gate.of === 'object' ? gate.of.length : 2;
    this.#budget.spend(links);
    this.size += 1 + links;
    this.gates.push(gate);
    this.#known.set(id, this.gates.length - 1);
    return this.gates.length - 1;
  }

  #gateOf(id: NodeId, depth: number): Gate {
    const node = this.#lineage.node(id);
    if (node.kind === 'constant' || node.kind === 'token') return node;
    if (node.kind === 'not') return { kind: 'not', of: this.compile(node.of, depth) };
    const parts = this.#independentParts(node.of);
    if (parts.length > 1) {
      const combine = (part: NodeId[]): NodeId =>
        node.kind === 'and' ? this.#lineage.and(part) : this.#lineage.or(part);
      return { kind: node.kind, of: parts.map((part) => this.compile(combine(part), depth)) };
    }
    const factored = this.#common(node) ?? this.#factors(node);
    if (factored) {
      const dual = node.kind === 'and' ? 'or' : 'and';
      return { kind: dual, of: factored.map((part) => this.compile(part, depth + 1)) };
    }
    const x = this.#decideOn(node.of);
    return {
      kind: 'decision',
      token: x,
      high: this.compile(this.#lineage.condition(id, x, true), depth + 1),
      low: this.compile(this.#lineage.condition(id, x, false), depth + 1),
    };
  }

  /** Groups nodes so that two groups have no token in common (union-find over tokens). */
  #independentParts(of: readonly NodeId[]): NodeId[][] {
    const parent = of.map((_, i) => i);
    const find = (i: number): number => {
      while (parent[i] !== i) {
        parent[i] = parent[parent[i]];
        i = parent[i];
      }
      return i;
    };
    const owner = new Map<number, number>();
    of.forEach((id, i) => {
      for (const x of this.#lineage.tokensOf(id)) {
        const other = owner.get(x);
        if (other === undefined) owner.set(x, i);
        else parent[find(i)] = find(other);
      }
    });
    const groups = new Map<number, NodeId[]>();
    of.forEach((id, i) => {
      const group = groups.get(find(i));
      if (group) group.push(id);
      else groups.set(find(i), [id]);
    });
    return [...groups.values()];
  }

  /**
   * a·b or a·c is a·(b or c), and (a or b)·(a or c) is a or b·c: the common atoms and the rest, where they
   * have no token in common.
   */
  #common({ kind, of }: Combination): NodeId[] | undefined {
    let common = new Set(this.#atoms(kind, of[0]));
    for (const id of of) {
      const own = this.#atoms(kind, id);
      common = new Set(own.filter((factor) => common.has(factor)));
      if (common.size === 0) return undefined;
    }
    this.#budget.spend(of.length);
    const dual = kind === 'and' ? 'or' : 'and';
    const rest = this.#lineage[kind](
      of.map((id) => this.#lineage[dual](this.#atoms(kind, id).filter((f) => !common.has(f)))),
    );
    const parts = this.#independentParts([...common, rest]);
    if (parts.length === 1) return undefined;
    return parts.map((part) => this.#lineage[dual](part));
  }

  /** A sum of products as a product of sums, or the reverse, where these have no token in common. */
  #factors({ kind, of }: Combination): NodeId[] | undefined {
    this.#budget.spend(of.length);
    const factors = factor(
      of.map((id) => this.#atoms(kind, id)),
      (atom) => this.#lineage.tokensOf(atom),
    );
    const dual = kind === 'and' ? 'or' : 'and';
    return factors?.map((alternatives) =>
      this.#lineage[kind](alternatives.map((atoms) => this.#lineage[dual](atoms))),
    );
  }

  /** What a part of a node of this kind is made of. */
  #atoms(kind: Combination['kind'], part: NodeId): readonly NodeId[] {
    const node = this.#lineage.node(part);
    return (node.kind === 'and' || node.kind === 'or') && node.kind !== kind ? node.of : [part];
  }

  /** Of the tokens in most parts the middle one: on a chain of parts that halves it. */
  #decideOn(of: readonly NodeId[]): number {
    const uses = new Map<number, number>();
    for (const id of of) for (const x of this.#lineage.tokensOf(id)) uses.set(x, (uses.get(x) ?? 0) + 1);
    let most = 0;
    for (const n of uses.values()) most = Math.max(most, n);
    const candidates = [...uses].filter(([, n]) => n === most).map(([x]) => x);
    return candidates[candidates.length >> 1];
  }
}
