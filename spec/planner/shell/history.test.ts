/** What the shell remembers, and what it must not. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import fc from 'fast-check';
import { Database } from '../../../planner/query/index.js';
import { History, mostEntries } from '../../../planner/shell/entry/history.js';
import { historyFile } from '../../../planner/shell/process/state-folder.js';
import { Secrets } from '../../../planner/shell/workspace/secrets.js';
import { runs } from '../../runs.js';

const folder = mkdtempSync(join(tmpdir(), 'assay-history-'));
after(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;
const fresh = (): string => join(folder, `${files++}`, 'assay', 'history');

describe('the history', () => {
  it('comes back as it was, entries of several lines as one', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: 'binary', minLength: 1, maxLength: 40 }), { maxLength: 5 }),
        (entries) => {
          const path = fresh();
          const first = new History(path);
          for (const entry of entries) first.add(entry);
          assert.deepEqual(new History(path).entries, first.entries);
        },
      ),
      { numRuns: runs(50) },
    );
  });

  it('is for its owner only, even where the file was there with another mode', () => {
    const path = fresh();
    new History(path).add('SELECT 1;');
    assert.equal(statSync(path).mode & 0o777, 0o600);
    const open = join(folder, 'open');
    writeFileSync(open, '', { mode: 0o644 });
    new History(open).add('SELECT 1;');
    assert.equal(statSync(open).mode & 0o777, 0o600);
  });

  it('keeps out lines that begin with a blank, and pasted data', () => {
    const path = fresh();
    const history = new History(path);
    assert.equal(history.add(' SELECT 1;'), false);
    assert.equal(history.add('x'.repeat(100_000)), false);
    assert.equal(history.add('SELECT 1;'), true);
    assert.equal(history.add('SELECT 1;'), true);
    assert.equal(readFileSync(path, 'utf8'), '"SELECT 1;"\n');
  });

  it('keeps the newest entries', () => {
    const path = fresh();
    const history = new History(path);
    for (let i = 0; i < mostEntries + 10; i++) history.add(`SELECT ${i};`);
    history.close();
    const kept = new History(path).entries;
    assert.equal(kept.length, mostEntries);
    assert.equal(kept.at(-1), `SELECT ${mostEntries + 9};`);
    assert.equal(statSync(path).mode & 0o777, 0o600);
  });

  it('is a convenience: a folder that cannot be written, or a damaged file, is no error', () => {
    const blocked = join(folder, 'blocked');
    writeFileSync(blocked, 'not json\n{"a": 1}\n"good"\n');
    assert.deepEqual(new History(blocked).entries, ['good']);
    assert.equal(new History(join(blocked, 'assay', 'history')).add('SELECT 1;'), true);
  });

  it('lies in the state folder', () => {
    assert.equal(historyFile({ XDG_STATE_HOME: '/state' }), join('/state', 'assay', 'history'));
  });
});

describe('secrets', () => {
  const db = new Database();
  db.load('patients', [{ name: "O'Hara", age: 41, note: 'a very rare disease' }]);

  it('are values of cells that not everybody may read', () => {
    const secrets = new Secrets();
    secrets.add(db, 'patients');
    for (const line of [
      "SELECT * FROM x WHERE name = 'O''Hara';",
      'SELECT 41;',
      "INSERT INTO notes VALUES ('has a very rare disease, she said')",
    ]) {
      assert.ok(secrets.isIn(line), line);
    }
    for (const line of ['SELECT * FROM patients;', 'SELECT 410;']) assert.ok(!secrets.isIn(line), line);
  });

  it('are none where nothing is labelled', () => {
    assert.ok(!new Secrets().isIn("SELECT 'O''Hara', 41;"));
  });
});
