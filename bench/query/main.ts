/**
 * The query benchmark. One command prints every engine that is installed:
 *
 *     npx tsx bench/query/main.ts [--scale 0.01,0.1] [--reps 15] [--budget 5000] [--engines floor,plain,captured]
 *
 * Each engine runs in a process of its own. Times are milliseconds; answers are checked against each other.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { generate } from './data.js';
import { captured, type Engine, floor, inNatural, plain, rowsOut } from './engines.js';
import { inIntegrity } from './labels.js';
import { type Measurement, measure } from './measure.js';
import { peers } from './peers.js';
import { queryNames } from './plans.js';
import { report } from './report.js';

const engines: ReadonlyMap<string, Engine> = new Map([
  ['floor', floor],
  ['plain', plain],
  ['captured', captured],
  ['captured-rows', rowsOut],
  ['read-N', inNatural],
  ['read-integrity', inIntegrity],
  ...peers,
]);

const command = new Command()
  .option('--scale <list>', 'scales, separated by commas', '0.01,0.1')
  .option('--reps <n>', 'timed repetitions of a query', '15')
  .option('--budget <ms>', 'time for all repetitions of a query', '5000')
  .option('--engines <list>', 'which engines', [...engines.keys()].join(','))
  .option('--json', 'print measurements as JSON')
  .option('--one <engine>', 'measure one engine in this process (used internally)')
  .parse();
const options = command.opts<{
  scale: string;
  reps: string;
  budget: string;
  engines: string;
  json?: boolean;
  one?: string;
}>();
const limits = { repetitions: Number(options.reps), budget: Number(options.budget) };

if (options.one !== undefined) {
  const engine = engines.get(options.one);
  if (engine === undefined)
    command.error(`unknown engine ${options.one}; known: ${[...engines.keys()].join(', ')}`);
  process.stdout.write(
    JSON.stringify(await measure(engine as Engine, generate(Number(options.scale)), limits)),
  );
  process.exit(0);
}

for (const scale of options.scale.split(',')) {
  const results = new Map<string, readonly Measurement[]>();
  for (const name of options.engines.split(',')) {
    const engine = engines.get(name);
    if (engine === undefined)
      command.error(`unknown engine ${name}; known: ${[...engines.keys()].join(', ')}`);
    const missing = engine?.missing?.();
    if (missing !== undefined) {
      process.stderr.write(`${name}: left out, ${missing}\n`);
      continue;
    }
    const child = spawnSync(
      process.execPath,
      [
        ...process.execArgv,
        '--expose-gc',
        '--max-old-space-size=8192',
        fileURLToPath(import.meta.url),
        '--one',
        name,
        '--scale',
        scale,
        '--reps',
        options.reps,
        '--budget',
        options.budget,
      ],
      { encoding: 'utf8', maxBuffer: 1 << 26 },
    );
    if (child.status !== 0) process.stderr.write(`${name}: ${child.stderr.trim().split('\n').at(-1)}\n`);
    else results.set(name, JSON.parse(child.stdout) as Measurement[]);
  }
  process.stdout.write(
    options.json
      ? `${JSON.stringify({ scale, results: [...results] })}\n`
      : report(scale, results, queryNames),
  );
}
