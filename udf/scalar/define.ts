/**
 * Declaring library functions by their argument types. An argument type `number` takes integers and floats,
 * NULL fits everywhere, and text arguments arrive as strings.
 */

import { scalar } from '../../engine/operators/define.js';
import type { ScalarFunction } from '../../engine/plan/expression.js';
import type { Type, Value } from '../../engine/value/value.js';
import { AssayError } from '../../semiring/message/error.js';

export type ParameterType = Type | 'number' | 'time' | 'any';

/** @param optional how many of the last parameters may be left out */
export function define(
  name: string,
  parameters: readonly ParameterType[],
  result: Type | ((types: readonly Type[]) => Type),
  evaluate: (values: readonly Value[], types: readonly Type[]) => Value,
  optional = 0,
): ScalarFunction {
  return scalar(
    name,
    (types) => {
      if (types.length > parameters.length || types.length < parameters.length - optional) return undefined;
      if (!types.every((type, i) => fits(type, parameters[i]))) return undefined;
      return typeof result === 'function' ? result(types) : result;
    },
    evaluate,
  );
}

/** A function from texts to something. */
export function ofTexts(
  name: string,
  count: number,
  result: Type,
  evaluate: (...texts: string[]) => Value,
): ScalarFunction {
  return define(name, Array<ParameterType>(count).fill('text'), result, (values) =>
    evaluate(...values.map(String)),
  );
}

function fits(type: Type, parameter: ParameterType): boolean {
  if (type === 'null' || parameter === 'any') return true;
  if (parameter === 'number') return type === 'integer' || type === 'float';
  if (parameter === 'time') return type === 'date' || type === 'timestamp';
  return type === parameter;
}

/** A function that refuses these values. */
export function badArgument(name: string, reason: string): AssayError {
  return new AssayError('udf/bad-argument', `${name}: ${reason}`);
}
