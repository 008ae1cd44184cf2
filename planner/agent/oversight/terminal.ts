/**
 * Oversight by a person at a terminal. One question at a time, and only a line `y` or `yes` that is typed
 * after the question was shown approves. Everything else, the end of input included, is no.
 */
import type { Readable, Writable } from 'node:stream';
import type { Decision } from './approvals.js';
import type { Oversight } from './oversight.js';
import { renderRequest } from './render.js';

export interface TerminalOptions {
  readonly input: Readable;
  readonly output: Writable;
  /** Columns; default: the output's own, or 80. */
  readonly width?: number;
}

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
        return readDecision(options, signal);
      });
      last = turn.catch(() => {});
      return turn;
    },
  };
}

async function readDecision({ input, output }: TerminalOptions, signal: AbortSignal): Promise<Decision> {
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
function readLine(input: Readable, signal: AbortSignal): Promise<string | undefined> {
  return new Promise((resolve) => {
    if (input.readableEnded || input.destroyed || signal.aborted) return resolve(undefined);
    let text = '';
    const onData = (chunk: Buffer | string) => {
      text += String(chunk);
      const end = text.search(/[\r\n]/);
      if (end >= 0) finish(text.slice(0, end));
      else if (text.length > longestAnswer) text = text.slice(0, longestAnswer + 1);
    };
    const onEnd = () => finish(undefined);
    const finish = (line: string | undefined) => {
      input.off('data', onData).off('end', onEnd).off('error', onEnd).off('close', onEnd);
      signal.removeEventListener('abort', onEnd);
      input.pause();
      resolve(line);
    };
    input.on('data', onData).on('end', onEnd).on('error', onEnd).on('close', onEnd);
    signal.addEventListener('abort', onEnd, { once: true });
    input.resume();
  });
}
