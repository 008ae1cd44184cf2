/** What the commands about policies, decisions and an agent's session do. */
import { readFile, writeFile } from 'node:fs/promises';
import { showLabel } from '../../../semiring/label/label.js';
import type { Decision, Violation } from '../../agent/decision/decide.js';
import { designNamed, designs, Prudentia } from '../../agent/decision/design.js';
import { loadPolicy, policyFor } from '../../agent/policy/index.js';
import { type Call, Session } from '../../agent/session/session.js';
import { labelFrom } from '../input/semiring-value.js';
import {
  mermaidTimeline,
  svgTimeline,
  timelineColumns,
  timelineOf,
  timelineRows,
} from '../picture/draw-timeline.js';
import { exitCode } from '../process/exit-code.js';
import type { Shell } from '../shell.js';
import { ShellError } from '../shell-error.js';
import type { Arguments } from './command.js';

export async function policy(shell: Shell, args: Arguments): Promise<void> {
  args.atMost(2);
  const path = args.needed(0, 'the policy file').text;
  const profile = args.at(1);
  shell.policy = loadPolicy(await readFile(shell.path(path), 'utf8'), {
    source: path,
    ...(profile === undefined ? {} : { profile }),
  });
  const { tools } = shell.policy;
  shell.note(
    `${path}: ${tools.size} tools, ${[...tools.values()].filter((tool) => tool.consequential).length} of them consequential`,
  );
}

export async function policies(shell: Shell, args: Arguments): Promise<void> {
  args.atMost(1);
  const policy = policyOf(shell);
  const name = args.at(0);
  const tools = name === undefined ? [...policy.tools] : [[name, policyFor(policy, name)] as const];
  await shell.table(
    ['tool', 'rule', 'trusted arguments', 'data arguments'],
    tools.map(([tool, { rule, trustedArguments, data }]) => [
      tool,
      rule,
      trustedArguments.join(', '),
      data.map((term) => term.argument).join(', '),
    ]),
  );
}

export async function design(shell: Shell, args: Arguments): Promise<void> {
  args.atMost(1);
  const name = args.at(0);
  if (name !== undefined) shell.design = designNamed(name);
  else
    await shell.table(
      ['', 'design', 'labels', 'hides', 'expands', 'endorses'],
      designs.map((each) => [
        each.name === designOf(shell).name ? '*' : '',
        each.name,
        each.labels,
        each.hides,
        each.expand,
        each.endorse,
      ]),
    );
}

export async function decide(shell: Shell, args: Arguments): Promise<void> {
  const policy = policyOf(shell);
  const [, words, json] = /^(?:in\s+([^:]*):)?\s*(.*)$/s.exec(args.rest) ?? [];
  const offset = args.line.length - (json ?? '').length;
  const call = callFrom(json ?? '', offset);
  const session = new Session({ policy, design: designOf(shell), resumes: true });
  for (const event of shell.workspace.session?.events ?? []) session.replay(event);
  const context =
    words === undefined ? session.context : session.state.space.intern(labelFrom(words, args.restStart));
  const decision = session.preview(call, context);
  await shell.table(
    ['tool', 'context', 'decision', 'because'],
    decisionRows(call.tool, showLabel(context), decision),
  );
  // Nobody is there to ask.
  if (decision.verdict === 'violation' && !shell.interactive) shell.status = exitCode.unanswered;
}

export async function timeline(shell: Shell, args: Arguments): Promise<void> {
  args.atMost(2);
  const { session, name } = shell.workspace;
  if (!session)
    throw new ShellError('shell/no-session', 'no session is open', { hint: '.session FILE opens a log' });
  const steps = timelineOf(session.design, session.events);
  const format = args.at(0);
  if (format === undefined) return shell.table(timelineColumns, timelineRows(steps));
  if (format !== 'mermaid' && format !== 'svg') throw args.wrong('mermaid or svg', args.words[0].start);
  const picture = format === 'svg' ? svgTimeline(steps, `session ${name ?? ''}`) : mermaidTimeline(steps);
  const path = args.at(1);
  if (path === undefined) await shell.print(picture);
  else await writeFile(shell.path(path), `${picture}\n`);
}

function policyOf(shell: Shell) {
  if (shell.policy) return shell.policy;
  throw new ShellError('shell/no-policy', 'no policy is loaded', { hint: '.policy FILE loads one' });
}

function designOf(shell: Shell) {
  return shell.design ?? Prudentia;
}

function callFrom(json: string, offset: number): Call {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    throw new ShellError('shell/json', 'the call is no JSON', {
      offset,
      hint: '{"tool": "send_email", "arguments": {"to": "bob"}}',
      cause: error,
    });
  }
  if (typeof value === 'object' && value !== null && 'tool' in value && typeof value.tool === 'string') {
    const given = 'arguments' in value ? value.arguments : {};
    if (typeof given === 'object' && given !== null && !Array.isArray(given))
      return { tool: value.tool, arguments: given as Call['arguments'] };
  }
  throw new ShellError('shell/json', 'a call has a tool and arguments', {
    offset,
    hint: '{"tool": "send_email", "arguments": {"to": "bob"}}',
  });
}

function decisionRows(tool: string, context: string, decision: Decision): unknown[][] {
  if (decision.verdict === 'allow') return [[tool, context, 'allow', decision.grounds]];
  return decision.violations.map((violation) => [tool, context, 'ask a human', because(violation)]);
}

function because(violation: Violation): string {
  switch (violation.kind) {
    case 'consequential':
      return 'the call is consequential, and this design knows no labels';
    case 'untrusted':
      return violation.argument === undefined
        ? 'the context is untrusted'
        : `${violation.argument} is untrusted`;
    case 'unreadable': {
      const who = violation.recipients === 'everyone' ? 'everyone' : violation.recipients.join(', ');
      return `${violation.argument} would go to ${who}, who may not read it (${showLabel(violation.label)})`;
    }
    case 'link':
      return `${violation.argument} is untrusted and holds a link`;
    case 'unresolved':
      return 'it cannot be told who would receive the data';
  }
}
