/**
 * One seed fixes every random choice of the specification: a run with the seed that a failure printed makes
 * the same choices and fails in the same way. No test takes its chances from elsewhere.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { program } from './program.js';

const root = fileURLToPath(new URL('.', import.meta.url));

function choices(seed: string) {
  const run = spawnSync(process.execPath, program('spec/seed-child.ts'), {
    encoding: 'utf8',
    env: { ...process.env, ASSAY_SEED: seed },
  });
  const [, printed = ''] = /^ASSAY_SEED=(\d+) makes/m.exec(run.stderr) ?? [];
  const [counterexample] = /\{ seed: .*\nCounterexample: .*/.exec(run.stderr) ?? [];
  return { chosen: run.stdout, counterexample, printed };
}

describe('a seed', () => {
  it('that a failing run prints makes its choices and its failure again', () => {
    const first = choices('');
    assert.match(first.printed, /^\d+$/);
    assert.ok(first.chosen.length > 100 && first.counterexample !== undefined);
    assert.deepEqual(choices(first.printed), first);
  });

  it('makes other choices than another, and not the same ones time after time', () => {
    const [one, other] = [choices('1'), choices('2')];
    assert.equal(one.printed, '1');
    assert.notEqual(one.chosen, other.chosen);
    const [texts, again] = JSON.parse(one.chosen);
    assert.notDeepEqual(texts, again);
  });

  it('must be a whole number', () => {
    for (const wrong of ['x', '1.5', '-1']) assert.equal(choices(wrong).chosen, '');
  });
});

describe('the tests', () => {
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  );
  const texts = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]));
  const importsOf = (file: string) =>
    [...(texts.get(file) ?? '').matchAll(/from '(\.[^']+)\.js'|^import '(\.[^']+)\.js'/gm)]
      .map(([, named, bare]) => join(dirname(file), `${named ?? bare}.ts`))
      .filter((to) => texts.has(to));

  function reached(from: string): Set<string> {
    const found = new Set([from]);
    for (const file of found) for (const to of importsOf(file)) found.add(to);
    return found;
  }

  it('that use fast-check take its choices from the seed', () => {
    const usesFastCheck = (file: string) => /^import .* from 'fast-check';$/m.test(texts.get(file) ?? '');
    const tests = files.filter((file) => file.endsWith('.test.ts')).map(reached);
    const random = tests.filter((test) => [...test].some(usesFastCheck));
    assert.ok(random.length > 50);
    assert.deepEqual(
      random.flatMap((test) => (test.has('seed.ts') ? [] : [...test].slice(0, 1))),
      [],
    );
  });

  it('use no other chance', () => {
    const other = new RegExp(['Math', 'random'].join('\\.'));
    assert.deepEqual(
      files.filter((file) => other.test(texts.get(file) ?? '')),
      [],
    );
  });
});
