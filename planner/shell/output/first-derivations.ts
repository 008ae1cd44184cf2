/**
 * The first derivations of a row that has too many to be listed. They are made one by one, so the first dozen
 * of a billion cost a dozen.
 */

import { indexAt } from '../../../engine/memory/packed-index.js';
import type { Node } from '../../../engine/provenance/circuit.js';
import type { Token } from '../../../engine/provenance/token.js';

type NameOf = (token: Token) => string;

/** More parts than this are not multiplied out. */
const mostParts = 40;

/** `a·b + a^2`, at most `count` derivations, equal ones put together. */
export function firstDerivations(node: Node, row: number, count: number, nameOf: NameOf): string {
  const sums = new Map<string, number>();
  let seen = 0;
  for (const factors of derivations(node, row, nameOf)) {
    if (seen === count) break;
    seen += 1;
    const text = product(factors);
    sums.set(text, (sums.get(text) ?? 0) + 1);
  }
  return [...sums]
    .map(([text, times]) => (times === 1 ? text : text === '1' ? String(times) : `${times}·${text}`))
    .join(' + ');
}

function product(factors: readonly string[]): string {
  const exponents = new Map<string, number>();
  for (const factor of factors) exponents.set(factor, (exponents.get(factor) ?? 0) + 1);
  return (
    [...exponents].map(([factor, times]) => (times === 1 ? factor : `${factor}^${times}`)).join('·') || '1'
  );
}

/** The factors of each derivation. */
function* derivations(node: Node, row: number, nameOf: NameOf): Generator<readonly string[]> {
  switch (node.kind) {
    case 'one':
      yield [];
      return;
    case 'zero':
      return;
    case 'range':
      yield [nameOf(node.first + row)];
      return;
    case 'tokens':
      yield [nameOf(node.tokens[row])];
      return;
    case 'gather': {
      const at = indexAt(node.index, row);
      if (at < 0) yield [];
      else yield* derivations(node.child, at, nameOf);
      return;
    }
    case 'spread':
      yield* derivations(node.child, 0, nameOf);
      return;
    case 'times':
      yield* products(node.children.map((child) => () => derivations(child, row, nameOf)));
      return;
    case 'sumBy':
      for (let i = 0; i < node.child.rows; i++)
        if (indexAt(node.group, i) === row) yield* derivations(node.child, i, nameOf);
      return;
    case 'productBy':
    case 'product': {
      const members: number[] = [];
      for (let i = 0; i < node.child.rows && members.length <= mostParts; i++) {
        if (node.kind === 'product' || indexAt(node.group, i) === row) members.push(i);
      }
      if (members.length > mostParts) yield ['…'];
      else yield* products(members.map((i) => () => derivations(node.child, i, nameOf)));
      return;
    }
    case 'concat': {
      let at = row;
      for (const child of node.children) {
        if (at < child.rows) {
          yield* derivations(child, at, nameOf);
          return;
        }
        at -= child.rows;
      }
      return;
    }
    case 'monus':
      yield [`(${beginning(node.left, row, nameOf)} ∸ ${beginning(node.right, row, nameOf)})`];
      return;
    case 'delta':
      yield [`δ(${beginning(node.child, row, nameOf)})`];
      return;
    case 'either':
      yield* derivations(node.derivation, row, nameOf);
  }
}

function* products(parts: readonly (() => Iterable<readonly string[]>)[]): Generator<readonly string[]> {
  const [first, ...rest] = parts;
  if (!first) {
    yield [];
    return;
  }
  for (const factors of first()) for (const more of products(rest)) yield [...factors, ...more];
}

/** The first three, and whether there are more. */
function beginning(node: Node, row: number, nameOf: NameOf): string {
  let more = false;
  let seen = 0;
  for (const _ of derivations(node, row, nameOf)) {
    seen += 1;
    more = seen > 3;
    if (more) break;
  }
  if (seen === 0) return '0';
  return `${firstDerivations(node, row, 3, nameOf)}${more ? ' + …' : ''}`;
}
