/**
 * What a decision costs: `npm run bench decision` (compiled first: a transpiler that runs sources names every
 * closure, which costs more than the decision). Prints microseconds for allowed calls with 10 and with 100
 * labelled arguments, for the whole of `Session.decide` (substitution, labels, event), for a violation with
 * its explanation in a session of 10,000 cells, and how decisions grow with the number of earlier calls.
 */
import Benchmark from 'benchmark';
import { Decider, type LabelledArgument } from '../../planner/agent/decision/decide.js';
import { BasicIFC } from '../../planner/agent/decision/design.js';
import { callEvidence } from '../../planner/agent/explain/evidence.js';
import { LabelSpace } from '../../planner/agent/label/label-space.js';
import { emptyDirectory, PrincipalResolver } from '../../planner/agent/label/principals.js';
import { loadPolicy } from '../../planner/agent/policy/load.js';
import { Session } from '../../planner/agent/session/session.js';
import { plainTable } from '../replay/table.js';

const names = (count: number) => Array.from({ length: count }, (_, i) => `a${i}`);

const policy = loadPolicy(`
user: me
tools:
  read(id): untrusted for user
  note(id): trusted for user
  act(${names(100).join(', ')}): { rule: trusted action, trusted arguments: [${names(100).join(', ')}], returns: joined }
  send(to, ${names(100).join(', ')}): { rule: permitted flow, sends: ${names(100).join(' + ')}, to: to, returns: joined }
`);

/** Arguments whose labels differ, so that every one of them has to be looked at. */
function labelledArguments(space: LabelSpace, count: number): LabelledArgument[] {
  return names(count).map((name, i) => ({
    name,
    value: `value ${i}`,
    label: space.trusted(new Set(['me', 'bob', `reader ${i}`])),
  }));
}

interface Measured {
  readonly what: string;
  readonly microseconds: number;
  readonly error: number;
}

function measure(cases: readonly (readonly [what: string, run: () => unknown])[]): Measured[] {
  const suite = new Benchmark.Suite();
  for (const [what, run] of cases) suite.add(what, run);
  const measured: Measured[] = [];
  suite.on('cycle', (event: Benchmark.Event) => {
    const { name, stats } = event.target as unknown as Benchmark;
    measured.push({ what: name ?? '', microseconds: (stats?.mean ?? 0) * 1e6, error: stats?.rme ?? 0 });
  });
  suite.run();
  return measured;
}

function decisions(): (readonly [string, () => unknown])[] {
  const space = new LabelSpace();
  const decider = new Decider(BasicIFC, new PrincipalResolver(policy, emptyDirectory), 'me');
  return ['act', 'send'].flatMap((tool) => {
    const toolPolicy = policy.tools.get(tool);
    if (!toolPolicy) throw new Error(`no tool ${tool}`);
    return [10, 100].map((count): readonly [string, () => unknown] => {
      const to = tool === 'send' ? [{ name: 'to', value: 'bob', label: space.bottom }] : [];
      const call = {
        policy: toolPolicy,
        label: space.bottom,
        arguments: [...to, ...labelledArguments(space, count)],
      };
      if (decider.decide(call).verdict !== 'allow') throw new Error('the benchmark wants allowed calls');
      return [
        `decision, allowed, ${toolPolicy.rule}, ${count} labelled arguments`,
        () => decider.decide(call),
      ];
    });
  });
}

/** A session after so many calls, its context trusted, every other call's result hidden from nobody. */
function sessionOf(calls: number, tool: 'read' | 'note', leaves: number): Session {
  const session = new Session({ policy, design: BasicIFC });
  session.prompt('do it');
  for (let i = 0; i < calls; i++) {
    session.beginTurn();
    const decided = session.decide({ tool, arguments: { id: `${i}` } });
    session.returned(
      decided,
      Array.from({ length: leaves }, (_, row) => `result ${i} row ${row}`),
    );
  }
  session.beginTurn();
  return session;
}

function sessions(): (readonly [string, () => unknown])[] {
  const call = { tool: 'act', arguments: Object.fromEntries(names(10).map((name) => [name, 'text'])) };
  return [10, 100, 1000, 10_000].map((calls) => {
    const session = sessionOf(calls, 'note', 1);
    return [
      `Session.preview, 10 arguments, after ${calls} calls`,
      () => session.preview(call, session.context),
    ];
  });
}

function explanations(): (readonly [string, () => unknown])[] {
  const session = sessionOf(10, 'read', 1000);
  const decided = session.decide({ tool: 'act', arguments: { a0: 'result 3 row 7' } });
  return [
    ['violation, decided and explained by its cells, 10,000 cells', () => callEvidence(session, decided)],
  ];
}

const rows = measure([...decisions(), ...sessions(), ...explanations()]);
process.stdout.write(
  `${plainTable(
    ['what', 'µs', '±'],
    rows.map(({ what, microseconds, error }) => [what, microseconds.toFixed(2), `${error.toFixed(1)}%`]),
    1,
  )}\n`,
);
