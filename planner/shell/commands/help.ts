/** `.help`: read off the table of commands. */
import { pad } from '../../../semiring/message/visible-text.js';
import type { Command, Topic } from './command.js';
import { commandNamed } from './find-command.js';

const topics: readonly Topic[] = ['data', 'provenance', 'what if', 'agents', 'output', 'scripts'];

/** @param all the table, which holds this command too */
export function helpCommand(all: () => readonly Command[]): Command {
  return {
    name: 'help',
    usage: '[COMMAND|TOPIC]',
    summary: 'the commands, or one of them with an example',
    example: '.help circuit',
    topic: 'scripts',
    offers: () => [...all().map((command) => command.name), ...topics],
    run: async (shell, args) => {
      const name = args.rest.replace(/^\./, '');
      const chosen = topics.filter((topic) => name === '' || topic === name);
      // `output` is a command and a topic.
      const isCommand = all().some((command) => command.name === name);
      if (isCommand || chosen.length === 0)
        await shell.print(details(commandNamed(name, all(), args.restStart)));
      if (chosen.length > 0) await shell.print(overview(chosen, all()));
    },
  };
}

function overview(chosen: readonly Topic[], commands: readonly Command[]): string {
  const width = Math.max(...commands.map((command) => command.name.length)) + 2;
  const lines = ['SQL ends with ; and commands begin with a dot, which takes no ; and may be shortened.'];
  for (const topic of chosen) {
    lines.push('', `${topic}:`);
    for (const command of commands)
      if (command.topic === topic) lines.push(`  ${pad(`.${command.name}`, width)} ${command.summary}`);
  }
  lines.push('', '.help NAME tells more, with an example.');
  return lines.join('\n');
}

function details({ name, usage, summary, example }: Command): string {
  return [`.${name} ${usage}`.trim(), `  ${summary}`, `  example: ${example}`].join('\n');
}
