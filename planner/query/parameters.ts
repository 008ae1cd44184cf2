/** Values from outside as parameters of a query: each gets a type from what it is. */
import { integer, internal } from '../../engine/value/external.js';
import { checkJsonDepth } from '../../engine/value/json-depth.js';
import type { Type, Value } from '../../engine/value/value.js';
import { AssayError } from '../../semiring/message/error.js';

/** A text adapts to what it is compared with, as a literal in quotes does; a Date is a timestamp. */
export type Parameter =
  | null
  | boolean
  | number
  | bigint
  | string
  | Date
  | readonly unknown[]
  | { readonly [key: string]: unknown };

export interface TypedParameters {
  readonly types: readonly Type[];
  readonly values: readonly Value[];
}

/** @throws AssayError `query/parameter`, `engine/too-deep` */
export function parametersOf(parameters: readonly Parameter[]): TypedParameters {
  const typed = parameters.map(typeAndValue);
  return { types: typed.map(([type]) => type), values: typed.map(([, value]) => value) };
}

function typeAndValue(parameter: Parameter, i: number): readonly [Type, Value] {
  if (parameter === null) return ['null', null];
  switch (typeof parameter) {
    case 'boolean':
      return ['boolean', parameter];
    case 'bigint':
      return ['integer', integer(parameter)];
    case 'number':
      return Number.isSafeInteger(parameter) ? ['integer', parameter + 0] : ['float', parameter];
    case 'string':
      return ['text', parameter];
    case 'object': {
      const type = parameter instanceof Date ? 'timestamp' : 'json';
      const value = internal(parameter, type);
      if (type === 'json') checkJsonDepth(value, `parameter $${i + 1}`);
      if (value !== undefined) return [type, value];
    }
  }
  throw new AssayError('query/parameter', `parameter $${i + 1}: a ${typeof parameter} is not a value of SQL`);
}

/** An outside value as one of a known type. @throws AssayError `query/parameter` */
export function valueOfType(given: unknown, type: Type, column: string): Value {
  const value = internal(given, type);
  if (value !== undefined) return value;
  throw new AssayError(
    'query/parameter',
    `column ${JSON.stringify(column)} is of type ${type}, not ${typeof given}`,
  );
}
