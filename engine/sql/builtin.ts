/** The engine's own functions, under the names by which SQL calls them. */

import * as operators from '../operators/index.js';
import type { ScalarFunction } from '../plan/expression.js';

function isScalarFunction(value: unknown): value is ScalarFunction {
  return typeof value === 'object' && value !== null && 'evaluate' in value && 'resolve' in value;
}

/** Operators, LIKE, IN, IS …, COALESCE, NULLIF, GREATEST, LEAST, contains. */
export const builtinScalars: readonly ScalarFunction[] = Object.values(operators).filter(isScalarFunction);
