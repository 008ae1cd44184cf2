/**
 * Oversight by a person at a terminal. One question at a time, and only a line `y` or `yes` that is typed
 * after the question was shown approves. Everything else, the end of input included, is no.
 */
import type { Verdict } from './approvals.js';
import type { Oversight } from './oversight.js';
import { renderRequest } from './render.js';

/** Where a person's answer is read from; `process.stdin` is one, and so is any `Readable` of Node. */
export interface TerminalInput {
  readonly readableEnded: boolean;
  readonly destroyed: boolean;
  read(): unknown;
  resume(): unknown;
  pause(): unknown;
  on(event: string, listener: (chunk: unknown) => void): unknown;
  off(event: string, listener: (chunk: unknown) => void): unknown;
}

/** Where the question is written; `process.stdout` is one, and so is any `Writable` of Node. */
export interface TerminalOutput {
  write(text: string): unknown;
}

export interface TerminalOptions {
  readonly input: TerminalInput;
  readonly output: TerminalOutput;
  /** Columns; default: the output's own, or 80. */
  readonly width?: number;
}

/** What ends a stream that gives no answer. */
const endings = ['end', 'error', 'close'];

/** A longer line cannot be an answer; it is not kept. */
const longestAnswer = 100;

export function askOnTerminal(options: TerminalOptions): Oversight {
  let last: Promise<unknown> = Promise.resolve();
  return {
    review(request, signal) {
      const turn = last.then(() => {
        if (signal.aborted) return 'deny' as const;
        const columns = 'columns' in options.output ? Number(options.output.columns) : Number.NaN;
        options.output.write(renderRequest(request, options.width ?? (columns > 0 ? columns : 80)));
        return readVerdict(options, signal);
      });
      last = turn.catch(() => {});
      return turn;
    },
  };
}

async function readVerdict({ input, output }: TerminalOptions, signal: AbortSignal): Promise<Verdict> {
  // What was typed before the question does not answer it.
  while (input.read() !== null);
  output.write('Approve? [y/N] ');
  const line = await readLine(input, signal);
  const decision = /^(y|yes)$/i.test(line?.trim() ?? '') ? 'approve' : 'deny';
  output.write(decision === 'approve' ? 'approved\n' : 'denied\n');
  return decision;
}

/**
 * The next line, or undefined at the end of input, on an error or an abort. What follows the line is dropped.
 */
function readLine(input: TerminalInput, signal: AbortSignal): Promise<string | undefined> {
  return new Promise((resolve) => {
    if (input.readableEnded || input.destroyed || signal.aborted) return resolve(undefined);
    let text = '';
    const onData = (chunk: unknown) => {
      text += String(chunk);
      const end = text.search(/[\r\n]/);
      if (end >= 0) finish(text.slice(0, end));
      else if (text.length > longestAnswer) text = text.slice(0, longestAnswer + 1);
    };
    const onEnd = () => finish(undefined);
    const finish = (line: string | undefined) => {
      input.off('data', onData);
      for (const event of endings) input.off(event, onEnd);
      signal.removeEventListener('abort', onEnd);
      input.pause();
      resolve(line);
    };
    input.on('data', onData);
    for (const event of endings) input.on(event, onEnd);
    signal.addEventListener('abort', onEnd, { once: true });
    input.resume();
  });
}
