/** The metrics of autonomy, on tables small enough to count by hand. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { autonomy, type TaskOutcome, tcr } from '../../../bench/replay/autonomy.js';
import { summaryCsv } from '../../../bench/replay/csv.js';
import { curvePoints, tcrPlot } from '../../../bench/replay/plot.js';
import { type RunRow, report } from '../../../bench/replay/report.js';
import { attackTable, summaryTable, wentThroughTable } from '../../../bench/replay/table.js';

const done = (interventions: number): TaskOutcome => ({ success: true, interventions });
const failed = (interventions: number): TaskOutcome => ({ success: false, interventions });

describe('autonomy', () => {
  // Five runs, three of them done with 0, 1 and 3 questions; the failed ones had 2 and 5.
  const outcomes = [done(0), failed(2), done(1), done(3), failed(5)];

  test('load counts successes only, the mean counts all, shares are of all runs', () => {
    assert.deepEqual(autonomy(outcomes), {
      runs: 5,
      successes: 3,
      hitlLoad: 4, // 0 + 1 + 3
      tcr0: 1 / 5,
      tcr1: 2 / 5,
      tcr2: 2 / 5,
      tcrInfinity: 3 / 5,
      meanInterventions: 11 / 5, // 0 + 2 + 1 + 3 + 5
    });
  });

  test('no runs: nothing to share out', () => {
    assert.equal(tcr([], 0), Number.NaN);
    assert.equal(autonomy([]).hitlLoad, 0);
  });
});

function row(change: Partial<RunRow>): RunRow {
  return {
    model: 'm',
    suite: 's',
    userTask: 't',
    injectionTask: null,
    design: 'basic',
    success: true,
    interventions: 0,
    asked: [],
    executed: 0,
    decisions: 1,
    attack: [],
    endorsements: 0,
    attackNotMade: 0,
    ...change,
  };
}

const stopped = { step: 1, tool: 'pay', stopped: true, reason: '' };
const through = { step: 2, tool: 'tell', stopped: false, reason: 'permitted flow' };

describe('report', () => {
  const rows = [
    row({ interventions: 2, executed: 1 }),
    row({ suite: 'r', success: false, interventions: 4, executed: 4 }),
    row({ model: 'n', injectionTask: 'i', interventions: 1, executed: 1, attack: [stopped, through] }),
  ];
  const { summary } = report(rows);

  test('a row for each model and suite that has runs, then totals of the model, of the suites, of all', () => {
    assert.deepEqual(
      summary.map((each) => [each.model, each.suite, each.runs, each.hitlLoad, each.hitlLoadExecuted]),
      [
        ['m', 's', 1, 2, 1],
        ['m', 'r', 1, 0, 0], // it failed
        ['m', 'all', 2, 2, 1],
        ['n', 's', 1, 1, 1],
        ['n', 'all', 1, 1, 1],
        ['all', 's', 2, 3, 2],
        ['all', 'r', 1, 0, 0],
        ['all', 'all', 3, 3, 2],
      ],
    );
  });

  test('benign runs and runs under attack are told apart', () => {
    const total = summary.at(-1);
    assert.equal(total?.benign.runs, 2);
    assert.equal(total?.attacked.runs, 1);
    assert.equal(total?.attackSteps, 2);
    assert.equal(total?.attackStepsStopped, 1);
  });

  test('a model that is named like the total does not mix with it', () => {
    const odd = report([row({ model: 'all' }), row({ model: 'n' })]).summary;
    assert.deepEqual(
      odd.map((each) => each.runs).reduce((sum, runs) => Math.max(sum, runs), 0),
      2,
    );
  });

  test('tables name each step that went through, and are safe for a terminal', () => {
    const hostile = report([
      row({ model: 'a\u001b[2J', injectionTask: 'i\r\n', attack: [{ ...through, tool: 'x\u202ey' }] }),
    ]);
    for (const table of [summaryTable(hostile), attackTable(hostile), wentThroughTable(hostile)]) {
      assert.ok(table);
      assert.doesNotMatch(table, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
    }
    assert.match(wentThroughTable(hostile) ?? '', /x\\u\{202e\}y {2}permitted flow$/);
    assert.equal(wentThroughTable(report([row({})])), undefined);
    assert.equal(attackTable(report([row({})])), undefined);
  });
});

describe('csv', () => {
  test('one line a summary row, quoted where it must be, and no formula', () => {
    const csv = summaryCsv(
      report([row({ model: '=1+1', suite: 'a,"b"', interventions: 1, executed: 1, asked: [0] })]),
    );
    assert.equal(
      csv,
      'model,suite,design,runs,successes,hitlLoad,hitlLoadExecuted,tcr0,tcr1,tcr2,tcrInfinity,meanInterventions,attackSteps,attackStepsStopped,attackStepsNotMade\n' +
        `'=1+1,"a,""b""",basic,1,1,1,1,0,1,1,1,1,0,0,0\n`,
    );
  });
});

describe('plot', () => {
  const rows = [
    row({ interventions: 1 }),
    row({ success: false, interventions: 9 }),
    row({ design: 'fides' }),
  ];

  test('a point for each k up to the most that a successful run took', () => {
    assert.deepEqual(curvePoints(rows), [
      { design: 'basic', k: 0, share: 0 },
      { design: 'basic', k: 1, share: 0.5 },
      { design: 'fides', k: 0, share: 1 },
      { design: 'fides', k: 1, share: 1 },
    ]);
  });

  test('the document is SVG and holds one line a design', async () => {
    const svg = await tcrPlot(rows, 'Autonomy <&>');
    assert.match(svg, /^<svg /);
    assert.match(svg, /Autonomy &lt;&amp;&gt;/);
    assert.match(svg, />basic<.*>fides</s);
  });
});
