/**
 * `assay tutorial [LESSON]`. What it shows is not written down anywhere; each step is typed into a real
 * shell. On a terminal the reader goes on step by step and may type into the same shell; otherwise it plays
 * through.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { nearest } from '../../../semiring/message/nearest.js';
import { wrap } from '../../../semiring/message/visible-text.js';
import { Output, OutputClosed } from '../output/output.js';
import { type ExitCode, exitCode } from '../process/exit-code.js';
import { isTerminal } from '../process/stream.js';
import { writeTutorialFiles } from '../tutorial/files.js';
import type { Lesson } from '../tutorial/lesson.js';
import { lessons } from '../tutorial/lessons.js';
import type { ReplStreams } from './repl-command.js';
import { Player } from './transcript.js';

export async function tutorialCommand(name: string | undefined, streams: ReplStreams): Promise<ExitCode> {
  const chosen = name === undefined ? lessons : lessons.filter((lesson) => lesson.name === name);
  if (chosen.length === 0) {
    streams.stderr.write(
      `assay: there is no lesson ${JSON.stringify(name?.slice(0, 64))}: ${nearest(
        name ?? '',
        lessons.map((lesson) => lesson.name),
      )}\n`,
    );
    return exitCode.usage;
  }
  const folder = await mkdtemp(join(tmpdir(), 'assay-tutorial-'));
  const output = new Output(streams.stdout);
  const reader = isTerminal(streams.stdin) && isTerminal(streams.stdout) ? new Reader(streams) : undefined;
  try {
    await writeTutorialFiles(folder);
    for (const lesson of chosen) {
      if (!(await play(lesson, folder, (text) => output.write(text), reader))) break;
    }
    return exitCode.done;
  } catch (error) {
    if (error instanceof OutputClosed) return exitCode.done;
    throw error;
  } finally {
    reader?.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** A lesson as it plays through, for the tests. @param folder holds the tutorial's files */
export async function lessonTranscript(lesson: Lesson, folder: string): Promise<string> {
  let transcript = '';
  await play(lesson, folder, async (text) => {
    transcript += text;
  });
  return transcript;
}

/** @returns whether to go on with the next lesson */
async function play(
  lesson: Lesson,
  folder: string,
  write: (text: string) => Promise<void>,
  reader?: Reader,
): Promise<boolean> {
  const player = new Player({ folder });
  await write(`\n${lesson.title}\n${'='.repeat(lesson.title.length)}\n`);
  for (const { text, input } of lesson.steps) {
    await write(`\n${paragraphs(text)}\n\n`);
    await write(await player.lines(input));
    if (reader && !(await letTry(reader, player, write))) return false;
  }
  await write(`\nTo try:\n${lesson.tryThis.map((line) => `  ${line}\n`).join('')}`);
  return !reader || letTry(reader, player, write);
}

const invitation = 'Enter goes on; or type SQL or a command into this shell; q leaves';

/** The reader types into the same shell until an empty line. @returns whether to go on */
async function letTry(
  reader: Reader,
  player: Player,
  write: (text: string) => Promise<void>,
): Promise<boolean> {
  for (;;) {
    const line = await reader.ask(`[${invitation}] `);
    if (line === undefined || /^\s*(?:q|quit|\.exit|\.quit)\s*$/.test(line)) return false;
    if (line.trim() === '') return true;
    // Whoever types SQL here need not think of the semicolon.
    const whole = line.trimStart().startsWith('.') || /;\s*$/.test(line) ? line : `${line};`;
    const screen = await player.line(whole);
    // The reader has just seen the first line: it was typed.
    await write(screen.slice(screen.indexOf('\n') + 1));
  }
}

class Reader {
  readonly #line: ReturnType<typeof createInterface>;
  #closed = false;
  #give: ((line: string | undefined) => void) | undefined;

  constructor(streams: ReplStreams) {
    this.#line = createInterface({ input: streams.stdin, output: streams.stdout, terminal: true });
    this.#line.on('line', (text) => this.#give?.(text));
    this.#line.on('close', () => {
      this.#closed = true;
      this.#give?.(undefined);
    });
  }

  /** Undefined at the end of input. */
  async ask(prompt: string): Promise<string | undefined> {
    if (this.#closed) return undefined;
    this.#line.setPrompt(prompt);
    this.#line.prompt();
    return new Promise((resolve) => {
      this.#give = resolve;
    });
  }

  close(): void {
    this.#line.close();
  }
}

const textWidth = 92;

function paragraphs(text: string): string {
  return text
    .split('\n\n')
    .map((paragraph) => filled(paragraph).join('\n'))
    .join('\n\n');
}

function filled(paragraph: string): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of paragraph.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > textWidth) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, ...wrap(line, textWidth)];
}
