/**
 * A run that is made to be killed: a scripted planner, a tool whose effect is a line in a file, one that only
 * reads. Its pauses are random, by the seed and a name of the run.
 */
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type RunOutcome, runTask } from '../../../bench/run/run-task.js';
import type { Setting } from '../../../bench/run/setting.js';
import { Fides } from '../../../planner/agent/decision/design.js';
import type { Oversight } from '../../../planner/agent/oversight/oversight.js';
import { ifcTool, type PlannedCall, type PlannerTurn } from '../../../planner/agent/planners/planner.js';
import { scriptedPlanner } from '../../../planner/agent/planners/scripted.js';
import { loadPolicy } from '../../../planner/agent/policy/load.js';
import { noUsage } from '../../../udf/model/model.js';
import type { Tool } from '../../../udf/tool.js';
import { chance } from '../../seed.js';

const turns = 8;
const actsInTurn = 3;

/** The ids of all acts of the script. */
export const ids: readonly string[] = Array.from({ length: turns * actsInTurn }, (_, i) => `act-${i}`);

const policy = loadPolicy(`
user: me
tools:
  read(): untrusted for everyone
  act(id):
    rule: trusted action
    returns: trusted for everyone
`);

/** Each turn acts three times, reads, and asks the quarantined model about what it read before. */
function script(): PlannerTurn[] {
  return Array.from({ length: turns }, (_, turn): PlannerTurn => {
    const acts = ids
      .slice(turn * actsInTurn, (turn + 1) * actsInTurn)
      .map((id): PlannedCall => ({ tool: 'act', arguments: { id } }));
    const question = { question: 'who', variables: ['#tool-result-4#'] };
    return {
      kind: 'calls',
      calls: [...acts, { tool: 'read', arguments: {} }, { tool: ifcTool.quarantine, arguments: question }],
    };
  });
}

type Pause = (who: string) => Promise<void>;

/** Pauses of up to 3 ms, for each who pauses a row of its own: they go on at the same time, in any order. */
function pauses(name: string): Pause {
  const made = new Map<string, number>();
  return (who) => {
    const number = (made.get(who) ?? 0) + 1;
    made.set(who, number);
    return sleep(3 * chance('pause', name, who, number));
  };
}

function tools(folder: string, pause: Pause): Tool[] {
  return [
    {
      name: 'act',
      description: '',
      parameters: { type: 'object' },
      execute: async ({ id }) => {
        await pause(`${id}`);
        appendFileSync(join(folder, 'effects'), `${id}\n`);
        await pause(`${id}`);
        return `did ${id}`;
      },
    },
    {
      name: 'read',
      description: '',
      parameters: { type: 'object' },
      effects: false,
      execute: async () => {
        await pause('read');
        return 'x'.repeat(2000);
      },
    },
  ];
}

/** Runs the task in `folder`, or goes on with it; `name` chooses the pauses. */
export function go(folder: string, name: string, oversight: Oversight): Promise<RunOutcome> {
  const pause = pauses(name);
  const byName = new Map(tools(folder, pause).map((tool) => [tool.name, tool]));
  const task = { id: 'task', prompt: 'act' };
  const setting: Setting = { name: 'kill', policy, tasks: [task], open: () => ({ tools: byName }) };
  return runTask(
    { setting, task, design: Fides, run: 1 },
    {
      minds: () => ({
        planner: scriptedPlanner(script()),
        quarantine: {
          ask: async () => {
            await pause('quarantine');
            return { kind: 'answer', value: 'bob', usage: noUsage };
          },
        },
        remembers: false,
      }),
      oversight,
      maxTurns: 100,
      log: join(folder, 'log.jsonl'),
      resume: true,
    },
  );
}
