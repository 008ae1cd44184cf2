/** What was measured at one scale: the runs of several processes put together, and figures of them. */
import type { Measurement } from './measure.js';
import { type QueryName, queryNames } from './plans.js';

/** How the error of a query begins that took longer than the limit. */
export const unfinished = 'not finished';

export type Figure = 'median' | 'best';

export class Results {
  readonly scale: number;
  readonly #cells = new Map<string, Map<QueryName, Measurement>>();

  constructor(scale: number) {
    this.scale = scale;
  }

  add(measurements: readonly Measurement[]): void {
    for (const measured of measurements) {
      const row = this.#cells.get(measured.engine) ?? new Map<QueryName, Measurement>();
      this.#cells.set(measured.engine, row);
      const before = row.get(measured.query);
      row.set(
        measured.query,
        before === undefined ? measured : { ...measured, times: [...before.times, ...measured.times] },
      );
    }
  }

  all(): readonly Measurement[] {
    return [...this.#cells.values()].flatMap((row) => [...row.values()]);
  }

  get engines(): readonly string[] {
    return [...this.#cells.keys()];
  }

  of(engine: string, query: QueryName): Measurement | undefined {
    return this.#cells.get(engine)?.get(query);
  }

  /** Milliseconds; infinite where the engine did not finish, NaN where it was not asked. */
  time(engine: string, query: QueryName, figure: Figure): number {
    const found = this.of(engine, query);
    if (found?.error?.startsWith(unfinished) && found.times.length === 0) return Number.POSITIVE_INFINITY;
    const times = [...(found?.times ?? [])].sort((a, b) => a - b);
    return times[figure === 'best' ? 0 : times.length >> 1] ?? Number.NaN;
  }

  times(engine: string, figure: Figure): number[] {
    return queryNames.map((query) => this.time(engine, query, figure));
  }

  /**
   * How many times as long the first took as the second, query by query; undefined where one was not
   * measured.
   */
  ratios(first: string, second: string, figure: Figure): readonly number[] | undefined {
    if (!this.#cells.has(first) || !this.#cells.has(second)) return undefined;
    const others = this.times(second, figure);
    return this.times(first, figure).map((time, i) => time / others[i]);
  }

  /** Bytes of provenance a derivation, where the engine counted them. */
  bytes(engine: string, query: QueryName): number | undefined {
    const figures = this.of(engine, query)?.figures;
    if (figures?.bytes === undefined) return undefined;
    return figures.bytes / Math.max(1, figures.derivations);
  }
}

export function geometricMean(values: readonly number[]): number {
  const known = values.filter(Number.isFinite);
  return Math.exp(known.reduce((sum, value) => sum + Math.log(value), 0) / known.length);
}
