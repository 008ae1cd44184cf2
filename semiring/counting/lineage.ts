/**
 * Boolean lineage: a polynomial read as a Boolean formula over its tokens ("which tokens are there"),
 * hash-consed so that equal subformulas are one node. Every link that is built is counted against a limit, so
 * a formula that explodes ends in an error, not in a frozen process.
 */

import { minimalWitnesses } from '../instances/pos-bool.js';
import { type Witness, witnessSet } from '../instances/witness.js';
import { SemiringError } from '../message/error.js';
import type { Formula } from '../polynomial/formula.js';
import type { Atom, Polynomial } from '../polynomial/monomial.js';

/** The number of a node; 0 is false and 1 is true. */
export type NodeId = number;

export type LineageNode =
  | { readonly kind: 'constant'; readonly value: boolean }
  | { readonly kind: 'token'; readonly token: number }
  | { readonly kind: 'not'; readonly of: NodeId }
  | { readonly kind: 'and' | 'or'; readonly of: readonly NodeId[] };

const falseNode: NodeId = 0;
const trueNode: NodeId = 1;

/** Counts what is built, and refuses to build more than `limit`. */
export class Budget {
  readonly limit: number;
  #spent = 0;

  constructor(limit: number) {
    this.limit = limit;
  }

  spend(links: number): void {
    this.#spent += links;
    if (this.#spent > this.limit) {
      throw new SemiringError(
        'semiring/compile-limit',
        `the lineage of this row is too entangled: compiling it needs more than ${this.limit.toLocaleString('en-US')} links; raise { limit }, or ask about a less entangled row`,
      );
    }
  }
}

/** A store of Boolean formulas over tokens. Nodes are numbered so that children come before parents. */
export class LineageStore {
  readonly #nodes: LineageNode[] = [
    { kind: 'constant', value: false },
    { kind: 'constant', value: true },
  ];
  readonly #ids = new Map<string, NodeId>();
  /** The tokens below each node, in increasing order. */
  readonly #tokens: (readonly number[])[] = [[], []];
  readonly #budget: Budget;

  constructor(budget: Budget) {
    this.#budget = budget;
  }

  node(id: NodeId): LineageNode {
    return this.#nodes[id];
  }

  tokensOf(id: NodeId): readonly number[] {
    return this.#tokens[id];
  }

  token(x: number): NodeId {
    return this.#intern(`x${x}`, { kind: 'token', token: x }, [x]);
  }

  not(a: NodeId): NodeId {
    if (a <= trueNode) return 1 - a;
    const node = this.#nodes[a];
    return node.kind === 'not' ? node.of : this.#intern(`!${a}`, { kind: 'not', of: a }, this.#tokens[a]);
  }

  and(of: Iterable<NodeId>): NodeId {
    return this.#combine('and', of, trueNode, falseNode);
  }

  or(of: Iterable<NodeId>): NodeId {
    return this.#combine('or', of, falseNode, trueNode);
  }

  /** The lineage of a polynomial: + is or, · is and, δ is the identity, p ∸ q is "p and not q". */
  ofPolynomial(p: Polynomial): NodeId {
    const plain = p.every((m) => m.atoms.every((a) => typeof a === 'number'));
    if (plain) {
      const witnesses = minimalWitnesses(witnessSet(p.map((m) => m.atoms as readonly number[])));
      return this.or(witnesses.map((w) => this.and(w.map((x) => this.token(x)))));
    }
    return this.or(p.map((m) => this.and(m.atoms.map((a) => this.#ofAtom(a)))));
  }

  /** As {@link ofPolynomial}, without multiplying out: what is shared in the formula is shared here. */
  ofFormula(formula: Formula): NodeId {
    const known = new Map<Formula, NodeId>();
    const visit = (f: Formula): NodeId => {
      let id = known.get(f);
      if (id === undefined) {
        id = this.#ofFormula(f, visit);
        known.set(f, id);
      }
      return id;
    };
    return visit(formula);
  }

  #ofFormula(f: Formula, visit: (part: Formula) => NodeId): NodeId {
    switch (f.kind) {
      case 'zero':
        return falseNode;
      case 'one':
        return trueNode;
      case 'token':
        return this.token(f.token);
      case 'times':
        return this.and(f.terms.map(visit));
      case 'plus':
        return this.#ofSum(f.terms, visit);
      case 'monus':
        return this.and([visit(f.left), this.not(visit(f.right))]);
      case 'delta':
        return visit(f.of);
    }
  }

  /**
   * Products of tokens that others absorb are dropped at once; whether larger terms do so is not looked for.
   */
  #ofSum(terms: readonly Formula[], visit: (part: Formula) => NodeId): NodeId {
    const witnesses: Witness[] = [];
    const others: Formula[] = [];
    for (const term of terms) {
      const witness = witnessOf(term);
      if (witness) witnesses.push(witness);
      else others.push(term);
    }
    const minimal = minimalWitnesses(witnessSet(witnesses));
    return this.or([
      ...minimal.map((witness) => this.and(witness.map((x) => this.token(x)))),
      ...others.map(visit),
    ]);
  }

  #ofAtom(a: Atom): NodeId {
    if (typeof a === 'number') return this.token(a);
    if (a.kind === 'delta') return this.ofPolynomial(a.of);
    return this.and([this.ofPolynomial(a.left), this.not(this.ofPolynomial(a.right))]);
  }

  /** The formula once it is known whether token x is there. */
  condition(id: NodeId, x: number, value: boolean): NodeId {
    const known = new Map<NodeId, NodeId>();
    const visit = (n: NodeId): NodeId => {
      if (!includes(this.#tokens[n], x)) return n;
      let result = known.get(n);
      if (result === undefined) {
        const node = this.#nodes[n];
        if (node.kind === 'token') result = value ? trueNode : falseNode;
        else if (node.kind === 'not') result = this.not(visit(node.of));
        else if (node.kind === 'and') result = this.and(node.of.map(visit));
        else if (node.kind === 'or') result = this.or(node.of.map(visit));
        else result = n;
        known.set(n, result);
      }
      return result;
    };
    return visit(id);
  }

  #combine(kind: 'and' | 'or', of: Iterable<NodeId>, neutral: NodeId, absorbing: NodeId): NodeId {
    const flat = new Set<NodeId>();
    for (const id of of) {
      if (id === absorbing) return absorbing;
      if (id === neutral) continue;
      const node = this.#nodes[id];
      if (node.kind === kind) for (const part of node.of) flat.add(part);
      else flat.add(id);
    }
    this.#budget.spend(flat.size);
    const dual = kind === 'and' ? 'or' : 'and';
    for (const id of flat) {
      const node = this.#nodes[id];
      if (node.kind === 'not' && flat.has(node.of)) return absorbing;
      // a or (a and b) is a; a and (a or b) is a.
      if (node.kind === dual && node.of.some((part) => flat.has(part))) flat.delete(id);
    }
    const parts = [...flat].sort((a, b) => a - b);
    if (parts.length === 0) return neutral;
    if (parts.length === 1) return parts[0];
    const tokens = new Set<number>();
    for (const part of parts) for (const x of this.#tokens[part]) tokens.add(x);
    return this.#intern(
      `${kind === 'and' ? '&' : '|'}${parts.join()}`,
      { kind, of: parts },
      [...tokens].sort((a, b) => a - b),
    );
  }

  #intern(key: string, node: LineageNode, tokens: readonly number[]): NodeId {
    let id = this.#ids.get(key);
    if (id === undefined) {
      this.#budget.spend(1);
      id = this.#nodes.length;
      this.#nodes.push(node);
      this.#tokens.push(tokens);
      this.#ids.set(key, id);
    }
    return id;
  }
}

/** The tokens of a product of tokens. */
function witnessOf(f: Formula): Witness | undefined {
  if (f.kind === 'token') return [f.token];
  if (f.kind !== 'times') return undefined;
  const tokens = new Set<number>();
  for (const term of f.terms) {
    if (term.kind !== 'token') return undefined;
    tokens.add(term.token);
  }
  return [...tokens].sort((a, b) => a - b);
}

function includes(sorted: readonly number[], x: number): boolean {
  let low = 0;
  let high = sorted.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] === x) return true;
    if (sorted[middle] < x) low = middle + 1;
    else high = middle - 1;
  }
  return false;
}
