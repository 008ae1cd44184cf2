/**
 * Subqueries inside expressions. They stay subquery nodes here; turning them into joins is the query
 * planner's business.
 */
import type { Node, SubLink } from 'libpg-query';
import { type Column, type Expression, freshColumn, type Place } from '../../plan/expression.js';
import { coerce, commonTypeOf } from '../coerce.js';
import type { BoundQuery, Environment } from '../environment.js';
import { noOverload, resolveOverload } from '../overload.js';
import { names, selectOf } from '../parse/tree.js';
import { compareTuples, rowOf } from './operator.js';

export function bindSubquery(node: SubLink, environment: Environment): Expression {
  const { context } = environment;
  const place = context.place(node.location);
  const select = selectOf(node.subselect);
  if (!select) throw context.unsupported('this subquery', place);
  const query = environment.bindQuery(select);
  if (node.subLinkType === 'EXISTS_SUBLINK') {
    return { kind: 'subquery', form: 'exists', plan: query.plan, type: 'boolean', place };
  }
  const comparison = names(node.operName).at(-1) ?? '=';
  const row = rowOf(node.testexpr);
  if (row) return rowMembership(row, comparison, query, node, environment, place);
  if (query.columns.length !== 1) {
    throw context.error('type', `a subquery here must give one column, not ${query.columns.length}`, place);
  }
  if (node.subLinkType === 'EXPR_SUBLINK') {
    return { kind: 'subquery', form: 'scalar', plan: query.plan, type: query.columns[0].type, place };
  }
  if (!node.testexpr) throw context.unsupported('this subquery', place);
  return quantified(environment.bind(node.testexpr), comparison, query, node, environment, place);
}

function reference(column: Column, place: Place): Expression {
  return { kind: 'column', id: column.id, type: column.type, place };
}

/**
 * `x = ANY (…)` is IN; other comparisons keep their quantifier. Both sides get a common type where they have
 * one.
 */
function quantified(
  subject: Expression,
  comparison: string,
  query: BoundQuery,
  node: SubLink,
  environment: Environment,
  place: Place,
): Expression {
  const { context } = environment;
  const sign = comparison === '!=' ? '<>' : comparison;
  let column: Expression = reference(query.columns[0], place);
  let argument = subject;
  if (argument.type !== column.type) {
    const type = commonTypeOf(context, [argument, column], 'the two sides of a subquery comparison:');
    argument = coerce(context, argument, type);
    column = coerce(context, column, type);
  }
  const resolved = resolveOverload(context, context.functions.scalars(sign), [argument, column], true);
  if (resolved?.type !== 'boolean') throw noOverload(context, sign, [argument, column], true, place);
  const plan = column.kind === 'column' ? query.plan : projectTo(query, column);
  const any = node.subLinkType === 'ANY_SUBLINK';
  return {
    kind: 'subquery',
    form: any ? (sign === '=' ? 'in' : 'any') : 'all',
    plan,
    argument,
    comparison: resolved.function,
    type: 'boolean',
    place,
  };
}

function projectTo(query: BoundQuery, expression: Expression): BoundQuery['plan'] {
  const column = freshColumn(query.columns[0].name, expression.type);
  return { kind: 'project', input: query.plan, columns: [column], expressions: [expression] };
}

/** `(a, b) IN (SELECT c, d …)` is `true = ANY (SELECT (a, b) = (c, d) …)`: exact for NULLs too. */
function rowMembership(
  row: readonly Node[],
  comparison: string,
  query: BoundQuery,
  node: SubLink,
  environment: Environment,
  place: Place,
): Expression {
  const { context } = environment;
  if (node.subLinkType === 'EXPR_SUBLINK')
    throw context.unsupported('comparison of a row with a subquery', place);
  if (query.columns.length !== row.length) {
    throw context.error(
      'type',
      `the subquery gives ${query.columns.length} columns, the row has ${row.length}`,
      place,
    );
  }
  const left = row.map((part) => environment.bind(part));
  const right = query.columns.map((column) => reference(column, place));
  const test = compareTuples(comparison, left, right, environment, place);
  const truth: Expression = { kind: 'literal', value: true, type: 'boolean', place };
  const equals = resolveOverload(context, context.functions.scalars('='), [truth, test], true);
  if (!equals) throw noOverload(context, '=', [truth, test], true, place);
  return {
    kind: 'subquery',
    form: node.subLinkType === 'ANY_SUBLINK' ? 'in' : 'all',
    plan: projectTo(query, test),
    argument: truth,
    comparison: equals.function,
    type: 'boolean',
    place,
  };
}
