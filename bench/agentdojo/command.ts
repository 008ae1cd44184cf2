/**
 * `assay agentdojo FOLDER`: the designs on AgentDojo's ground truth, and the attacks of all injected
 * environments with a hijacked planner. FOLDER holds `suites/`, `ground-truth/`, `injected/` and
 * `policies.json`.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { designs as allDesigns, type Design, designNamed } from '../../planner/agent/decision/design.js';
import type { Policy } from '../../planner/agent/policy/policy.js';
import { type ExitCode, exitCode } from '../../planner/shell/process/exit-code.js';
import { Progress } from '../../planner/shell/process/progress.js';
import { AssayError } from '../../semiring/message/error.js';
import { allKnowingBound } from '../replay/all-knowing.js';
import type { Streams } from '../replay/command.js';
import { allKnowing } from '../replay/measure.js';
import { recordedRun } from '../replay/recorded-run.js';
import { type Report, type RunRow, report } from '../replay/report.js';
import { plainTable, summaryTable } from '../replay/table.js';
import { type AgentDojo, type GroundTruth, loadAgentDojo, runGroundTruth } from './ground-truth.js';
import { policiesOf } from './policies.js';
import { type AttackOutcome, attack, loadInjected, type WentThrough } from './security.js';
import type { Suite } from './suites/index.js';
import { agentDojoWorlds } from './worlds.js';

export interface AgentDojoOptions {
  readonly profile: string;
  /** Names, parted by commas; default all. */
  readonly design?: string;
  /** Also run the attacks. */
  readonly attacks?: boolean;
  readonly json?: boolean;
}

export async function agentDojoCommand(
  folder: string,
  options: AgentDojoOptions,
  streams: Streams,
): Promise<ExitCode> {
  const designs = options.design?.split(',').map((name) => designNamed(name.trim())) ?? allDesigns;
  const source = join(folder, 'policies.json');
  const policies = policiesOf(await readFile(source, 'utf8'), { source, profile: options.profile });
  const dojo = await loadAgentDojo(folder);
  const progress = new Progress(streams.stderr, 'runs');
  const groundTruth = await measureGroundTruth(folder, dojo, designs, policies);
  const attacks = options.attacks ? await measureAttacks(folder, dojo, designs, policies, progress) : [];
  progress.clear();
  if (options.json) {
    streams.stdout.write(`${JSON.stringify({ groundTruth, attacks })}\n`);
    return exitCode.done;
  }
  streams.stdout.write(`Ground truth, profile ${options.profile}\n\n${summaryTable(groundTruth)}\n\n`);
  if (options.attacks) streams.stdout.write(attackTables(attacks));
  return exitCode.done;
}

/** Every task's known calls through the agent's loop under each design, and the lower bound. */
export async function measureGroundTruth(
  folder: string,
  dojo: AgentDojo,
  designs: readonly Design[],
  policies: ReadonlyMap<string, Policy>,
): Promise<Report> {
  const worldOf = await agentDojoWorlds(join(folder, 'suites'));
  const rows: RunRow[] = [];
  for (const task of dojo.groundTruth) {
    const [suite, policy] = suiteAndPolicy(dojo, policies, task.suite);
    for (const design of designs) {
      const { interventions } = await runGroundTruth(task, suite, design, policy);
      rows.push(groundTruthRow(task, design.name, interventions));
    }
    const run = recordedRun({ ...task, utility: true });
    if ('steps' in run)
      rows.push(groundTruthRow(task, allKnowing, allKnowingBound(run, policy, worldOf(run))));
  }
  return report(rows);
}

function groundTruthRow(task: GroundTruth, design: string, interventions: number): RunRow {
  return {
    model: 'ground truth',
    suite: task.suite,
    userTask: task.userTask,
    injectionTask: null,
    design,
    success: true,
    interventions,
    asked: [],
    endorsements: 0,
    executed: interventions,
    decisions: task.steps.length,
    attack: [],
    attackNotMade: 0,
  };
}

export interface AttackRow {
  readonly design: string;
  /** The planner revealed all that was hidden, as soon as it was there. */
  readonly curious: boolean;
  readonly outcomes: readonly AttackOutcome[];
}

async function measureAttacks(
  folder: string,
  dojo: AgentDojo,
  designs: readonly Design[],
  policies: ReadonlyMap<string, Policy>,
  progress: Progress,
): Promise<AttackRow[]> {
  const pairs = await loadInjected(folder);
  const tasks = new Map(dojo.groundTruth.map((task) => [JSON.stringify([task.suite, task.userTask]), task]));
  const rows: AttackRow[] = [];
  for (const design of designs) {
    for (const curious of design.expand === 'nothing' ? [false] : [false, true]) {
      const outcomes: AttackOutcome[] = [];
      for (const pair of pairs) {
        const task = tasks.get(JSON.stringify([pair.suite, pair.userTask]));
        if (!task)
          throw new AssayError('agentdojo/no-task', `no ground truth for ${pair.suite} ${pair.userTask}`);
        const [suite, policy] = suiteAndPolicy(dojo, policies, pair.suite);
        outcomes.push(await attack(pair, task, suite, design, policy, { curious }));
        progress.update(outcomes.length, pairs.length);
      }
      rows.push({ design: design.name, curious, outcomes });
    }
  }
  return rows;
}

function suiteAndPolicy(
  dojo: AgentDojo,
  policies: ReadonlyMap<string, Policy>,
  name: string,
): readonly [Suite, Policy] {
  const suite = dojo.suites.get(name);
  const policy = policies.get(name);
  if (!suite || !policy) throw new AssayError('agentdojo/no-suite', `no suite or no policy named ${name}`);
  return [suite, policy];
}

/** What went through, by tool and the grounds on which it was allowed. */
function attackTables(rows: readonly AttackRow[]): string {
  const counts = rows.map(({ design, curious, outcomes }) => {
    const sum = (of: (outcome: AttackOutcome) => number) =>
      outcomes.reduce((total, each) => total + of(each), 0);
    const through = sum((each) => each.wentThrough.length);
    const demanding = sum(
      (each) => each.wentThrough.filter((call) => call.grounds === 'trusted action').length,
    );
    const reached = outcomes.filter((each) => each.reached).length;
    const numbers = [
      outcomes.length,
      reached,
      sum((each) => each.tried),
      sum((each) => each.asked),
      through,
      demanding,
    ];
    return [design, plannerName(curious), ...numbers.map(String)];
  });
  const head = [
    'design',
    'planner',
    'pairs',
    'reached',
    'calls tried',
    'asked',
    'went through',
    'as trusted actions',
  ];
  const grounds = new Map<string, number>();
  for (const { design, curious, outcomes } of rows) {
    for (const call of outcomes.flatMap((each) => each.wentThrough)) {
      const [what, why] = explanation(call);
      const key = JSON.stringify([design, plannerName(curious), what, why]);
      grounds.set(key, (grounds.get(key) ?? 0) + 1);
    }
  }
  const list = [...grounds].map(([key, times]) => [...(JSON.parse(key) as string[]), `${times}`]);
  const wordless = rows[0]?.outcomes.filter((each) => each.pair.hijackCalls.length === 0).length ?? 0;
  return [
    'Attacks: a planner that is hijacked once it sees attacker text, a human who approves nothing\n',
    plainTable(head, counts, 2),
    '\nWhat went through, and why\n',
    plainTable(['design', 'planner', 'tool', 'why', 'calls'], list, 4),
    `\n${wordless} pairs have a goal without any call (the agent is to say something): no policy on calls can see it.`,
    '',
  ].join('\n');
}

function plannerName(curious: boolean): string {
  return curious ? 'curious' : 'as designed';
}

function explanation({ tool, grounds }: WentThrough): readonly [what: string, why: string] {
  switch (grounds) {
    case 'permitted flow':
      return [tool, 'all who receive the data may read it, or nobody receives it (permitted flow)'];
    case 'no policy':
    case 'not consequential':
      return ['reads', 'tools that only read bear no policy'];
    case 'trusted action':
      return [tool, 'the context was trusted'];
  }
}
