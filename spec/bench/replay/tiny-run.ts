/** Runs of a few steps, a policy with one tool for each counting rule, and a world that they act on. */
import assert from 'node:assert/strict';
import { type RecordedRun, recordedRun } from '../../../bench/replay/recorded-run.js';
import { replay } from '../../../bench/replay/replay.js';
import { type Design, designNamed } from '../../../planner/agent/decision/design.js';
import { loadPolicy } from '../../../planner/agent/policy/load.js';

export const policyText = `user: ann
aliases: [me]
directories: [members]
objects: {file: File}
types:
  Mail:
    readers: sender + to
    trusted: [id, sender, to]
    untrusted: body
  File:
    readers: owner
    trusted: owner
    untrusted: text
  Note:
    readers: sender
    trusted: [sender, note]
tools:
  clock(): trusted for everyone
  mail(): Mail
  notes(): Note
  page(): untrusted for everyone
  balance(): trusted for user
  act(x): trusted action -> trusted for everyone
  settle(x): trusted action -> trusted for user
  copy(x): trusted action -> joined
  send(to, subject, body, attachment):
    rule: trusted action or permitted flow
    sends: subject + body + attachment
    to: to
    objects: {attachment: file}
    returns: trusted for everyone
  post(channel, body):
    rule: permitted flow
    sends: body
    to: members(channel)
    returns: trusted for everyone
`;

export const policy = loadPolicy(policyText, { source: 'tiny' });

export type Step = Readonly<Record<string, unknown>>;
type Arguments = Readonly<Record<string, unknown>>;

export function returned(turn: number, tool: string, args: Arguments, result: unknown): Step {
  return { turn, call: { function: tool, args }, resultText: JSON.stringify(result) ?? 'None', result };
}

export function failed(turn: number, tool: string, args: Arguments, error: string): Step {
  return { turn, call: { function: tool, args }, resultText: '', result: null, error };
}

export function neverRun(turn: number, tool: string, args: Arguments): Step {
  return { turn, call: { function: tool, args }, resultText: null, result: null, error: null };
}

export function tinyRun(steps: readonly Step[], more: Step = {}): RecordedRun {
  const run = recordedRun({
    model: 'm',
    suite: 's',
    userTask: 't',
    utility: true,
    prompt: 'do',
    steps,
    ...more,
  });
  assert.ok('steps' in run, JSON.stringify(run));
  return run;
}

export function replayed(steps: readonly Step[], design: Design | string = 'basic-ifc', more: Step = {}) {
  const chosen = typeof design === 'string' ? designNamed(design) : design;
  return replay(tinyRun(steps, more), chosen, policy, {
    directory: {
      principals: (_, key) => (key === 'team' ? ['ann', 'bob'] : undefined),
      objects: (_, value) => (value === 'f1' ? [{ owner: 'bob', text: 'x' }] : undefined),
    },
    apply: () => undefined,
  });
}

/** The steps that a human is asked about. */
export function asked(steps: readonly Step[], design: Design | string = 'basic-ifc'): readonly number[] {
  return replayed(steps, design).asked;
}
