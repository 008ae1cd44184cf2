/**
 * Which function a call means. The types as written are tried first, then a literal in quotes takes other
 * types, then integers widen to floats and dates to timestamps; the first overload that accepts wins.
 */
import { AssayError } from '../../semiring/message/error.js';
import { visibleText } from '../../semiring/message/visible-text.js';
import type { Expression, Place, ScalarFunction } from '../plan/expression.js';
import type { Type } from '../value/value.js';
import { coerce } from './coerce.js';
import type { BindContext } from './context.js';
import { suggestion } from './parse/sql-error.js';

/** A function that takes some argument types, as scalar functions and aggregates do. */
interface Overload {
  resolve(types: readonly Type[]): Type | undefined;
}

export interface Resolved<F> {
  readonly function: F;
  readonly arguments: readonly Expression[];
  readonly type: Type;
}

const literalTypes: readonly Type[] = [
  'interval',
  'timestamp',
  'date',
  'integer',
  'float',
  'boolean',
  'json',
];

/** The first overload that takes these arguments, and the arguments brought to the types that it takes. */
export function resolveOverload<F extends Overload>(
  context: BindContext,
  overloads: readonly F[],
  operands: readonly Expression[],
  isOperator: boolean,
): Resolved<F> | undefined {
  for (const types of typeCandidates(context, operands, isOperator)) {
    for (const candidate of overloads) {
      const type = candidate.resolve(types);
      if (type === undefined) continue;
      return {
        function: candidate,
        type,
        arguments: operands.map((operand, i) => coerce(context, operand, types[i])),
      };
    }
  }
  return undefined;
}

function* typeCandidates(
  context: BindContext,
  operands: readonly Expression[],
  isOperator: boolean,
): Iterable<Type[]> {
  const written = operands.map((operand) => operand.type);
  const open = operands.map((operand) => context.untyped.has(operand));
  const fill = (type: Type): Type[] => written.map((own, i) => (open[i] ? type : own));
  const fillings = [written];
  if (open.includes(true)) {
    const other = operands.find((operand, i) => !open[i] && operand.type !== 'null');
    if (isOperator && other) fillings.unshift(fill(other.type));
    for (const type of literalTypes) fillings.push(fill(type));
  }
  yield* fillings;
  for (const types of fillings) {
    yield types.map((type) => (type === 'integer' ? 'float' : type));
    yield types.map((type) => (type === 'date' ? 'timestamp' : type));
  }
}

/** Operators that are words, and forms whose arguments take one another's type. */
const wordOperators: ReadonlySet<string> = new Set([
  'in',
  'like',
  'ilike',
  'nullif',
  'coalesce',
  'greatest',
  'least',
]);

/** A call of a scalar function or operator by name. */
export function callScalar(
  context: BindContext,
  name: string,
  operands: readonly Expression[],
  place: Place,
): Expression {
  const overloads = context.functions.scalars(name).map((fn) => specialised(context, fn, operands, place));
  const isOperator = !/^[a-z_]/.test(name) || name.includes(' ') || wordOperators.has(name);
  if (overloads.length === 0) throw unknownFunction(context, name, place);
  const resolved = resolveOverload(context, overloads, operands, isOperator);
  if (!resolved) throw noOverload(context, name, operands, isOperator, place);
  return { kind: 'call', ...resolved, place };
}

/** The function that is meant by one whose type its arguments tell. */
function specialised(
  context: BindContext,
  fn: ScalarFunction,
  operands: readonly Expression[],
  place: Place,
): ScalarFunction {
  try {
    return fn.specialise?.(operands) ?? fn;
  } catch (error) {
    if (error instanceof AssayError) throw context.error('type', error.message, place, { cause: error });
    throw error;
  }
}

export function unknownFunction(context: BindContext, name: string, place: Place): AssayError {
  const what = /^[a-z_]/.test(name) ? 'function' : 'operator';
  return context.error('unknown-function', `there is no ${what} ${visibleText(name)}`, place, {
    hint: suggestion(name, context.functions.names()),
  });
}

export function noOverload(
  context: BindContext,
  name: string,
  operands: readonly Expression[],
  isOperator: boolean,
  place: Place,
): AssayError {
  const types = operands.map((operand) => (context.untyped.has(operand) ? 'unknown' : operand.type));
  const text =
    isOperator && types.length === 2 ? `${types[0]} ${name} ${types[1]}` : `${name}(${types.join(', ')})`;
  return context.error(
    'type',
    `${text}: no such ${isOperator ? 'operator' : 'function'} for these types`,
    place,
    {
      hint: 'CAST an argument to the type that it should have',
    },
  );
}
