/**
 * How time and memory grow with the data: the eight queries with provenance at rising scales, each in a
 * process of its own. Linear growth keeps the last columns level.
 *
 *     npx tsx bench/query/growth.ts [--scale 0.01,0.03,0.1,0.3,1] [--reps 3]
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import Table from 'cli-table3';
import { Command } from 'commander';
import { generate } from './data.js';
import { captured } from './engines.js';
import { queryNames } from './plans.js';

const options = new Command()
  .option('--scale <list>', 'scales, separated by commas', '0.01,0.03,0.1,0.3,1')
  .option('--reps <n>', 'timed repetitions of a query', '3')
  .option('--one', 'measure the scale in this process (used internally)')
  .parse()
  .opts<{ scale: string; reps: string; one?: boolean }>();

interface Grown {
  readonly lines: number;
  readonly loading: number;
  /** Of all queries together: the fastest run of each, milliseconds. */
  readonly times: { readonly [query: string]: number };
  readonly provenance: number;
  /** Resident memory after everything, bytes. */
  readonly resident: number;
}

async function grow(scale: number, repetitions: number): Promise<Grown> {
  const data = generate(scale);
  const begun = performance.now();
  const prepared = await captured.setup(data);
  const loading = performance.now() - begun;
  const times: { [query: string]: number } = {};
  let provenance = 0;
  for (const query of queryNames) {
    let best = Number.POSITIVE_INFINITY;
    for (let i = 0; i <= repetitions; i++) {
      globalThis.gc?.();
      const start = performance.now();
      const result = await prepared.run(query);
      best = Math.min(best, performance.now() - start);
      if (i === 0) provenance += prepared.figures?.(result).bytes ?? 0;
      prepared.release?.(result);
    }
    times[query] = best;
  }
  const lines = data.get('lineitem')?.rows ?? 0;
  return { lines, loading, times, provenance, resident: process.memoryUsage().rss };
}

if (options.one) {
  process.stdout.write(JSON.stringify(await grow(Number(options.scale), Number(options.reps))));
  process.exit(0);
}

const table = new Table({
  head: ['scale', 'line items', 'load s', ...queryNames, 'us a line', 'bytes a line', 'RSS MB'],
  style: { head: [], border: [] },
});
for (const scale of options.scale.split(',')) {
  const child = spawnSync(
    process.execPath,
    [
      ...process.execArgv,
      ...['--expose-gc', '--max-old-space-size=8192', fileURLToPath(import.meta.url)],
      ...['--one', '--scale', scale, '--reps', options.reps],
    ],
    { encoding: 'utf8', maxBuffer: 1 << 24 },
  );
  if (child.status !== 0) {
    process.stderr.write(`scale ${scale} stopped: ${child.stderr.trim()}\n`);
    continue;
  }
  const grown = JSON.parse(child.stdout) as Grown;
  const total = queryNames.reduce((sum, query) => sum + grown.times[query], 0);
  table.push([
    scale,
    grown.lines,
    (grown.loading / 1000).toFixed(1),
    ...queryNames.map((query) => grown.times[query].toFixed(1)),
    ((1000 * total) / grown.lines).toFixed(3),
    (grown.provenance / grown.lines).toFixed(1),
    (grown.resident / 1e6).toFixed(0),
  ]);
}
process.stdout.write(`best of ${options.reps}, milliseconds\n${table.toString()}\n`);
