/**
 * Infix forms: operators, IN lists, BETWEEN, LIKE, IS DISTINCT FROM, NULLIF, comparisons of rows. What SQL
 * defines as a combination of simpler forms is bound as that combination, so that later stages know few
 * forms.
 */
import type { A_Expr, Node } from 'libpg-query';
import type { Expression, Place } from '../../plan/expression.js';
import { unify } from '../coerce.js';
import type { Environment } from '../environment.js';
import { callScalar } from '../overload.js';
import { operatorChain } from '../parse/chain.js';
import { items, names } from '../parse/tree.js';

export function bindOperator(node: A_Expr, environment: Environment): Expression {
  let left: Expression | undefined;
  for (const link of operatorChain(node)) left = bindLink(link, left, environment);
  if (!left) throw new TypeError('a chain without operators');
  return left;
}

/** @param bound the left operand, where it is bound already */
function bindLink(node: A_Expr, bound: Expression | undefined, environment: Environment): Expression {
  const { context } = environment;
  const place = context.place(node.location);
  const operatorNames = names(node.name);
  if (operatorNames.length > 1) throw context.unsupported('OPERATOR(schema.name)', place);
  const name = operatorNames[0] ?? '';
  const left = () => bound ?? bindOperand(node.lexpr, environment);
  const right = () => bindOperand(node.rexpr, environment);
  switch (node.kind) {
    case 'AEXPR_IN':
      return membership(node, name === '<>', environment, place);
    case 'AEXPR_LIKE':
      return callScalar(context, name.startsWith('!') ? 'not like' : 'like', [left(), right()], place);
    case 'AEXPR_ILIKE':
      return callScalar(context, name.startsWith('!') ? 'not ilike' : 'ilike', [left(), right()], place);
    case 'AEXPR_SIMILAR':
      throw context.unsupported('SIMILAR TO', place, 'write LIKE');
    case 'AEXPR_BETWEEN':
    case 'AEXPR_NOT_BETWEEN':
    case 'AEXPR_BETWEEN_SYM':
    case 'AEXPR_NOT_BETWEEN_SYM':
      return negatedIf(node.kind.includes('NOT'), between(node, environment, place), place);
    case 'AEXPR_DISTINCT':
      return callScalar(context, 'is distinct from', [left(), right()], place);
    case 'AEXPR_NOT_DISTINCT':
      return callScalar(context, 'is not distinct from', [left(), right()], place);
    case 'AEXPR_NULLIF':
      return callScalar(context, 'nullif', [left(), right()], place);
    default: {
      const rows = rowPair(node);
      if (rows) return compareRows(name, rows[0], rows[1], environment, place);
      if (!node.lexpr) return callScalar(context, name, [right()], place);
      return callScalar(context, name === '!=' ? '<>' : name, [left(), right()], place);
    }
  }
}

function bindOperand(node: Node | undefined, environment: Environment): Expression {
  if (!node) throw new TypeError('an operand is missing from the syntax tree');
  return environment.bind(node);
}

export function not(argument: Expression, place: Place): Expression {
  return { kind: 'not', argument, type: 'boolean', place };
}

function negatedIf(negated: boolean, expression: Expression, place: Place): Expression {
  return negated ? not(expression, place) : expression;
}

/** Three-valued AND or OR of at least one operand. */
export function combine(kind: 'and' | 'or', operands: readonly Expression[], place: Place): Expression {
  return operands.length === 1 ? operands[0] : { kind, arguments: operands, type: 'boolean', place };
}

/** Of a row: an OR of comparisons. */
function membership(node: A_Expr, negated: boolean, environment: Environment, place: Place): Expression {
  const { context } = environment;
  const elements = items(node.rexpr);
  const row = rowOf(node.lexpr);
  if (row) {
    const tests = elements.map((element) =>
      compareRows('=', row, rowOf(element) ?? [element], environment, place),
    );
    return negatedIf(negated, combine('or', tests, place), place);
  }
  const subject = bindOperand(node.lexpr, environment);
  const { expressions } = unify(
    context,
    [subject, ...elements.map((element) => environment.bind(element))],
    'IN',
  );
  return callScalar(context, negated ? 'not in' : 'in', expressions, place);
}

function between(node: A_Expr, environment: Environment, place: Place): Expression {
  const { context } = environment;
  const subject = bindOperand(node.lexpr, environment);
  const [low, high] = items(node.rexpr).map((bound) => environment.bind(bound));
  const within = (a: Expression, b: Expression): Expression =>
    combine(
      'and',
      [callScalar(context, '>=', [subject, a], place), callScalar(context, '<=', [subject, b], place)],
      place,
    );
  if (node.kind === 'AEXPR_BETWEEN_SYM' || node.kind === 'AEXPR_NOT_BETWEEN_SYM') {
    return combine('or', [within(low, high), within(high, low)], place);
  }
  return within(low, high);
}

/** The parts of `(a, b)` or `ROW(a, b)`. */
export function rowOf(node: Node | undefined): readonly Node[] | undefined {
  return node && 'RowExpr' in node ? (node.RowExpr.args ?? []) : undefined;
}

function rowPair(node: A_Expr): readonly [readonly Node[], readonly Node[]] | undefined {
  const left = rowOf(node.lexpr);
  const right = rowOf(node.rexpr);
  return left && right ? [left, right] : undefined;
}

function compareRows(
  name: string,
  left: readonly Node[],
  right: readonly Node[],
  environment: Environment,
  place: Place,
): Expression {
  const { context } = environment;
  if (left.length !== right.length) throw context.error('type', 'rows of unequal length are compared', place);
  const a = left.map((part) => environment.bind(part));
  const b = right.map((part) => environment.bind(part));
  return compareTuples(name, a, b, environment, place);
}

/** `=` is AND of `=`, `<>` is OR of `<>`, an order is lexicographic. */
export function compareTuples(
  name: string,
  a: readonly Expression[],
  b: readonly Expression[],
  { context }: Environment,
  place: Place,
): Expression {
  const pairwise = (sign: string, i: number): Expression => callScalar(context, sign, [a[i], b[i]], place);
  switch (name) {
    case '=':
      return combine(
        'and',
        a.map((_, i) => pairwise('=', i)),
        place,
      );
    case '<>':
    case '!=':
      return combine(
        'or',
        a.map((_, i) => pairwise('<>', i)),
        place,
      );
    case '<':
    case '<=':
    case '>':
    case '>=': {
      // (a, b) < (c, d): a < c OR (a = c AND b < d)
      const strict = name[0];
      let test = pairwise(name, a.length - 1);
      for (let i = a.length - 2; i >= 0; i--) {
        test = combine('or', [pairwise(strict, i), combine('and', [pairwise('=', i), test], place)], place);
      }
      return test;
    }
    default:
      throw context.unsupported(`${name} between rows`, place);
  }
}
