/**
 * Small readers of the syntax tree's JSON form. PostgreSQL's protocol leaves out members that have their
 * default (0, false, the empty text), so every reader has a default.
 */
import type { A_Const, ColumnRef, Node, SelectStmt } from 'libpg-query';

/** The texts of a list of String nodes, such as a qualified name. */
export function names(nodes: readonly Node[] | undefined): string[] {
  return (nodes ?? []).flatMap((node) => ('String' in node ? [node.String.sval ?? ''] : []));
}

/** The elements of a List node; any other node is its own only element. */
export function items(node: Node | undefined): readonly Node[] {
  if (!node) return [];
  return 'List' in node ? (node.List.items ?? []) : [node];
}

/** The node's own location in bytes; -1 where it has none. */
export function locationOf(node: Node | undefined): number {
  if (!node) return -1;
  for (const fields of Object.values(node)) {
    if (
      typeof fields === 'object' &&
      fields !== null &&
      'location' in fields &&
      typeof fields.location === 'number'
    ) {
      return fields.location;
    }
  }
  return -1;
}

export function selectOf(node: Node | undefined): SelectStmt | undefined {
  return node && 'SelectStmt' in node ? node.SelectStmt : undefined;
}

export function constantOf(node: Node | undefined): A_Const | undefined {
  return node && 'A_Const' in node ? node.A_Const : undefined;
}

/** The value of an integer constant, as in ORDER BY 2. */
export function ordinalOf(node: Node): number | undefined {
  const constant = constantOf(node);
  return constant?.ival ? (constant.ival.ival ?? 0) : undefined;
}

/** The name of an unqualified column reference. */
export function bareName(node: Node): string | undefined {
  if (!('ColumnRef' in node)) return undefined;
  const fields = columnFields(node.ColumnRef);
  return fields.length === 1 && !fields[0].star ? fields[0].name : undefined;
}

export function columnFields(reference: ColumnRef): { readonly name: string; readonly star: boolean }[] {
  return (reference.fields ?? []).map((field) =>
    'A_Star' in field
      ? { name: '*', star: true }
      : { name: 'String' in field ? (field.String.sval ?? '') : '', star: false },
  );
}

/** A copy without places, which mean nothing outside the text that was parsed. */
export function withoutPlaces(tree: unknown): unknown {
  if (Array.isArray(tree)) return tree.map(withoutPlaces);
  if (typeof tree !== 'object' || tree === null) return tree;
  return Object.fromEntries(
    Object.entries(tree).flatMap(([name, value]) =>
      name === 'location' ? [] : [[name, withoutPlaces(value)]],
    ),
  );
}
