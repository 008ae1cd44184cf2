/** The scalar function library: what SQL calls by name besides the engine's own operators. */
import type { ScalarFunction } from '../../engine/plan/expression.js';
import { dateFunctions } from './date.js';
import { jsonFunctions } from './json.js';
import { mathFunctions } from './math.js';
import { regexpFunctions } from './regexp.js';
import { textFunctions } from './text.js';
import { formatFunctions } from './to-char.js';

export { define as defineScalar, type ParameterType } from './define.js';
export { dateFunctions, formatFunctions, jsonFunctions, mathFunctions, regexpFunctions, textFunctions };

/** All of them, to register in a catalog of functions. */
export const scalarLibrary: readonly ScalarFunction[] = [
  ...textFunctions,
  ...regexpFunctions,
  ...mathFunctions,
  ...dateFunctions,
  ...formatFunctions,
  ...jsonFunctions,
];
