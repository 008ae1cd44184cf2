/** Times one engine in this process: warm-up, then runs with a collection before each. */
import { checksum, type Database } from './data.js';
import type { Engine } from './engines.js';
import { type QueryName, queryNames } from './plans.js';

export interface Measurement {
  readonly query: QueryName;
  readonly median: number;
  readonly best: number;
  readonly checksum: string | undefined;
  readonly figures: { readonly [name: string]: number };
  readonly error?: string;
}

export interface MeasureOptions {
  readonly repetitions: number;
  /** Milliseconds for all repetitions of one query. */
  readonly budget: number;
  readonly queries?: readonly QueryName[];
}

export async function measure(engine: Engine, db: Database, options: MeasureOptions): Promise<Measurement[]> {
  const prepared = await engine.setup(db);
  const results: Measurement[] = [];
  for (const query of options.queries ?? queryNames) {
    try {
      const first = await prepared.run(query);
      const sum = prepared.rows && checksum(prepared.rows(first));
      const figures = prepared.figures?.(first) ?? {};
      prepared.release?.(first);
      const times: number[] = [];
      const started = performance.now();
      for (
        let i = 0;
        i < options.repetitions + 1 && (i < 2 || performance.now() - started < options.budget);
        i++
      ) {
        globalThis.gc?.();
        const start = performance.now();
        const result = await prepared.run(query);
        const time = performance.now() - start;
        prepared.release?.(result);
        if (i > 0) times.push(time);
      }
      times.sort((a, b) => a - b);
      results.push({ query, median: times[times.length >> 1], best: times[0], checksum: sum, figures });
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      results.push({
        query,
        median: Number.NaN,
        best: Number.NaN,
        checksum: undefined,
        figures: {},
        error: message,
      });
    }
  }
  return results;
}
