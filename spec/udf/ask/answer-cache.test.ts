import assert from 'node:assert/strict';
import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import { AnswerCache } from '../../../udf/ask/answer-cache.js';
import { AskError } from '../../../udf/ask/ask-error.js';
import { runs } from '../../runs.js';

let folder: string;
let files = 0;
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'answers-'));
});
after(() => rmSync(folder, { recursive: true }));

function fresh(): string {
  files += 1;
  return join(folder, `${files}.jsonl`);
}

/** Opens the file again, with the warnings that this gives. */
function reopen(path: string, capacity?: number): { cache: AnswerCache; warnings: string[] } {
  const warnings: string[] = [];
  const cache = new AnswerCache({ path, ...(capacity && { capacity }), onWarning: (w) => warnings.push(w) });
  return { cache, warnings };
}

describe('a cache of answers', () => {
  it('forgets the least recently used answer past its capacity', () => {
    const cache = new AnswerCache({ capacity: 2 });
    cache.set('a', { answer: 1 });
    cache.set('b', { answer: 2 });
    cache.get('a');
    cache.set('c', { needsMore: true });
    assert.deepEqual(
      ['a', 'b', 'c'].map((key) => cache.get(key)),
      [{ answer: 1 }, undefined, { needsMore: true }],
    );
  });

  it('is read back from its file: the last answer of each key', () => {
    const json = fc.jsonValue().map((value) => JSON.parse(JSON.stringify(value)) as unknown);
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constantFrom('a', 'b', '__proto__', 'é"\n'), json)), (entries) => {
        const path = fresh();
        const cache = new AnswerCache({ path });
        for (const [key, answer] of entries) cache.set(key, { answer });
        const again = reopen(path);
        assert.deepEqual(again.warnings, []);
        for (const [key, answer] of new Map(entries)) assert.deepEqual(again.cache.get(key), { answer });
      }),
      { numRuns: runs(50) },
    );
  });

  it('skips lines that cannot be read, with a warning that names the line, and keeps the rest', () => {
    const path = fresh();
    new AnswerCache({ path }).set('a', { answer: 'first' });
    appendFileSync(path, 'garbage\n{"key":7,"answer":1}\n{"key":"x"}\nnull\n{"key":"b","answer":"last"}\n');
    const { cache, warnings } = reopen(path);
    assert.deepEqual(
      [cache.get('a'), cache.get('b'), cache.get('x')],
      [{ answer: 'first' }, { answer: 'last' }, undefined],
    );
    assert.deepEqual(
      warnings.map((warning) => /:(\d+):/.exec(warning)?.[1]),
      ['3', '4', '5', '6'],
    );
  });

  it('survives a writer that was killed at any byte, and what is written next', () => {
    const path = fresh();
    const cache = new AnswerCache({ path });
    cache.set('a', { answer: 'kept' });
    const whole = statSync(path).size;
    cache.set('b', { answer: 'torn' });
    const bytes = readFileSync(path);
    for (let end = whole; end < bytes.length; end += 1) {
      writeFileSync(path, bytes.subarray(0, end));
      reopen(path).cache.set('c', { answer: 'next' });
      const { cache: again } = reopen(path);
      assert.deepEqual(again.get('a'), { answer: 'kept' });
      assert.deepEqual(again.get('c'), { answer: 'next' });
    }
  });

  it('rewrites a file that has grown past twice its capacity', () => {
    const path = fresh();
    const cache = new AnswerCache({ path, capacity: 10 });
    for (let i = 0; i < 100; i += 1) cache.set(`k${i}`, { answer: i });
    reopen(path, 10);
    assert.equal(readFileSync(path, 'utf8').trim().split('\n').length, 11);
    const { cache: again } = reopen(path, 10);
    assert.equal(again.size, 10);
    // The oldest goes first, as if the process had never ended.
    again.set('new', { answer: 0 });
    assert.equal(again.get('k90'), undefined);
    assert.deepEqual(again.get('k99'), { answer: 99 });
  });

  it('does not touch a file that is something else', () => {
    const path = fresh();
    writeFileSync(path, 'my notes\n');
    assert.throws(
      () => new AnswerCache({ path }),
      (error) => error instanceof AskError && error.code === 'ask/bad-cache',
    );
    assert.equal(readFileSync(path, 'utf8'), 'my notes\n');
  });
});
