/**
 * The query benchmark. One command prints every engine that is installed, and whether the bars are met:
 *
 *     npm run bench query -- [--scale 0.01,0.1] [--reps 15] [--rounds 3] [--budget 5000]
 *       [--engines floor,plain]
 *
 * The floor, our plain run and the one with provenance share a process and take turns; each peer has a
 * process of its own, and the processes take turns too (`--rounds`). Times are milliseconds; answers are
 * checked against each other.
 */
import { spawnSync } from 'node:child_process';
import { writeSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { generate } from './data.js';
import { captured, type Engine, floor, inNatural, plain, rowsOut } from './engines.js';
import { inIntegrity } from './labels.js';
import { type Measurement, measure } from './measure.js';
import { peers } from './peers/index.js';
import { type QueryName, queryNames } from './plans.js';
import { report } from './report.js';
import { Results, unfinished } from './results.js';
import { throughSql, throughSqlPlanned } from './through-sql.js';
import { verdict } from './verdict.js';

/** Our own engines, those together that share a process: their ratios are what is asked for. */
const own: readonly (readonly (readonly [string, Engine])[])[] = [
  [
    ['floor', floor],
    ['plain', plain],
    ['captured', captured],
  ],
  [['captured-rows', rowsOut]],
  [
    ['read-N', inNatural],
    ['read-integrity', inIntegrity],
  ],
  [
    ['sql', throughSql],
    ['sql-plan-only', throughSqlPlanned],
  ],
];
const engines: ReadonlyMap<string, Engine> = new Map([...own.flat(), ...peers]);

const command = new Command()
  .option('--scale <list>', 'scales, separated by commas', '0.01,0.1')
  .option('--reps <n>', 'timed repetitions of a query, in all rounds together', '15')
  .option('--rounds <n>', 'how often the processes take turns', '3')
  .option('--budget <ms>', 'time for all repetitions of a query by one engine', '5000')
  .option('--limit <s>', 'seconds for one process; a query that is not done by then is left out', '120')
  .option('--engines <list>', 'which engines', [...engines.keys()].join(','))
  .option('--queries <list>', 'which queries (used internally)', queryNames.join(','))
  .option('--json', 'print measurements as JSON')
  .option('--one <list>', 'measure these engines in this process (used internally)')
  .parse();
const options = command.opts<{
  scale: string;
  reps: string;
  rounds: string;
  budget: string;
  limit: string;
  engines: string;
  queries: string;
  json?: boolean;
  one?: string;
}>();
const rounds = Math.max(1, Number(options.rounds));

function engineOf(name: string): Engine {
  const engine = engines.get(name);
  return engine ?? command.error(`unknown engine ${name}; known: ${[...engines.keys()].join(', ')}`);
}

if (options.one !== undefined) {
  const chosen = options.one.split(',').map((name) => [name, engineOf(name)] as const);
  const limits = {
    repetitions: Math.ceil(Number(options.reps) / rounds),
    budget: Number(options.budget) / rounds,
  };
  // A line a query, so that what was measured is kept when the process is stopped. Synchronous, for the same
  // reason.
  for await (const measured of measure(
    chosen,
    generate(Number(options.scale)),
    limits,
    options.queries.split(',') as QueryName[],
  ))
    writeSync(1, `${JSON.stringify(measured)}\n`);
  process.exit(0);
}

/** The names of the engines of each process. */
function processes(names: readonly string[]): string[][] {
  const together = own.map((group) => group.map(([name]) => name).filter((name) => names.includes(name)));
  const apart = peers.flatMap(([name, engine]) => {
    if (!names.includes(name)) return [];
    const missing = engine.missing?.();
    if (missing !== undefined) process.stderr.write(`${name}: left out, ${missing}\n`);
    return missing === undefined ? [[name]] : [];
  });
  return [...together.filter((group) => group.length > 0), ...apart];
}

/**
 * Measures in a process of its own; a query that takes longer than the limit is left behind, and the next
 * begun.
 */
function runProcess(names: readonly string[], scale: string): Measurement[] {
  const all: Measurement[] = [];
  let queries: readonly QueryName[] = queryNames;
  while (queries.length > 0) {
    const { measured, reason } = runQueries(names, scale, queries);
    all.push(...measured);
    if (reason === undefined) break;
    process.stderr.write(`${names.join(',')}: ${reason}\n`);
    const [stuck, ...rest] = queries.filter((query) => !measured.some((one) => one.query === query));
    if (stuck === undefined) break;
    const lost = reason.startsWith(unfinished) ? [stuck] : [stuck, ...rest];
    for (const engine of names)
      for (const query of lost)
        all.push({ engine, query, times: [], checksum: undefined, figures: {}, error: reason });
    queries = reason.startsWith(unfinished) ? rest : [];
  }
  return all;
}

/** What was measured, and why not all of it. */
function runQueries(
  names: readonly string[],
  scale: string,
  queries: readonly QueryName[],
): { measured: Measurement[]; reason?: string } {
  const { reps, budget, limit } = options;
  const child = spawnSync(
    process.execPath,
    [
      ...process.execArgv,
      '--expose-gc',
      // Collections come far more often than in use; code that waits for its turn must not be thrown away by
      // them.
      '--no-flush-bytecode',
      '--max-old-space-size=8192',
      fileURLToPath(import.meta.url),
      ...['--one', names.join(','), '--queries', queries.join(',')],
      ...['--scale', scale, '--reps', reps, '--rounds', options.rounds, '--budget', budget],
    ],
    { encoding: 'utf8', maxBuffer: 1 << 26, timeout: 1000 * Number(limit) },
  );
  const measured = child.stdout
    .split('\n')
    .flatMap((line) => (line === '' ? [] : (JSON.parse(line) as Measurement[])));
  if (child.status === 0) return { measured };
  return { measured, reason: child.signal === null ? child.stderr.trim() : `${unfinished} in ${limit} s` };
}

const wanted = options.engines.split(',');
wanted.forEach(engineOf);
const groups = processes(wanted);
for (const scale of options.scale.split(',')) {
  const results = new Results(Number(scale));
  const stopped = new Set<readonly string[]>();
  for (let round = 0; round < rounds; round++) {
    for (const group of groups) {
      if (stopped.has(group)) continue;
      const measured = runProcess(group, scale);
      if (measured.some((one) => one.times.length === 0)) stopped.add(group);
      results.add(measured);
    }
  }
  if (options.json) process.stdout.write(`${JSON.stringify({ scale, results: results.all() })}\n`);
  else process.stdout.write(`${report(results)}\n${verdict(results)}\n`);
}
