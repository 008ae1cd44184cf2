/**
 * One run: tools and humans that do not answer, a human who is asked about a call that was cut off, a disk
 * that is full.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { type RunOptions, runTask } from '../../../bench/run/run-task.js';
import type { Setting } from '../../../bench/run/setting.js';
import { Prudentia } from '../../../planner/agent/decision/design.js';
import { readLogFile } from '../../../planner/agent/log/index.js';
import { askCallback, denyAll } from '../../../planner/agent/oversight/oversight.js';
import type { ApprovalRequest } from '../../../planner/agent/oversight/request.js';
import { ifcTool, type PlannedCall } from '../../../planner/agent/planners/planner.js';
import { scriptedPlanner } from '../../../planner/agent/planners/scripted.js';
import { loadPolicy } from '../../../planner/agent/policy/load.js';
import type { Tool } from '../../../udf/tool.js';

const folder = mkdtempSync(join(tmpdir(), 'assay-run-task-'));
after(() => rmSync(folder, { recursive: true }));
let files = 0;
const newLog = () => join(folder, `${files++}.jsonl`);

const policy = loadPolicy(`
user: me
tools:
  read(): untrusted for everyone
  act(id):
    rule: trusted action
    trusted arguments: id
    returns: trusted for everyone
`);

const call = (tool: string, args: Record<string, unknown> = {}): PlannedCall => ({ tool, arguments: args });

/** Runs these turns; `act` does as it is told. */
function run(turns: readonly (readonly PlannedCall[])[], act: Tool['execute'], options: Partial<RunOptions>) {
  const tool = (name: string, execute: Tool['execute']): [string, Tool] => [
    name,
    { name, description: '', parameters: { type: 'object' }, execute },
  ];
  const tools = new Map([tool('read', async () => 'text'), tool('act', act)]);
  const task = { id: 'task', prompt: 'go' };
  const setting: Setting = { name: 'test', policy, tasks: [task], open: () => ({ tools }) };
  const planner = scriptedPlanner(turns.map((calls) => ({ kind: 'calls', calls })));
  return runTask(
    { setting, task, design: Prudentia, run: 1 },
    {
      minds: () => ({ planner, remembers: false }),
      oversight: denyAll,
      maxTurns: 20,
      resume: true,
      ...options,
    },
  );
}

const never = () => new Promise<never>(() => {});

describe('a run', () => {
  it('does not wait for a tool that does not heed its signal, and asks about its calls when it is resumed', async () => {
    const log = newLog();
    const turns = [[call('act', { id: 'a' }), call('act', { id: 'b' }), call('act', { id: 'c' })]];
    const first = await run(turns, never, { log, timeout: 50 });
    assert.equal(first.end, 'time limit');
    const asked: ApprovalRequest[] = [];
    const oversight = askCallback((request) => {
      asked.push(request);
      return asked.length === 2 ? 'approve' : 'deny';
    });
    const again: unknown[] = [];
    const second = await run(turns, async ({ id }) => again.push(id), { log, oversight });
    assert.equal(second.end, 'answer');
    assert.deepEqual(again, ['b']);
    assert.equal(asked.length, 3);
    for (const { evidence } of asked)
      assert.match(evidence.reasons?.[0] ?? '', /may have had its effect already/);
    assert.equal(second.interventions, 3);
    const texts: string[] = [];
    for (const event of readLogFile(log).events) if (event.kind === 'observed') texts[event.at] = event.text;
    const cutOff = 'The call was cut off. It may have had its effect; it was not made again.';
    assert.deepEqual(texts, [cutOff, '1', cutOff]);
  });

  it('takes the silence of a human for no answer: the question is asked again when it is resumed', async () => {
    for (const last of [
      call('act', { id: '#tool-result-1#' }),
      call(ifcTool.expand, { variables: ['#tool-result-1#'], endorse: true }),
    ]) {
      const log = newLog();
      const turns = [[call('read')], [last]];
      const first = await run(turns, async () => 'did', { log, timeout: 50, oversight: { review: never } });
      assert.equal(first.end, 'time limit');
      assert.equal(first.interventions, 0);
      let asked = 0;
      const oversight = askCallback(() => {
        asked += 1;
        return 'approve';
      });
      const second = await run(turns, async () => 'did', { log, oversight });
      assert.equal(second.end, 'answer');
      assert.equal(second.interventions, 1);
      assert.equal(asked, 1);
    }
  });

  it('does not call a tool whose dispatch cannot be written', async () => {
    let made = 0;
    const turns = [[call('act', { id: 'a' })]];
    const act = async () => {
      made += 1;
    };
    await assert.rejects(run(turns, act, { log: join(folder, 'none', 'log.jsonl') }), { code: 'ENOENT' });
    const watch: RunOptions['watch'] = (event) => {
      if (event.kind === 'dispatched') throw new Error('the disk is full');
    };
    await assert.rejects(run(turns, act, { log: newLog(), watch }), /disk is full/);
    assert.equal(made, 0);
  });

  it('treats a result that is no JSON as a failure', async () => {
    const { end } = await run([[call('act', { id: 'a' })]], async () => 10n, { log: newLog() });
    assert.equal(end, 'answer');
  });
});
