/** Small constructors of scalar functions and of expressions that call them. */
import { AssayError } from '../../semiring/message/error.js';
import type { Expression, ScalarFunction } from '../plan/expression.js';
import type { Type, Value } from '../value/value.js';

/** What a scalar function may declare besides. */
export type Declared = Pick<ScalarFunction, 'strict' | 'cost' | 'rejects' | 'share'>;

/** A strict function with its rule of types. */
export function scalar(
  name: string,
  resolve: (types: readonly Type[]) => Type | undefined,
  evaluate: (values: readonly Value[], types: readonly Type[]) => Value,
  declared: Declared = {},
): ScalarFunction {
  return { name, resolve, evaluate, ...declared };
}

/** A call with its type resolved. @throws AssayError `engine/no-such-function` where the types do not fit */
export function call(fn: ScalarFunction, ...operands: readonly Expression[]): Expression {
  const types = operands.map((operand) => operand.type);
  const type = fn.resolve(types);
  if (type === undefined) {
    throw new AssayError('engine/no-such-function', `${fn.name} does not take (${types.join(', ')})`);
  }
  return { kind: 'call', function: fn, arguments: operands, type };
}

export function isNumber(type: Type): boolean {
  return type === 'integer' || type === 'float' || type === 'null';
}

/** The type to which both convert without loss of meaning, or undefined. */
export function commonType(a: Type, b: Type): Type | undefined {
  if (a === b || b === 'null') return a;
  if (a === 'null') return b;
  if (isNumber(a) && isNumber(b)) return 'float';
  if ((a === 'date' && b === 'timestamp') || (a === 'timestamp' && b === 'date')) return 'timestamp';
  return undefined;
}
