/**
 * Types that the surroundings decide: literals in quotes, NULL, and the common type of several expressions. A
 * literal is converted when it is bound, so a bad date is an error with a place, before any row is read.
 */
import { AssayError } from '../../semiring/message/error.js';
import { withoutTrailingSpaces } from '../constraints/size.js';
import { canCast, castValue } from '../operators/cast.js';
import { commonType } from '../operators/define.js';
import type { Expression, Place, ScalarFunction } from '../plan/expression.js';
import { fitDecimal } from '../value/decimal.js';
import { integer } from '../value/external.js';
import type { Type, Value } from '../value/value.js';
import type { BindContext } from './context.js';
import type { NamedType, TypeModifier } from './type-name.js';

const start: Place = { offset: 0 };

/** The expression as one of `type`; converts literals, inserts a cast elsewhere. */
export function coerce(context: BindContext, expression: Expression, type: Type): Expression {
  if (expression.type === type) return expression;
  if (expression.kind === 'literal') {
    if (expression.value === null) return { ...expression, type };
    if (context.untyped.has(expression) && typeof expression.value === 'string') {
      return {
        ...expression,
        type,
        value: literalValue(context, expression.value, type, expression.place ?? start),
      };
    }
    if (expression.type === 'integer' && type === 'float')
      return { ...expression, type, value: Number(expression.value) };
    const numeral = context.numerals.get(expression);
    if (numeral !== undefined && type === 'integer')
      return { ...expression, type, value: roundedNumeral(numeral) };
  }
  if (!canCast(expression.type, type)) {
    throw context.error('type', `cannot cast ${expression.type} to ${type}`, expression.place ?? start);
  }
  return { kind: 'cast', argument: expression, type, place: expression.place };
}

/** To the nearest integer, halves away from zero, as PostgreSQL rounds numerics. */
function roundedNumeral(written: string): number | bigint {
  const [, sign, digits, fraction, exponent] = /^([+-]?)(\d*)\.?(\d*)(?:e([+-]?\d+))?$/i.exec(written) ?? [];
  const shift = Number(exponent ?? 0);
  // A numeral past the range of doubles is no integer that anyone can use.
  if (digits === undefined || Math.abs(shift) > 400) return Math.round(Number(written));
  const moved = (digits + fraction).padEnd(digits.length + shift, '0');
  const point = digits.length + shift;
  const whole = BigInt(point > 0 ? moved.slice(0, point) : '0');
  const size = whole + (point >= 0 && (moved[point] ?? '0') >= '5' ? 1n : 0n);
  return integer(sign === '-' ? -size : size);
}

/** The value that a quoted text means as a literal of `type`. */
function literalValue(context: BindContext, text: string, type: Type, place: Place): Value {
  try {
    return castValue(text, 'text', type);
  } catch (error) {
    if (!(error instanceof AssayError)) throw error;
    throw context.error('invalid-literal', error.message, place, { hint: formats.get(type), cause: error });
  }
}

const formats: ReadonlyMap<Type, string> = new Map<Type, string>([
  ['date', "write it as '2026-01-31'"],
  ['timestamp', "write it as '2026-01-31 23:59:00'"],
  ['interval', "write it as '2 days 03:00:00'"],
  ['boolean', "write it as 'true' or 'false'"],
]);

/**
 * The type that several expressions share, and each brought to it.
 * @param what completes the error: "… types integer and text cannot be matched"
 */
export function unify(
  context: BindContext,
  expressions: readonly Expression[],
  what: string,
): { readonly type: Type; readonly expressions: readonly Expression[] } {
  const type = commonTypeOf(context, expressions, what);
  return { type, expressions: expressions.map((expression) => coerce(context, expression, type)) };
}

export function commonTypeOf(context: BindContext, expressions: readonly Expression[], what: string): Type {
  let type: Type | undefined;
  for (const expression of expressions) {
    if (expression.type === 'null' || context.untyped.has(expression)) continue;
    const next = type === undefined ? expression.type : commonType(type, expression.type);
    if (next === undefined) {
      throw context.error(
        'type',
        `${what} types ${type} and ${expression.type} cannot be matched`,
        expression.place ?? start,
        { hint: `write CAST(… AS ${type})` },
      );
    }
    type = next;
  }
  return type ?? 'text';
}

/** `CAST(expression AS type)` */
export function castTo(
  context: BindContext,
  expression: Expression,
  named: NamedType,
  place: Place,
): Expression {
  const { type, modifier } = named;
  let argument = expression;
  if (
    modifier?.kind === 'unit' &&
    argument.kind === 'literal' &&
    context.untyped.has(argument) &&
    typeof argument.value === 'string' &&
    /^\s*[+-]?\d+(\.\d+)?\s*$/.test(argument.value)
  ) {
    argument = { ...argument, value: `${argument.value} ${modifier.unit}` };
    context.untyped.add(argument);
  }
  // What is cast to a double is rounded as a double from then on.
  if (type === 'float' && context.numerals.has(argument)) argument = { ...argument };
  const converted = coerce(context, argument, type);
  if (!modifier || modifier.kind === 'unit')
    return converted === argument ? argument : { ...converted, place };
  const made = modifierFunction(modifier);
  const known = context.modifiers.get(made.name) ?? made;
  context.modifiers.set(known.name, known);
  return { kind: 'call', function: known, arguments: [converted], type, place };
}

/**
 * What a type in parentheses does to a value: `varchar(n)` cuts, `numeric(p, s)` rounds and checks the
 * digits.
 */
function modifierFunction(modifier: Exclude<TypeModifier, { kind: 'unit' }>): ScalarFunction {
  if (modifier.kind === 'length') {
    const { length, fixed } = modifier;
    const cut = (text: string) => (text.length > length ? [...text].slice(0, length).join('') : text);
    return {
      name: `${fixed ? 'char' : 'varchar'}(${length})`,
      resolve: ([type]) => (type === 'text' ? type : undefined),
      evaluate: ([value]) => {
        if (typeof value !== 'string') return value;
        return fixed ? withoutTrailingSpaces(cut(value)) : cut(value);
      },
    };
  }
  const { precision, scale } = modifier;
  const name = `numeric(${precision}, ${scale})`;
  return {
    name,
    resolve: ([type]) => (type === 'float' ? type : undefined),
    evaluate: ([value]) => {
      const rounded = fitDecimal(Number(value), precision, scale);
      if (rounded === undefined)
        throw new AssayError('engine/bad-cast', `${String(value)} does not fit ${name}`);
      return rounded;
    },
  };
}
