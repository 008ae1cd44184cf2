/** UNION, INTERSECT and EXCEPT, with and without ALL. Columns pair by position and get a common type. */
import type { SelectStmt } from 'libpg-query';
import { commonType } from '../../operators/define.js';
import { type Column, type Expression, freshColumn } from '../../plan/expression.js';
import type { LogicalPlan, Project } from '../../plan/plan.js';
import { coerce } from '../coerce.js';
import type { BindContext } from '../context.js';
import type { BoundQuery, Environment } from '../environment.js';
import { setOperationChain } from '../parse/chain.js';
import { keywordBefore } from '../parse/source-words.js';
import { locationOf } from '../parse/tree.js';

export function bindSetOperation(select: SelectStmt, environment: Environment): BoundQuery {
  const [first, ...others] = setOperationChain(select);
  if (!first.larg) throw new TypeError('a set operation without a side in the syntax tree');
  return [first, ...others].reduce(
    (left, link) => bindLink(link, left, environment),
    environment.bindQuery(first.larg),
  );
}

function bindLink(select: SelectStmt, left: BoundQuery, environment: Environment): BoundQuery {
  const { context } = environment;
  const { rarg } = select;
  if (!rarg) throw new TypeError('a set operation without a side in the syntax tree');
  const right = environment.bindQuery(rarg);
  const operation = select.op?.slice('SETOP_'.length) ?? '';
  if (left.columns.length !== right.columns.length) {
    throw context.error(
      'type',
      `the sides of ${operation} have ${left.columns.length} and ${right.columns.length} columns`,
      context.place(startOf(rarg)),
    );
  }
  const columns = left.columns.map((column, i) => {
    const type = pairType(left, right, i, context);
    if (type === undefined) {
      throw context.error(
        'type',
        `${operation} types ${column.type} and ${right.columns[i].type} cannot be matched in column ${i + 1}`,
        context.place(startOf(rarg)),
        { hint: `write CAST(… AS ${column.type})` },
      );
    }
    return freshColumn(column.name, type);
  });
  const sides = [converted(left, columns, context), converted(right, columns, context)];
  const all = select.all === true;
  const start = context.place(startOf(rarg)).offset;
  const place = { offset: keywordBefore(context.source, operation.toLowerCase(), start) ?? start };
  switch (select.op) {
    case 'SETOP_UNION': {
      const plan: LogicalPlan = { kind: 'union', inputs: sides, columns };
      return { plan: all ? plan : { kind: 'distinct', input: plan }, columns };
    }
    case 'SETOP_INTERSECT':
      return { plan: { kind: 'intersect', left: sides[0], right: sides[1], all, columns, place }, columns };
    default:
      return { plan: { kind: 'except', left: sides[0], right: sides[1], all, columns, place }, columns };
  }
}

/**
 * The common type of a pair of columns. A literal in quotes that a side puts out takes the other side's type.
 */
function pairType(
  left: BoundQuery,
  right: BoundQuery,
  i: number,
  context: BindContext,
): Column['type'] | undefined {
  const a = left.columns[i].type;
  const b = right.columns[i].type;
  const openLeft = openLiteral(left, i, context) !== undefined;
  const openRight = openLiteral(right, i, context) !== undefined;
  if (openLeft !== openRight) return openLeft ? b : a;
  return commonType(a, b);
}

function openLiteral(query: BoundQuery, i: number, context: BindContext): Expression | undefined {
  const expression = query.plan.kind === 'project' ? query.plan.expressions[i] : undefined;
  return expression && context.untyped.has(expression) ? expression : undefined;
}

/** The side with its columns brought to the common types. */
function converted(query: BoundQuery, columns: readonly Column[], context: BindContext): LogicalPlan {
  if (query.columns.every((column, i) => column.type === columns[i].type)) return query.plan;
  const expressions = query.columns.map((column, i): Expression => {
    const open = openLiteral(query, i, context);
    return coerce(context, open ?? { kind: 'column', id: column.id, type: column.type }, columns[i].type);
  });
  const project: Project = {
    kind: 'project',
    input: query.plan,
    columns: columns.map((column) => freshColumn(column.name, column.type)),
    expressions,
  };
  return project;
}

function startOf(select: SelectStmt): number {
  let leftmost = select;
  while (leftmost.larg) leftmost = leftmost.larg;
  return locationOf(leftmost.targetList?.[0] ?? leftmost.valuesLists?.[0]);
}
