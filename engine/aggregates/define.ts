/** How aggregate functions are written: with a state of a type of their own. */
import type { AggregateFunction } from '../plan/expression.js';

/** Erases the state's type: a caller only hands it back. */
export function define<S>(aggregate: AggregateFunction<S>): AggregateFunction {
  return aggregate as AggregateFunction<unknown> as AggregateFunction;
}
