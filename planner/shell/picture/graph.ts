/**
 * The provenance of one row as a graph of gates: what all pictures are drawn from. A gate that is used twice
 * is one gate with two lines to it, and a graph that is too large says how many parts it leaves out.
 */

import { indexAt } from '../../../engine/memory/packed-index.js';
import type { Node } from '../../../engine/provenance/circuit.js';
import { slice } from '../../../engine/provenance/slice.js';
import type { Token } from '../../../engine/provenance/token.js';

export type GateKind = 'plus' | 'times' | 'monus' | 'delta' | 'token' | 'one' | 'zero' | 'more';

export interface Gate {
  readonly kind: GateKind;
  /** `+`, `·`, `∸`, `δ`, a token's name, `1`, `0`, `… 20 more`. Not made safe for a screen. */
  readonly label: string;
  /** Numbers of the gates below, in order. */
  readonly below: readonly number[];
}

export interface Graph {
  /** Gates below a gate have smaller numbers. */
  readonly gates: readonly Gate[];
  /** The row's gate. */
  readonly root: number;
}

export interface GraphOptions {
  /** Gates at most; parts beyond are counted. Default 200. */
  readonly most?: number;
  /** The side of non-monotone operators that label semirings read. */
  readonly dependency?: boolean;
}

const symbols = { plus: '+', times: '·', monus: '∸', delta: 'δ', one: '1', zero: '0' } as const;

export function graphOf(
  node: Node,
  row: number,
  nameOf: (token: Token) => string,
  options: GraphOptions = {},
): Graph {
  const { most = 200, dependency = false } = options;
  const builder = new Builder(most, dependency, nameOf);
  const root = builder.visit(slice(node, [row], dependency), 0);
  return { gates: builder.gates, root };
}

class Builder {
  readonly gates: Gate[] = [];
  readonly #most: number;
  readonly #dependency: boolean;
  readonly #nameOf: (token: Token) => string;
  readonly #known = new Map<string, number>();
  readonly #visited = new Map<Node, Map<number, number>>();
  readonly #members = new Map<Node, number[][]>();

  constructor(most: number, dependency: boolean, nameOf: (token: Token) => string) {
    this.#most = most;
    this.#dependency = dependency;
    this.#nameOf = nameOf;
  }

  /** The gate of a row of a node. */
  visit(node: Node, row: number): number {
    let rows = this.#visited.get(node);
    if (!rows) {
      rows = new Map();
      this.#visited.set(node, rows);
    }
    const known = rows.get(row);
    if (known !== undefined) return known;
    const gate = this.#make(node, row);
    rows.set(row, gate);
    return gate;
  }

  #make(node: Node, row: number): number {
    switch (node.kind) {
      case 'one':
      case 'zero':
        return this.#gate(node.kind, symbols[node.kind], []);
      case 'range':
        return this.#token(node.first + row);
      case 'tokens':
        return this.#token(node.tokens[row]);
      case 'gather': {
        const at = indexAt(node.index, row);
        return at < 0 ? this.#gate('one', symbols.one, []) : this.visit(node.child, at);
      }
      case 'spread':
        return this.visit(node.child, 0);
      case 'times':
        return this.#combine('times', node.children, (child) => this.visit(child, row));
      case 'sumBy':
      case 'productBy':
        return this.#combine(node.kind === 'sumBy' ? 'plus' : 'times', this.#membersOf(node, row), (member) =>
          this.visit(node.child, member),
        );
      case 'product':
        return this.#combine('times', [...Array(node.child.rows).keys()], (member) =>
          this.visit(node.child, member),
        );
      case 'concat': {
        let at = row;
        for (const child of node.children) {
          if (at < child.rows) return this.visit(child, at);
          at -= child.rows;
        }
        return this.#gate('zero', symbols.zero, []);
      }
      case 'monus': {
        const right = this.visit(node.right, row);
        const left = this.visit(node.left, row);
        return this.gates[right].kind === 'zero' ? left : this.#gate('monus', symbols.monus, [left, right]);
      }
      case 'delta':
        return this.#gate('delta', symbols.delta, [this.visit(node.child, row)]);
      case 'either':
        return this.visit(this.#dependency ? node.dependency : node.derivation, row);
    }
  }

  /** A sum or a product: of one part it is that part, and ones are left out of products. */
  #combine<T>(kind: 'plus' | 'times', parts: readonly T[], visit: (part: T) => number): number {
    const below: number[] = [];
    let left = parts.length;
    for (const part of parts) {
      if (this.gates.length >= this.#most && below.length > 0) break;
      left -= 1;
      const gate = visit(part);
      if (kind === 'times' && this.gates[gate].kind === 'one') continue;
      below.push(gate);
    }
    if (left > 0) below.push(this.#gate('more', `… ${left.toLocaleString('en-US')} more`, []));
    if (below.length === 0)
      return kind === 'times' ? this.#gate('one', symbols.one, []) : this.#gate('zero', symbols.zero, []);
    return below.length === 1 ? below[0] : this.#gate(kind, symbols[kind], below);
  }

  #token(token: Token): number {
    return this.#gate('token', this.#nameOf(token), [], `token ${token}`);
  }

  #gate(
    kind: GateKind,
    label: string,
    below: readonly number[],
    key = `${kind} ${label} ${below.join(' ')}`,
  ): number {
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    this.gates.push({ kind, label, below });
    this.#known.set(key, this.gates.length - 1);
    return this.gates.length - 1;
  }

  #membersOf(node: Extract<Node, { kind: 'sumBy' | 'productBy' }>, group: number): readonly number[] {
    let members = this.#members.get(node);
    if (!members) {
      members = Array.from({ length: node.rows }, () => []);
      for (let i = 0; i < node.child.rows; i++) members[indexAt(node.group, i)].push(i);
      this.#members.set(node, members);
    }
    return members[group];
  }
}
