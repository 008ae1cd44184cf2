/**
 * `assay check POLICY...`: what is wrong with policy files. The findings go to standard output, one a line,
 * as compilers write them, so that editors can jump to them.
 */
import { readFile } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { text as textOfStream } from 'node:stream/consumers';
import { visibleText } from '../../../semiring/message/visible-text.js';
import { type Diagnostic, showDiagnostic } from '../../agent/policy/diagnostic.js';
import { checkPolicy, loadPolicy, profilesOf } from '../../agent/policy/load.js';
import { readToolSchemas } from '../../agent/policy/tool-schema.js';
import { type ExitCode, exitCode } from '../process/exit-code.js';

export interface CheckCommandOptions {
  /** A file with the tools' schemas. */
  readonly tools?: string;
  readonly json?: boolean;
}

interface Streams {
  readonly stdin: Readable;
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: NodeJS.WritableStream;
}

/**
 * `done` where no file has an error, `failed` where one has, `cannotOpen` where one cannot be read; the
 * others are checked all the same.
 * @throws AssayError `policy/tool-schema` where the tools' file is not as it should be
 */
export async function checkCommand(
  files: readonly string[],
  options: CheckCommandOptions,
  streams: Streams,
): Promise<ExitCode> {
  const tools = options.tools && readToolSchemas(await readFile(options.tools, 'utf8'), options.tools);
  const results: { policy: string; diagnostics: readonly Diagnostic[] }[] = [];
  let code: ExitCode = exitCode.done;
  for (const file of files) {
    const text = await readPolicyText(file, streams);
    if (text === undefined) {
      code = exitCode.cannotOpen;
      continue;
    }
    const source = file === '-' ? '<stdin>' : file;
    const diagnostics = checkPolicy(text, { source, ...(tools && { tools }) });
    const failed = diagnostics.some(({ severity }) => severity === 'error');
    if (failed && code === exitCode.done) code = exitCode.failed;
    results.push({ policy: source, diagnostics });
    if (!options.json) streams.stdout.write(report(source, text, diagnostics, failed));
  }
  if (options.json) streams.stdout.write(`${JSON.stringify(results, undefined, 2)}\n`);
  return code;
}

async function readPolicyText(file: string, streams: Streams): Promise<string | undefined> {
  if (file === '-') return textOfStream(streams.stdin);
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    streams.stderr.write(`assay: ${visibleText(file)} cannot be opened: ${visibleText(reason)}\n`);
    return undefined;
  }
}

function report(source: string, text: string, diagnostics: readonly Diagnostic[], failed: boolean): string {
  const name = visibleText(source);
  const lines = diagnostics.map((found) => showDiagnostic(name, found));
  const count = (severity: Diagnostic['severity']) => {
    const { length } = diagnostics.filter((found) => found.severity === severity);
    return `${length === 0 ? 'no' : length} ${severity}${length === 1 ? '' : 's'}`;
  };
  lines.push(`${name}: ${failed ? '' : `${contents(text)}; `}${count('error')}, ${count('warning')}`);
  return `${lines.join('\n')}\n`;
}

function contents(text: string): string {
  const { tools } = loadPolicy(text);
  const consequential = [...tools.values()].filter((tool) => tool.consequential).length;
  const profiles = profilesOf(text).map((name) => visibleText(name));
  const named = profiles.length > 0 ? `, profiles ${profiles.join(', ')}` : '';
  return `${tools.size} tools, ${consequential} of them consequential${named}`;
}
