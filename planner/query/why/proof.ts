/**
 * Why a row is there: the provenance of one row as a tree down to base rows. `all` nodes are joint use (a
 * join, a filter on labelled cells), `any` nodes are alternatives (DISTINCT, UNION, a group), `without` is a
 * difference; the leaves are facts of the database.
 */

import { indexAt } from '../../../engine/memory/packed-index.js';
import type { Node } from '../../../engine/provenance/circuit.js';
import { slice } from '../../../engine/provenance/slice.js';
import type { Token, Tokens } from '../../../engine/provenance/token.js';
import type { Table } from '../../../engine/table/table.js';
import { external } from '../../../engine/value/external.js';
import { valueAt } from '../../../engine/value/vector.js';
import { shorten } from '../../../semiring/message/visible-text.js';
import { type Fact, factOf } from './facts.js';

export type Proof =
  | { readonly kind: 'fact'; readonly token: Token; readonly name: string; readonly fact: Fact | undefined }
  | {
      readonly kind: 'all' | 'any' | 'group';
      readonly parts: readonly Proof[] /** Parts left out. */;
      readonly more: number;
    }
  | { readonly kind: 'without'; readonly kept: Proof; readonly removed: Proof }
  /** True without any input. */
  | { readonly kind: 'nothing needed' }
  | { readonly kind: 'nothing there' };

export interface ProofOptions {
  /** Parts shown of one node. Default 20. */
  readonly mostParts?: number;
  /** Facts shown in all: a relation joined with itself again and again has 2^n of them. Default 1,000. */
  readonly mostFacts?: number;
}

export function proofOf(
  node: Node,
  row: number,
  tables: readonly Table[],
  tokens: Tokens,
  options: ProofOptions = {},
): Proof {
  const mostParts = options.mostParts ?? 20;
  let factsLeft = options.mostFacts ?? 1000;
  const leaf = (token: Token): Proof => {
    factsLeft--;
    const found = factOf(token, tables);
    const table =
      found?.row === undefined ? undefined : tables.find((candidate) => candidate.name === found.table);
    const at = found?.row ?? 0;
    const fact = found && table ? { ...found, values: rowOf(table, at) } : found;
    return { kind: 'fact', token, name: tokens.nameOf(token), fact };
  };
  /** The first parts, as long as there is room for facts. */
  const partsOf = (count: number, part: (i: number) => Proof): Proof[] => {
    const parts: Proof[] = [];
    while (parts.length < count && factsLeft > 0) parts.push(part(parts.length));
    return parts;
  };
  const visit = (inner: Node, at: number): Proof => {
    if (factsLeft <= 0) return { kind: 'all', parts: [], more: 1 };
    switch (inner.kind) {
      case 'one':
        return { kind: 'nothing needed' };
      case 'zero':
        return { kind: 'nothing there' };
      case 'range':
        return leaf(inner.first + at);
      case 'tokens':
        return leaf(inner.tokens[at]);
      case 'gather': {
        const row = indexAt(inner.index, at);
        return row < 0 ? { kind: 'nothing needed' } : visit(inner.child, row);
      }
      case 'spread':
        return visit(inner.child, 0);
      case 'times': {
        const { children } = inner;
        const visited = partsOf(children.length, (i) => visit(children[i], at));
        const more = children.length - visited.length;
        const parts = visited.filter((part) => part.kind !== 'nothing needed');
        if (parts.length === 0 && more === 0) return { kind: 'nothing needed' };
        if (parts.length === 1 && more === 0) return parts[0];
        return { kind: 'all', parts: parts.flatMap(flatAll), more };
      }
      case 'sumBy':
      case 'productBy': {
        const rows: number[] = [];
        for (let i = 0; i < inner.child.rows; i++) if (indexAt(inner.group, i) === at) rows.push(i);
        const parts = partsOf(Math.min(rows.length, mostParts), (i) => visit(inner.child, rows[i]));
        if (rows.length === 1) return parts[0];
        return { kind: inner.kind === 'sumBy' ? 'any' : 'all', parts, more: rows.length - parts.length };
      }
      case 'product': {
        const count = inner.child.rows;
        const parts = partsOf(Math.min(count, mostParts), (i) => visit(inner.child, i));
        return { kind: 'all', parts, more: count - parts.length };
      }
      case 'concat': {
        let offset = at;
        for (const child of inner.children) {
          if (offset < child.rows) return visit(child, offset);
          offset -= child.rows;
        }
        return { kind: 'nothing there' };
      }
      case 'monus': {
        const removed = visit(inner.right, at);
        const kept = visit(inner.left, at);
        return removed.kind === 'nothing there' ? kept : { kind: 'without', kept, removed };
      }
      case 'delta': {
        const part = visit(inner.child, at);
        return {
          kind: 'group',
          parts: part.kind === 'any' ? part.parts : [part],
          more: part.kind === 'any' ? part.more : 0,
        };
      }
      case 'either':
        return visit(inner.derivation, at);
    }
  };
  return visit(slice(node, [row]), 0);
}

function flatAll(part: Proof): readonly Proof[] {
  return part.kind === 'all' && part.more === 0 ? part.parts : [part];
}

function rowOf(table: Table, row: number): readonly unknown[] {
  return table.columns.map((column, c) => external(valueAt(table.vector(c), row), column.type));
}

/** The tree as lines of text, two blanks a level. */
export function showProof(proof: Proof): string {
  const lines: string[] = [];
  const visit = (part: Proof, depth: number): void => {
    const line = (text: string) => lines.push(`${'  '.repeat(depth)}${text}`);
    switch (part.kind) {
      case 'fact':
        line(showFact(part.name, part.fact));
        return;
      case 'nothing needed':
        line('holds without any input');
        return;
      case 'nothing there':
        line('nothing');
        return;
      case 'without':
        line('the first, without the second:');
        visit(part.kept, depth + 1);
        visit(part.removed, depth + 1);
        return;
      default: {
        const heading = { all: 'all of:', any: 'any of:', group: 'a group of at least one of:' }[part.kind];
        line(heading);
        for (const inner of part.parts) visit(inner, depth + 1);
        if (part.more > 0) lines.push(`${'  '.repeat(depth + 1)}… ${part.more} more`);
      }
    }
  };
  visit(proof, 0);
  return lines.join('\n');
}

function showFact(name: string, fact: Fact | undefined): string {
  const shownName = shorten(name, 60);
  if (!fact) return shownName;
  if (fact.row === undefined) return `${shownName}: who may add or remove rows of ${shorten(fact.table, 40)}`;
  const values =
    fact.values?.map((value) => shorten(value === null ? 'NULL' : String(value), 30)).join(', ') ?? '';
  const where = `row ${fact.row + 1} of ${shorten(fact.table, 40)}`;
  return `${shownName}: ${fact.column === undefined ? where : `cell ${shorten(fact.column, 40)}, ${where}`} (${values})`;
}
