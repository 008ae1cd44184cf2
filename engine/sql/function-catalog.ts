/**
 * The functions that SQL may name. The engine's operators and the scalar library come in through the same
 * door, so a user's function is a first-class one; overloads under one name are tried in order.
 */
import type { AggregateFunction, ScalarFunction } from '../plan/expression.js';

export interface FunctionCatalog {
  /** Overloads under a lower-case name; operators are named by their sign: `+`, `=`, `like`. */
  scalars(name: string): readonly ScalarFunction[];
  aggregates(name: string): readonly AggregateFunction[];
  /** Every name that can be called, for hints. */
  names(): Iterable<string>;
}

/** A catalog in memory. Later additions are tried after earlier ones. */
export class Functions implements FunctionCatalog {
  readonly #scalars = new Map<string, ScalarFunction[]>();
  readonly #aggregates = new Map<string, AggregateFunction[]>();

  constructor(
    scalars: Iterable<ScalarFunction> = [],
    aggregates: Iterable<AggregateFunction<never> | AggregateFunction> = [],
  ) {
    for (const scalar of scalars) this.addScalar(scalar);
    for (const aggregate of aggregates) this.addAggregate(aggregate as AggregateFunction);
  }

  addScalar(scalar: ScalarFunction): void {
    add(this.#scalars, scalar.name, scalar);
  }

  addAggregate(aggregate: AggregateFunction): void {
    add(this.#aggregates, aggregate.name, aggregate);
  }

  scalars(name: string): readonly ScalarFunction[] {
    return this.#scalars.get(name) ?? [];
  }

  aggregates(name: string): readonly AggregateFunction[] {
    return this.#aggregates.get(name) ?? [];
  }

  *names(): Iterable<string> {
    for (const name of this.#scalars.keys()) if (/^[a-z_]/.test(name)) yield name;
    yield* this.#aggregates.keys();
  }
}

function add<F>(into: Map<string, F[]>, name: string, item: F): void {
  const key = name.toLowerCase();
  const known = into.get(key);
  if (known) known.push(item);
  else into.set(key, [item]);
}
