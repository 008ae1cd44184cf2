/**
 * Expressions: from syntax to {@link Expression}. This file only tells the kinds of node apart; what takes
 * more than a few lines is in a file of its own.
 */
import type {
  BoolExpr,
  BooleanTest,
  CaseExpr,
  MinMaxExpr,
  Node,
  SQLValueFunction,
  TypeCast,
} from 'libpg-query';
import type { Expression } from '../../plan/expression.js';
import { castTo, unify } from '../coerce.js';
import type { BindContext } from '../context.js';
import type { Environment } from '../environment.js';
import { callScalar } from '../overload.js';
import { suggestion } from '../parse/sql-error.js';
import { locationOf } from '../parse/tree.js';
import { namedType, typeNames } from '../type-name.js';
import { bindCall, instant, requireBoolean } from './call.js';
import { bindColumn } from './column.js';
import { bindConstant, bindParameter } from './literal.js';
import { bindOperator, combine, not } from './operator.js';
import { bindSubquery } from './subquery.js';

export function bindExpression(node: Node, environment: Environment): Expression {
  const { context } = environment;
  if ('ColumnRef' in node) return bindColumn(node.ColumnRef, environment);
  if ('A_Const' in node) return bindConstant(node.A_Const, context);
  if ('A_Expr' in node) return bindOperator(node.A_Expr, environment);
  if ('BoolExpr' in node) return bindBoolean(node.BoolExpr, environment);
  if ('FuncCall' in node) return bindCall(node.FuncCall, environment);
  if ('TypeCast' in node) return bindCast(node.TypeCast, environment);
  if ('ParamRef' in node) return bindParameter(node.ParamRef, context);
  if ('SubLink' in node) return bindSubquery(node.SubLink, environment);
  if ('CaseExpr' in node) return bindCase(node.CaseExpr, environment);
  if ('BooleanTest' in node) return bindBooleanTest(node.BooleanTest, environment);
  if ('SQLValueFunction' in node) return bindClock(node.SQLValueFunction, environment);
  if ('MinMaxExpr' in node) return bindMinMax(node.MinMaxExpr, environment);
  if ('NullTest' in node) {
    const { arg, nulltesttype, location } = node.NullTest;
    const place = context.place(location);
    const test = nulltesttype === 'IS_NOT_NULL' ? 'is not null' : 'is null';
    return callScalar(context, test, [bindRequired(arg, environment)], place);
  }
  if ('CoalesceExpr' in node) {
    const place = context.place(node.CoalesceExpr.location);
    const operands = (node.CoalesceExpr.args ?? []).map((operand) => environment.bind(operand));
    return callScalar(context, 'coalesce', unify(context, operands, 'COALESCE').expressions, place);
  }
  if ('SetToDefault' in node) return bindDefault(node, context);
  throw context.unsupported(`${Object.keys(node)[0]} here`, context.place(locationOf(node)));
}

/** DEFAULT in the VALUES of an INSERT. */
function bindDefault(node: Node, context: BindContext): Expression {
  const target = context.targets.get(node);
  const place = context.place(locationOf(node));
  if (!target) throw context.unsupported('DEFAULT outside the VALUES of an INSERT', place);
  return { kind: 'literal', value: target.default(), type: target.type, place };
}

function bindRequired(node: Node | undefined, environment: Environment): Expression {
  if (!node) throw new TypeError('an operand is missing from the syntax tree');
  return environment.bind(node);
}

function bindBoolean(node: BoolExpr, environment: Environment): Expression {
  const place = environment.context.place(node.location);
  const clause = node.boolop === 'NOT_EXPR' ? 'NOT' : node.boolop === 'AND_EXPR' ? 'AND' : 'OR';
  const operands = (node.args ?? []).map((operand) => requireBoolean(environment, operand, clause));
  return clause === 'NOT'
    ? not(operands[0], place)
    : combine(clause === 'AND' ? 'and' : 'or', operands, place);
}

/** `x IS [NOT] TRUE | FALSE | UNKNOWN`: two-valued tests. */
function bindBooleanTest(node: BooleanTest, environment: Environment): Expression {
  const { context } = environment;
  const place = context.place(node.location);
  if (!node.arg) throw new TypeError('an operand is missing from the syntax tree');
  const argument = requireBoolean(environment, node.arg, 'IS TRUE, FALSE or UNKNOWN');
  return callScalar(
    context,
    (node.booltesttype ?? 'IS_TRUE').replaceAll('_', ' ').toLowerCase(),
    [argument],
    place,
  );
}

function bindCase(node: CaseExpr, environment: Environment): Expression {
  const { context } = environment;
  const place = context.place(node.location);
  const subject = node.arg && environment.bind(node.arg);
  const whens: Expression[] = [];
  const results: Expression[] = [];
  for (const branch of node.args ?? []) {
    if (!('CaseWhen' in branch) || !branch.CaseWhen.expr || !branch.CaseWhen.result) continue;
    const { expr, result, location } = branch.CaseWhen;
    whens.push(
      subject
        ? callScalar(context, '=', [subject, environment.bind(expr)], context.place(location))
        : requireBoolean(environment, expr, 'CASE WHEN'),
    );
    results.push(environment.bind(result));
  }
  const otherwise: Expression = node.defresult
    ? environment.bind(node.defresult)
    : { kind: 'literal', value: null, type: 'null', place };
  const { type, expressions } = unify(context, [...results, otherwise], 'CASE');
  // biome-ignore lint/suspicious/noThenProperty: SQL's own word; a branch is never awaited
  const branches = whens.map((when, i) => ({ when, then: expressions[i] }));
  return { kind: 'case', branches, otherwise: expressions[results.length], type, place };
}

function bindCast(node: TypeCast, environment: Environment): Expression {
  const { context } = environment;
  const named = namedType(node.typeName);
  const place = context.place(
    node.location !== undefined && node.location >= 0 ? node.location : node.typeName?.location,
  );
  if (typeof named === 'string') {
    const written = /"(.*)"/.exec(named)?.[1];
    throw context.error('unknown-type', named, context.place(node.typeName?.location), {
      hint: written === undefined ? undefined : suggestion(written, typeNames()),
    });
  }
  return castTo(context, bindRequired(node.arg, environment), named, place);
}

function bindClock(node: SQLValueFunction, { context }: Environment): Expression {
  const now = instant(context.now, context.place(node.location));
  if (node.op !== 'SVFOP_CURRENT_DATE') return now;
  return { kind: 'literal', value: Math.floor(context.now / 86_400_000), type: 'date', place: now.place };
}

function bindMinMax(node: MinMaxExpr, environment: Environment): Expression {
  const { context } = environment;
  const name = node.op === 'IS_LEAST' ? 'least' : 'greatest';
  const operands = (node.args ?? []).map((operand) => environment.bind(operand));
  const { expressions } = unify(context, operands, name.toUpperCase());
  return callScalar(context, name, expressions, context.place(node.location));
}
