/**
 * How long the shell takes to start: to the prompt on a terminal, to the first answer, and for a script of
 * one query. It runs the compiled command (`npm run build` first), each time in a process of its own, and
 * reports the median, because the first run of all warms the disk's cache.
 *
 *     npx tsx bench/shell/start.ts [CLI] [RUNS]
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const [cli = fileURLToPath(new URL('../../dist/cli.js', import.meta.url)), runsText = '15'] =
  process.argv.slice(2);
const runs = Math.max(1, Number(runsText));

interface Times {
  readonly prompt: number;
  readonly firstAnswer: number;
}

/** Types a query at the prompt of a shell on a pseudo-terminal, which `script` of util-linux gives. */
function interactive(): Promise<Times> {
  return new Promise((resolve, reject) => {
    const start = performance.now();
    const child = spawn('script', ['-qfc', `node ${cli} repl --no-rc --no-history`, '/dev/null'], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    let screen = '';
    let prompt: number | undefined;
    child.on('error', reject);
    child.stdout.on('data', (chunk: Buffer) => {
      screen += chunk.toString();
      if (prompt === undefined && screen.includes('assay> ')) {
        prompt = performance.now() - start;
        child.stdin.write('SELECT 1;\r');
      }
      if (prompt !== undefined && screen.includes('(1 row)')) {
        const firstAnswer = performance.now() - start;
        child.stdin.end('.exit\r');
        child.on('close', () => resolve({ prompt: prompt ?? 0, firstAnswer }));
        screen = '';
      }
    });
  });
}

/** A script of one query. */
function scripted(args: readonly string[]): Promise<number> {
  return new Promise((resolve, reject) => {
    const start = performance.now();
    const child = spawn(process.execPath, [cli, ...args], { stdio: ['ignore', 'ignore', 'inherit'] });
    child.on('error', reject);
    child.on('close', (code) =>
      code === 0 ? resolve(performance.now() - start) : reject(new Error(`exit code ${code}`)),
    );
  });
}

async function series<T>(once: () => Promise<T>): Promise<T[]> {
  const all: T[] = [];
  await once();
  for (let i = 0; i < runs; i++) all.push(await once());
  return all;
}

function report(what: string, milliseconds: readonly number[], bar?: number): void {
  const sorted = milliseconds.toSorted((a, b) => a - b);
  const at = (share: number): string =>
    `${sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))].toFixed(0)} ms`;
  console.log(
    `${what.padEnd(34)} median ${at(0.5)}, least ${at(0)}, 90% within ${at(0.9)}${bar === undefined ? '' : `; bar ${bar} ms`}`,
  );
}

if (!existsSync(cli)) throw new Error(`${cli} is not there: npm run build makes it`);
report(
  'node itself',
  await series(
    () =>
      new Promise<number>((resolve) => {
        const start = performance.now();
        spawn(process.execPath, ['-e', '0']).on('close', () => resolve(performance.now() - start));
      }),
  ),
);
const typed = await series(interactive);
report(
  'to the prompt',
  typed.map((times) => times.prompt),
  250,
);
report(
  'to the first answer, typed at once',
  typed.map((times) => times.firstAnswer),
  400,
);
report("assay query 'SELECT 1'", await series(() => scripted(['query', 'SELECT 1'])), 400);
