/**
 * The gate between the parser and the binder: walks a syntax tree once against {@link supportedNodes} and
 * refuses, by name and with its place, whatever is not in the table. After this walk the binder may trust
 * that every node and field it meets is one it knows.
 */

import { deepestExpression } from '../../plan/expression.js';
import { leftLink, leftOf } from './chain.js';
import type { SqlSource } from './source.js';
import { SqlError } from './sql-error.js';
import { type Field, refusedNodes, supportedNodes } from './supported.js';

type Fields = Readonly<Record<string, unknown>>;

/** Deeper trees are refused, so that no later walk can overflow the stack. Chains are not deep: see below. */
export const deepestTree = 800;

/** @throws {SqlError} `sql/unsupported` at the first thing that assay does not run */
export function checkSupported(node: unknown, source: SqlSource, start: number): void {
  checkTree(node, source, start, { nested: 0, levels: 0 });
}

function refuse(name: string, source: SqlSource, byte: number): never {
  throw new SqlError('sql/unsupported', `${name} is not supported`, source, source.place(byte));
}

/** How far down a node is. */
interface Depth {
  /** Nodes above, of a chain only the one at its top: what walks a tree recurses so often. */
  readonly nested: number;
  /** Nodes above, operators of a chain included: an expression is so deep. */
  readonly levels: number;
}

function checkTree(node: unknown, source: SqlSource, near: number, depth: Depth): void {
  if (Array.isArray(node)) {
    for (const item of node) checkTree(item, source, near, depth);
    return;
  }
  if (!isFields(node)) return;
  // A wrapped node has exactly one member, its kind; an absent list element (DISTINCT without ON) has none.
  for (const [kind, fields] of Object.entries(node)) {
    if (isFields(fields)) checkChain(kind, fields, source, near, depth);
  }
}

/** A chain's links from the innermost on, which is written first. */
function checkChain(kind: string, fields: Fields, source: SqlSource, near: number, depth: Depth): void {
  const links: Fields[] = [];
  for (let link: Fields | undefined = fields; link; link = leftLink(kind, link)) links.push(link);
  const step = kind === 'A_Expr' ? 1 : 0;
  for (let i = links.length - 1; i >= 0; i--) {
    const passed = i < links.length - 1 ? leftOf(kind) : undefined;
    checkFields(kind, links[i], source, near, { ...depth, levels: depth.levels + i * step }, passed);
  }
}

/** @param passed the member that is checked already */
function checkFields(
  kind: string,
  fields: Fields,
  source: SqlSource,
  near: number,
  depth: Depth,
  passed?: string,
): void {
  const byte = locationOf(fields) ?? near;
  if (depth.nested > deepestTree)
    refuse(`an expression nested deeper than ${deepestTree} levels`, source, byte);
  if (depth.levels > deepestExpression)
    refuse(`an expression of more than ${deepestExpression} levels`, source, byte);
  const known = supportedNodes.get(kind);
  if (!known) {
    const at = depth.nested === 0 ? near : (locationOf(fields) ?? firstLocation(fields) ?? near);
    refuse(refusedNodes.get(kind) ?? readableKind(kind), source, at);
  }
  for (const [name, field] of Object.entries(known)) {
    const required = typeof field === 'object' && 'required' in field && field.required === true;
    if (required && !Object.hasOwn(fields, name)) refuse(field.refusedAs, source, byte);
  }
  const below = { nested: depth.nested + 1, levels: depth.levels + 1 };
  for (const [name, value] of Object.entries(fields)) {
    if (name === 'location' || name === passed) continue;
    const field: Field | undefined = Object.hasOwn(known, name) ? known[name] : undefined;
    if (field === 'data') continue;
    if (field === 'tree') checkTree(value, source, byte, below);
    else if (field === undefined)
      refuse(`${readableKind(kind)}: ${name}`, source, firstLocation(value) ?? byte);
    else if ('struct' in field) {
      if (isFields(value)) checkChain(field.struct, value, source, byte, below);
    } else if (field.values?.includes(value) !== true) {
      refuse(
        field.refusedAs,
        source,
        firstLocation(value) ?? locationOf(fields) ?? firstLocation(fields) ?? near,
      );
    }
  }
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null;
}

function locationOf(fields: Fields): number | undefined {
  const location = fields.location;
  return typeof location === 'number' && location >= 0 ? location : undefined;
}

/** The least location in a tree: where its text begins. */
function firstLocation(value: unknown): number | undefined {
  let first: number | undefined;
  const pending: unknown[] = [value];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (!isFields(next)) continue;
    const own = locationOf(next);
    if (own !== undefined && (first === undefined || own < first)) first = own;
    for (const inner of Object.values(next)) if (isFields(inner)) pending.push(inner);
  }
  return first;
}

/** `AlterDomainStmt` → `ALTER DOMAIN`, `JsonObjectConstructor` → `JSON OBJECT CONSTRUCTOR`. */
function readableKind(kind: string): string {
  return kind
    .replace(/(Stmt|Expr)$/, '')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toUpperCase();
}
