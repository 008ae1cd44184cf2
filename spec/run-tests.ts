/**
 * `node dist/spec/spec/run-tests.js [FILE...]`: runs the bundled tests, all or those of the source files that
 * are named, as many at a time as there are cores. All processes share one seed.
 */
import { readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { run } from 'node:test';
import { spec as SpecReporter } from 'node:test/reporters';
import { fileURLToPath } from 'node:url';
import { seed } from './seed.js';

const root = fileURLToPath(new URL('..', import.meta.url));

const all = readdirSync(join(root, 'spec'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.test.ts'))
  .map((file) => join('spec', file))
  .sort();
const named = process.argv.slice(2).map((file) => relative(root, resolve(file)));
for (const file of named) if (!all.includes(file)) throw new Error(`${file} is no test of the specification`);

process.env.ASSAY_SEED = `${seed}`;
const chosen = named.length > 0 ? named : all;
const files = chosen.map((file) => join(root, 'dist', 'spec', file.replace(/ts$/, 'js')));
run({ files, concurrency: availableParallelism() })
  .on('test:fail', () => {
    process.exitCode = 1;
  })
  .compose(new SpecReporter())
  .pipe(process.stdout);
