/**
 * A host without Python: speaks the bridge's protocol over standard input and output, executes calls with our
 * own tools, and judges by the state. `--break N` makes it end without a word after N calls.
 */
import { createInterface } from 'node:readline';
import {
  attackReached,
  copyEnvironment,
  loadSuite,
  newEnvironment,
  resultText,
  SUITES,
  type Suite,
  ToolError,
  taskReached,
} from '../../../bench/agentdojo/suites/index.js';
import { plain } from '../../../bench/agentdojo/suites/tool.js';
import { type Injected, sharedRecords, sharedText } from './shared.js';

const breakAt = process.argv.includes('--break')
  ? Number(process.argv[process.argv.indexOf('--break') + 1])
  : Infinity;
const suites = new Map(
  SUITES.map((name) => [name as string, loadSuite(sharedText(`suites/${name}.json`), name)]),
);
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
let calls = 0;

interface Message {
  readonly type: string;
  readonly run: string;
  readonly id: string;
  readonly function: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly text: string;
  readonly suites?: readonly string[];
  readonly userTasks?: readonly string[];
  readonly injectionTasks?: readonly string[];
  readonly attack?: string;
}

function send(message: unknown): void {
  process.stdout.write(`${JSON.stringify(message)}\n`);
}

async function receive(): Promise<Message> {
  const { value, done } = await lines.next();
  if (done) process.exit(0);
  return JSON.parse(value);
}

async function runTask(suite: Suite, userTask: string, attack: Injected | undefined): Promise<void> {
  const run = `${suite.name}/${userTask}/${attack?.injectionTask ?? 'benign'}`;
  const injections = new Map((attack?.vectors ?? []).map((vector) => [vector, attack?.attackText ?? '']));
  const environment = newEnvironment(suite, injections);
  send({
    type: 'task',
    run,
    suite: suite.name,
    userTask,
    injectionTask: attack?.injectionTask ?? null,
    prompt: suite.userTasks.get(userTask)?.prompt,
    environment: plain(copyEnvironment(environment)),
  });
  for (let message = await receive(); message.type !== 'answer'; message = await receive()) {
    if (++calls > breakAt) process.exit(3);
    const tool = suite.tools.get(message.function);
    try {
      if (tool === undefined) throw new ToolError('ToolNotFoundException', message.function);
      const result = tool.run(environment, message.args);
      send({ type: 'result', run, call: message.id, result, text: resultText(tool, result), error: null });
    } catch (error) {
      send({
        type: 'result',
        run,
        call: message.id,
        result: null,
        text: '',
        error: (error as Error).message,
      });
    }
  }
  const options = attack?.callsChangedByInjection
    ? { injections, calls: attack.callsChangedByInjection }
    : { injections };
  send({
    type: 'verdict',
    run,
    utility: taskReached(suite, userTask, environment, options).reached,
    security: attack
      ? (attackReached(suite, attack.injectionTask, environment, options)?.reached ?? false)
      : null,
  });
}

send({
  type: 'hello',
  protocol: 1,
  benchmarkVersion: 'v1.2.1',
  suites: [...suites.values()].map(({ name, tools }) => ({ name, tools: [...tools.values()] })),
});
const start = await receive();
for (const [name, suite] of suites) {
  if (start.suites !== undefined && !start.suites.includes(name)) continue;
  const attacks =
    start.attack === undefined ? [undefined] : sharedRecords<Injected>(`injected/${name}.jsonl`);
  for (const userTask of suite.userTasks.keys()) {
    if (start.userTasks !== undefined && !start.userTasks.includes(userTask)) continue;
    for (const attack of attacks) {
      if (attack !== undefined && attack.userTask !== userTask) continue;
      if (attack !== undefined && start.injectionTasks?.includes(attack.injectionTask) === false) continue;
      await runTask(suite, userTask, attack);
    }
  }
}
send({ type: 'end' });
process.exit(0);
