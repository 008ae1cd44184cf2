/** A guarded conversation over a policy given as text, with tools that answer what a table says. */
import { createGuard, type GuardedConversation, type GuardOptions } from '../../../planner/agent/guard.js';
import { type Model, noUsage } from '../../../udf/model/model.js';
import type { Tool } from '../../../udf/tool.js';

export const policy = `user: ann
types:
  Mail:
    readers: sender
    trusted: [id, sender]
    untrusted: [subject, body]
tools:
  inbox(): Mail
  page(url): untrusted for everyone
  reviews(hotels): untrusted for everyone
  facts(): trusted for everyone
  pay(to, amount): { rule: trusted action, trusted arguments: to, returns: trusted for everyone }
  send(to, body):
    rule: trusted action or permitted flow
    sends: body
    to: to
    returns: trusted for everyone
`;

/** Answers by tool; a function is called with the arguments, and may throw. */
export type Answers = Readonly<Record<string, unknown>>;

export interface Host {
  readonly conversation: GuardedConversation;
  /** Calls a guarded tool as a planner model would. */
  readonly call: (tool: string, args?: Readonly<Record<string, unknown>>) => Promise<string>;
  /** Arguments with which the host's tools ran. */
  readonly ran: (readonly [string, unknown])[];
}

export function host(answers: Answers, options: Partial<GuardOptions> = {}): Host {
  const guard = createGuard({ policy, ...options });
  const conversation = guard.start('Do it.');
  const ran: [string, unknown][] = [];
  const tools = conversation.tools(
    Object.entries(answers).map(
      ([name, answer]): Tool => ({
        name,
        description: name,
        parameters: { type: 'object' },
        execute: async (args) => {
          ran.push([name, args]);
          return typeof answer === 'function' ? answer(args) : answer;
        },
      }),
    ),
  );
  const call = async (name: string, args = {}) => {
    const tool = tools.find((each) => each.name === name);
    if (!tool) throw new Error(`no tool ${name}`);
    return String(await tool.execute(args, {}));
  };
  return { conversation, call, ran };
}

/** A model that always says the same, or throws. */
export function saying(said: string | Error): Model {
  return {
    name: 'fixed',
    complete: async () => {
      if (typeof said !== 'string') throw said;
      return { message: { role: 'assistant', text: said, toolCalls: [] }, usage: noUsage, finish: 'stop' };
    },
  };
}
