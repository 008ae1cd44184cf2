/** `.model`: who answers `ask`, and what that has taken so far. */
import { howToHaveModel, ShellError } from '../shell-error.js';
import type { Command } from './command.js';

export const modelCommands: readonly Command[] = [
  {
    name: 'model',
    usage: '',
    summary:
      'the model that answers ask(question, cell…, type): its name, calls and tokens so far, cost, limits',
    example: '.model',
    topic: 'data',
    run: async (shell, args) => {
      args.atMost(0);
      const { asking } = shell;
      if (!asking) {
        throw new ShellError('shell/no-model', 'no model is configured', {
          hint: howToHaveModel,
        });
      }
      const { name, usage, cost } = asking.model;
      const { maxCalls, maxTokens, maxCost } = asking.limits;
      const limits = [
        ...(maxCalls === undefined ? [] : [`${maxCalls} calls a query`]),
        ...(maxTokens === undefined ? [] : [`${maxTokens} tokens`]),
        ...(maxCost === undefined ? [] : [`cost ${maxCost}`]),
      ];
      const columns = ['calls', 'tokens in', 'tokens out', 'cost'];
      await shell.table(
        ['model', ...columns.map((column) => ({ name: column, align: 'right' as const })), 'limits'],
        [
          [
            name,
            usage.calls,
            usage.inputTokens,
            usage.outputTokens,
            cost === undefined ? 'no price' : cost.toPrecision(3),
            limits.join(', '),
          ],
        ],
      );
    },
  },
];
