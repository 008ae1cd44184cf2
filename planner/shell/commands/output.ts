/** Commands about how and where results are written. */
import { AssayError } from '../../../semiring/message/error.js';
import { modeNamed, modes } from '../format/mode.js';
import type { Settings } from '../settings.js';
import type { Shell } from '../shell.js';
import { ShellError } from '../shell-error.js';
import type { Command } from './command.js';

type Switch = 'timer' | 'echo' | 'headers' | 'pager';

function switching(name: Switch, summary: string): Command {
  return {
    name,
    usage: '[on|off]',
    summary,
    example: `.${name} on`,
    topic: 'output',
    offers: () => ['on', 'off'],
    run: (shell, args) => {
      const chosen = args.onOff();
      if (chosen === undefined) shell.note(`${name} is ${shell.settings[name] ? 'on' : 'off'}`);
      else shell.settings[name] = chosen;
    },
  };
}

function counting(
  name: 'width' | 'fold',
  usage: string,
  summary: string,
  example: string,
  least: number,
  set: (settings: Settings, n: number | undefined) => void,
): Command {
  return {
    name,
    usage,
    summary,
    example,
    topic: 'output',
    run: (shell, args) => {
      args.atMost(1);
      const word = args.words[0];
      if (!word) set(shell.settings, undefined);
      else if (/^\d{1,6}$/.test(word.text) && Number(word.text) >= least)
        set(shell.settings, Number(word.text));
      else throw args.wrong(`a whole number from ${least}`, word.start);
    },
  };
}

export const outputCommands: readonly Command[] = [
  {
    name: 'mode',
    usage: `[${Object.keys(modes).join('|')}]`,
    summary: 'how rows are written; without a name, the list',
    example: '.mode csv',
    topic: 'output',
    offers: () => Object.keys(modes),
    run: async (shell, args) => {
      args.atMost(1);
      const word = args.words[0];
      if (!word) {
        await shell.table(
          ['', 'mode', 'is'],
          Object.entries(modes).map(([name, { summary }]) => [
            name === shell.settings.mode ? '*' : '',
            name,
            summary,
          ]),
        );
        return;
      }
      try {
        shell.settings.mode = modeNamed(word.text);
      } catch (error) {
        if (!(error instanceof AssayError)) throw error;
        throw new ShellError(error.code, error.message, { offset: word.start, cause: error });
      }
    },
  },
  switching('headers', "whether the columns' names are written"),
  {
    name: 'nullvalue',
    usage: '[TEXT]',
    summary: "what stands for NULL; without a text, the mode's own",
    example: '.nullvalue ∅',
    topic: 'output',
    run: (shell, args) => {
      args.atMost(1);
      shell.settings.nullValue = args.at(0);
    },
  },
  counting(
    'width',
    '[COLUMNS]',
    "how wide a box may be; without a number, the terminal's width",
    '.width 120',
    20,
    (settings, n) => {
      settings.width = n;
    },
  ),
  counting(
    'fold',
    '[PARTS]',
    'how many parts of an annotation are shown; the rest is counted',
    '.fold 50',
    1,
    (settings, n) => {
      settings.fold = n ?? 12;
    },
  ),
  switching('timer', 'after each statement: what parsing, planning, running and provenance took'),
  switching('echo', 'write each statement before its result'),
  switching('pager', '$PAGER for results that are longer than the screen'),
  fileCommand('output', 'results go to a file from now on; without a file, to the screen again', false),
  fileCommand('once', 'the next result goes to a file', true),
];

function fileCommand(name: 'output' | 'once', summary: string, forOne: boolean): Command {
  return {
    name,
    usage: forOne ? 'FILE' : '[FILE]',
    summary,
    example: `.${name} result.csv`,
    topic: 'output',
    run: async (shell: Shell, args) => {
      args.atMost(1);
      const path = forOne ? args.needed(0, 'the file').text : args.at(0);
      if (path === undefined || path === '-') await shell.output.toStandard();
      else await shell.output.toFile(shell.path(path), forOne);
    },
  };
}
