/** Constants and parameters. */
import type { A_Const, ParamRef } from 'libpg-query';
import type { Expression } from '../../plan/expression.js';
import { integer } from '../../value/external.js';
import type { BindContext } from '../context.js';

export function bindConstant(constant: A_Const, context: BindContext): Expression {
  const place = context.place(constant.location);
  if (constant.isnull) return { kind: 'literal', value: null, type: 'null', place };
  if (constant.boolval)
    return { kind: 'literal', value: constant.boolval.boolval ?? false, type: 'boolean', place };
  if (constant.ival) return { kind: 'literal', value: constant.ival.ival ?? 0, type: 'integer', place };
  if (constant.fval) {
    const written = constant.fval.fval ?? '0';
    const literal: Expression = { kind: 'literal', ...number(written), place };
    if (literal.type === 'float') context.numerals.set(literal, written.replaceAll('_', ''));
    return literal;
  }
  const text: Expression = { kind: 'literal', value: constant.sval?.sval ?? '', type: 'text', place };
  context.untyped.add(text);
  return text;
}

/** A number past 32 bits or with a point or an exponent; the parser hands it over as it is written. */
function number(written: string): { readonly value: number | bigint; readonly type: 'integer' | 'float' } {
  const digits = written.replaceAll('_', '');
  if (/^[+-]?(\d+|0[xob][\da-f]+)$/i.test(digits)) return { value: integer(BigInt(digits)), type: 'integer' };
  return { value: Number(digits), type: 'float' };
}

export function bindParameter(parameter: ParamRef, context: BindContext): Expression {
  const place = context.place(parameter.location);
  const index = (parameter.number ?? 0) - 1;
  const type = context.parameterTypes[index];
  if (type === undefined) {
    const given = context.parameterTypes.length;
    throw context.error('parameter', `there is no value for parameter $${index + 1}`, place, {
      hint: given === 0 ? 'no parameters were given' : `${given} were given`,
    });
  }
  const expression: Expression = { kind: 'parameter', index, type, place };
  if (type === 'text') context.untyped.add(expression);
  return expression;
}
