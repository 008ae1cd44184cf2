/** A session's log as a database and as pictures. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { graphCommand } from '../../../planner/shell/entry/graph-command.js';
import { timelineOf } from '../../../planner/shell/picture/timeline.js';
import { writeTutorialFiles } from '../../../planner/shell/tutorial/files.js';
import { databaseOf, openSession } from '../../../planner/shell/workspace/open-session.js';
import { alternativeLabels, showLabel } from '../../../semiring/index.js';
import { captured } from './capture.js';

const folder = mkdtempSync(join(tmpdir(), 'assay-timeline-'));
const log = join(folder, 'run.log');
before(() => writeTutorialFiles(folder));
after(() => rmSync(folder, { recursive: true, force: true }));

describe('a log as a database', () => {
  it('reads each cell as the guard labelled it', async () => {
    const session = openSession(log);
    const db = databaseOf(session);
    const result = await db.query('SELECT field, integrity, readers FROM cells');
    const labels = [...result.annotate(alternativeLabels)];
    assert.equal(labels.length, session.state.cells.length);
    for (const [i, label] of labels.entries()) {
      assert.ok(label);
      const [, integrity, readers] = result.row(i);
      assert.equal(showLabel(label), `${integrity} ${readers}`);
    }
  });
});

describe('a timeline', () => {
  it('counts a human each time the session does', () => {
    const { design, events, state } = openSession(log);
    const steps = timelineOf(design, events);
    assert.equal(steps.filter((step) => step.intervention).length, state.interventions);
    assert.equal(steps.at(-1)?.hidden, state.hidden.size);
    assert.equal(steps.at(-1)?.kind, 'answer');
  });

  it('is drawn by assay graph', async () => {
    const draw = (format: string) =>
      captured('', (streams) => graphCommand(undefined, { session: log, format }, streams));
    const svg = await draw('svg');
    // Two interventions, two diamonds.
    assert.equal(svg.out.match(/<path /g)?.length, 2);
    assert.match((await draw('mermaid')).out, /^sequenceDiagram\n/);
    assert.match((await draw('tree')).out, /HUMAN/);
    assert.equal((await draw('dot')).code, 2);
    assert.equal((await captured('', (streams) => graphCommand(undefined, {}, streams))).code, 2);
  });

  it('a row is drawn by assay graph', async () => {
    const options = { table: [join(folder, 'r.csv')], row: '2', format: 'tree' };
    const { out, code } = await captured('', (streams) =>
      graphCommand('SELECT DISTINCT c FROM r ORDER BY c', options, streams),
    );
    assert.equal(code, 0);
    assert.equal(out, '+ any of\n├─ r[2]\n└─ r[3]\n');
    const wrong = await captured('', (streams) =>
      graphCommand('SELECT c FROM r', { ...options, row: '9' }, streams),
    );
    assert.equal(wrong.code, 2);
  });
});
