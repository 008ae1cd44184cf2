/**
 * Expressions that a table keeps: CHECK over the columns of one row, DEFAULT over nothing. What is kept is
 * the syntax tree, which a file can hold; it is bound anew where it reads the clock and the time is another.
 */
import type { FuncCall, Node } from 'libpg-query';
import { visibleText } from '../../../semiring/message/visible-text.js';
import type { Check, Default } from '../../constraints/index.js';
import { compileRow } from '../../evaluate/row.js';
import { type Column, type Expression, freshColumn } from '../../plan/expression.js';
import { columnsRead } from '../../plan/traverse-expression.js';
import type { Type, Value } from '../../value/value.js';
import { assigned } from '../assign.js';
import { BindContext } from '../context.js';
import type { Environment } from '../environment.js';
import type { FunctionCatalog } from '../function-catalog.js';
import { SqlSource } from '../parse/source.js';
import { names, withoutPlaces } from '../parse/tree.js';
import { CommonTables, Scope } from '../scope.js';
import { requireBoolean } from './call.js';
import { bindExpression } from './expression.js';

interface NamedColumn {
  readonly name: string;
  readonly type: Type;
}

type Clause = 'CHECK' | 'DEFAULT';

/** A CHECK of the table, from its syntax tree. @throws {SqlError} */
export function checkOf(
  name: string,
  written: Node,
  context: BindContext,
  table: string,
  columns: readonly NamedColumn[],
): Check {
  refuseOwnFunctions(written, context, 'CHECK');
  const { evaluate, ...kept } = rowExpression(written, context, table, columns, (node, inside, scope) =>
    requireBoolean(within(inside, scope, 'CHECK'), node, 'CHECK'),
  );
  const holds = (row: readonly Value[], now: number): boolean | null => {
    const value = evaluate(row, now);
    return typeof value === 'boolean' ? value : null;
  };
  return { name, ...kept, holds };
}

/** The DEFAULT of the column, from its syntax tree. @throws {SqlError} */
export function defaultOf(written: Node, context: BindContext, column: NamedColumn): Default {
  refuseOwnFunctions(written, context, 'DEFAULT');
  const { syntax, evaluate } = rowExpression(written, context, '', [], (node, inside, scope) =>
    assigned(inside, within(inside, scope, 'DEFAULT').bind(node), column),
  );
  return { syntax, value: (now) => evaluate([], now) };
}

/** An expression of one row. */
interface RowExpression {
  /** Without places; to be saved. */
  readonly syntax: unknown;
  /** The columns that it reads, in order. */
  readonly columns: readonly number[];
  readonly readsClock: boolean;
  /** @param now milliseconds since 1970-01-01 00:00 UTC */
  evaluate(row: readonly Value[], now: number): Value;
}

function rowExpression(
  written: Node,
  context: BindContext,
  table: string,
  columns: readonly NamedColumn[],
  bind: (node: Node, context: BindContext, scope: Scope) => Expression,
): RowExpression {
  const syntax = withoutPlaces(written) as Node;
  const functions = context.fixedFunctions;
  const boundAt = (now: number, node: Node, source: SqlSource) => {
    const inside = new BindContext(source, { tables: context.tables, functions, now });
    const own = columns.map(({ name, type }) => freshColumn(name, type));
    const scope = new Scope({ relations: [{ name: table, columns: own }], columns: own }, new CommonTables());
    return { now, own, expression: bind(node, inside, scope), readsClock: inside.readsClock };
  };
  // Bound as it is written at first, so that an error has its place.
  const first = boundAt(0, written, context.source);
  const read = columnsRead(first.expression);
  const { readsClock } = first;
  let latest = { now: 0, evaluate: compiled(first.expression, first.own) };
  return {
    syntax,
    columns: first.own.flatMap((column, i) => (read.has(column.id) ? [i] : [])),
    readsClock,
    evaluate: (row, now) => {
      if (readsClock && latest.now !== now) {
        const { expression, own } = boundAt(now, syntax, new SqlSource(''));
        latest = { now, evaluate: compiled(expression, own) };
      }
      return latest.evaluate(row);
    },
  };
}

/** A function of a row's values. */
function compiled(expression: Expression, columns: readonly Column[]): (row: readonly Value[]) => Value {
  let current: readonly Value[] = [];
  const evaluate = compileRow(expression, {
    column: (id) => {
      const index = columns.findIndex((column) => column.id === id);
      return () => current[index];
    },
    parameters: [],
  });
  return (row) => {
    current = row;
    return evaluate(0);
  };
}

/** No aggregates, no subqueries, no functions but those that every database has. */
function within(context: BindContext, scope: Scope, clause: Clause): Environment {
  const environment: Environment = {
    context,
    scope,
    aggregates: clause,
    bind: (node) => {
      if ('SubLink' in node)
        throw context.unsupported(`a subquery in ${clause}`, context.place(node.SubLink.location));
      return bindExpression(node, environment);
    },
    bindQuery: () => {
      throw context.unsupported(`a subquery in ${clause}`, { offset: 0 });
    },
    withoutAggregates: () => environment,
  };
  return environment;
}

/** A program's own function may be another one, or none, where the table is opened again. */
function refuseOwnFunctions(tree: unknown, context: BindContext, clause: Clause): void {
  const pending: unknown[] = [tree];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (typeof next !== 'object' || next === null) continue;
    pending.push(...Object.values(next));
    if (!('FuncCall' in next)) continue;
    const { funcname, location } = next.FuncCall as FuncCall;
    const name = names(funcname).at(-1) ?? '';
    if (knows(context.fixedFunctions, name) || !knows(context.functions, name)) continue;
    const what = `${visibleText(name)}, which is not a function of every database, in ${clause}`;
    throw context.unsupported(what, context.place(location));
  }
}

function knows(functions: FunctionCatalog, name: string): boolean {
  return functions.scalars(name).length > 0 || functions.aggregates(name).length > 0;
}
