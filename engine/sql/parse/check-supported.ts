/**
 * The gate between the parser and the binder: walks a syntax tree once against {@link supportedNodes} and
 * refuses, by name and with its place, whatever is not in the table. After this walk the binder may trust
 * that every node and field it meets is one it knows.
 */

import type { SqlSource } from './source.js';
import { SqlError } from './sql-error.js';
import { type Field, refusedNodes, supportedNodes } from './supported.js';

type Fields = Readonly<Record<string, unknown>>;

/** Deeper trees are refused, so that no later walk can overflow the stack. */
export const deepestTree = 800;

/** @throws {SqlError} `sql/unsupported` at the first thing that assay does not run */
export function checkSupported(node: unknown, source: SqlSource, start: number): void {
  checkTree(node, source, start, 0);
}

function refuse(name: string, source: SqlSource, byte: number): never {
  throw new SqlError('sql/unsupported', `${name} is not supported`, source, source.place(byte));
}

function checkTree(node: unknown, source: SqlSource, near: number, depth: number): void {
  if (Array.isArray(node)) {
    for (const item of node) checkTree(item, source, near, depth);
    return;
  }
  if (!isFields(node)) return;
  // A wrapped node has exactly one member, its kind; an absent list element (DISTINCT without ON) has none.
  for (const [kind, fields] of Object.entries(node)) {
    if (isFields(fields)) checkFields(kind, fields, source, near, depth);
  }
}

function checkFields(kind: string, fields: Fields, source: SqlSource, near: number, depth: number): void {
  const byte = locationOf(fields) ?? near;
  if (depth > deepestTree) refuse(`an expression nested deeper than ${deepestTree} levels`, source, byte);
  const known = supportedNodes.get(kind);
  if (!known) {
    const at = depth === 0 ? near : (locationOf(fields) ?? firstLocation(fields) ?? near);
    refuse(refusedNodes.get(kind) ?? readableKind(kind), source, at);
  }
  for (const [name, field] of Object.entries(known)) {
    const required = typeof field === 'object' && 'required' in field && field.required === true;
    if (required && !Object.hasOwn(fields, name)) refuse(field.refusedAs, source, byte);
  }
  for (const [name, value] of Object.entries(fields)) {
    if (name === 'location') continue;
    const field: Field | undefined = Object.hasOwn(known, name) ? known[name] : undefined;
    if (field === 'data') continue;
    if (field === 'tree') checkTree(value, source, byte, depth + 1);
    else if (field === undefined)
      refuse(`${readableKind(kind)}: ${name}`, source, firstLocation(value) ?? byte);
    else if ('struct' in field) {
      if (isFields(value)) checkFields(field.struct, value, source, byte, depth + 1);
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
