/**
 * The commands about policies, decisions and sessions, as the table lists them. What they do is in
 * `agent-work.ts`, which is loaded at the first use, so that a shell that only queries starts without the
 * guard.
 */
import type { Command } from './command.js';

const work = () => import('./agent-work.js');

export const agentCommands: readonly Command[] = [
  {
    name: 'policy',
    usage: 'FILE [PROFILE]',
    summary: 'a policy for .decide',
    example: '.policy policy.yaml',
    topic: 'agents',
    run: async (shell, args) => (await work()).policy(shell, args),
  },
  {
    name: 'policies',
    usage: '[TOOL]',
    summary: 'what the policy demands of each tool',
    example: '.policies send_email',
    topic: 'agents',
    offers: (shell) => shell.policy?.tools.keys() ?? [],
    run: async (shell, args) => (await work()).policies(shell, args),
  },
  {
    name: 'design',
    usage: '[NAME]',
    summary: 'the design under which .decide decides; without a name, the list',
    example: '.design prudentia',
    topic: 'agents',
    offers: () => ['basic', 'basic-ifc', 'fides', 'prudentia'],
    run: async (shell, args) => (await work()).design(shell, args),
  },
  {
    name: 'decide',
    usage: '[in LABEL:] {"tool": NAME, "arguments": {…}}',
    summary: "the decision on a call, in the open session's context or in a context of this label",
    example: '.decide in untrusted everyone: {"tool": "send_email", "arguments": {"to": "bob"}}',
    topic: 'agents',
    offers: () => ['in'],
    run: async (shell, args) => (await work()).decide(shell, args),
  },
  {
    name: 'timeline',
    usage: '[mermaid|svg] [FILE]',
    summary: 'the open session as a timeline: calls, context, hidden variables, interventions',
    example: '.timeline svg run.svg',
    topic: 'agents',
    offers: (_, argument) => (argument === 0 ? ['mermaid', 'svg'] : []),
    run: async (shell, args) => (await work()).timeline(shell, args),
  },
];
