/** Lines of a stream, and JSON on them. A line that never ends is refused before it fills the memory. */
import type { Readable, Writable } from 'node:stream';
import { BenchError } from '../suites/error.js';

/** Larger than any state of AgentDojo by two orders. */
const LONGEST = 64 * 1024 * 1024;

/** @throws BenchError `bench/bridge-line` for a line that is too long or not JSON, with its number. */
export async function* readJsonLines(input: Readable, longest = LONGEST): AsyncGenerator<unknown> {
  let parts: string[] = [];
  let length = 0;
  let line = 0;
  const decoder = new TextDecoder();
  const take = (): unknown => {
    const text = parts.join('');
    parts = [];
    length = 0;
    line++;
    if (text.trim() === '') return undefined;
    try {
      return JSON.parse(text);
    } catch (cause) {
      const start = JSON.stringify(text.slice(0, 80));
      throw new BenchError('bench/bridge-line', `Line ${line} from the host is not JSON: ${start}`, {
        cause,
      });
    }
  };
  for await (const chunk of input) {
    const pieces = (typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true })).split('\n');
    for (const [index, piece] of pieces.entries()) {
      if (index > 0) {
        const value = take();
        if (value !== undefined) yield value;
      }
      parts.push(piece);
      length += piece.length;
      if (length > longest) {
        throw new BenchError(
          'bench/bridge-line',
          `Line ${line + 1} from the host is longer than ${longest} characters`,
        );
      }
    }
  }
  const value = take();
  if (value !== undefined) yield value;
}

/** Resolves when the stream takes more. */
export async function writeJsonLine(output: Writable, value: unknown): Promise<void> {
  const written = `${JSON.stringify(value)}\n`;
  await new Promise<void>((resolve, reject) => {
    output.write(written, (error) => (error ? reject(error) : resolve()));
  });
}
