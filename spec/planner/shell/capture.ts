/** Streams that keep what is written, for tests of commands. */
import { Readable, Writable } from 'node:stream';
import { type ReplCommandOptions, replCommand } from '../../../planner/shell/entry/repl-command.js';

export class Capture extends Writable {
  text = '';

  constructor() {
    super({ decodeStrings: false });
  }

  override _write(chunk: string | Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.text += String(chunk);
    done();
  }
}

export interface Run {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** A command's run with this standard input. */
export async function captured(
  input: string | Buffer,
  command: (streams: { stdin: Readable; stdout: Capture; stderr: Capture }) => Promise<number>,
): Promise<Run> {
  const stdout = new Capture();
  const stderr = new Capture();
  // In pieces, as a pipe gives it.
  const bytes = Buffer.from(input as string);
  const pieces: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += 1000) pieces.push(bytes.subarray(at, at + 1000));
  const code = await command({ stdin: Readable.from(pieces, { objectMode: false }), stdout, stderr });
  return { code, out: stdout.text, err: stderr.text };
}

export function repl(
  input: string | Buffer,
  options: ReplCommandOptions = {},
  files: readonly string[] = [],
): Promise<Run> {
  return captured(input, (streams) =>
    replCommand(files, { rc: false, history: false, mode: 'box', ...options }, streams),
  );
}
