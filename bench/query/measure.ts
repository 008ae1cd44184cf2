/**
 * Times engines in this process. Engines that share a process take turns run by run, so that a ratio of two
 * of them holds on a machine that others use too; a collection comes before every run.
 */
import { checksum, type Database } from './data.js';
import type { Engine, Prepared } from './engines.js';
import type { QueryName } from './plans.js';

export interface Measurement {
  readonly engine: string;
  readonly query: QueryName;
  /** Milliseconds of each run after the warm-up. */
  readonly times: readonly number[];
  readonly checksum: string | undefined;
  readonly figures: { readonly [name: string]: number };
  readonly error?: string;
}

export interface MeasureOptions {
  readonly repetitions: number;
  /** Milliseconds for all repetitions of one query by one engine; two runs are made in any case. */
  readonly budget: number;
}

const warmUp = 2;

/** Gives the measurements of one query after the other. */
export async function* measure(
  engines: readonly (readonly [string, Engine])[],
  db: Database,
  options: MeasureOptions,
  queries: readonly QueryName[],
): AsyncGenerator<readonly Measurement[]> {
  const prepared: (readonly [string, Prepared])[] = [];
  for (const [name, engine] of engines) prepared.push([name, await engine.setup(db)]);
  for (const query of queries) yield await measureQuery(query, prepared, options);
}

async function measureQuery(
  query: QueryName,
  engines: readonly (readonly [string, Prepared])[],
  { repetitions, budget }: MeasureOptions,
): Promise<Measurement[]> {
  const running: Running[] = [];
  for (const [name, prepared] of engines) running.push(await start(name, query, prepared));
  for (let i = 1; i < repetitions + warmUp; i++) {
    for (const one of running) {
      if (one.error !== undefined || (one.spent > budget && one.times.length > 0)) continue;
      const time = await timeOf(query, one.prepared);
      one.spent += time;
      if (i >= warmUp || one.spent > budget) one.times.push(time);
    }
  }
  return running.map(({ engine, times, sum, figures, error }) => ({
    engine,
    query,
    times,
    checksum: sum,
    figures,
    error,
  }));
}

interface Running {
  readonly engine: string;
  readonly prepared: Prepared;
  readonly times: number[];
  readonly sum: string | undefined;
  readonly figures: { readonly [name: string]: number };
  readonly error?: string;
  spent: number;
}

/** The first run: its answer is looked at, its time only counts against the budget. */
async function start(engine: string, query: QueryName, prepared: Prepared): Promise<Running> {
  const begun = performance.now();
  try {
    const first = await prepared.run(query);
    const spent = performance.now() - begun;
    const sum = prepared.rows && checksum(prepared.rows(first));
    const figures = prepared.figures?.(first) ?? {};
    prepared.release?.(first);
    return { engine, prepared, times: [], sum, figures, spent };
  } catch (thrown) {
    const error = thrown instanceof Error ? thrown.message : String(thrown);
    return { engine, prepared, times: [], sum: undefined, figures: {}, error, spent: 0 };
  }
}

async function timeOf(query: QueryName, prepared: Prepared): Promise<number> {
  globalThis.gc?.();
  const begun = performance.now();
  const result = await prepared.run(query);
  const time = performance.now() - begun;
  prepared.release?.(result);
  return time;
}
