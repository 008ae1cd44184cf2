/** What the options of a command line choose. */

import { semiringNamed } from '../../../semiring/index.js';
import { AssayError } from '../../../semiring/message/error.js';
import { type Mode, modeNamed } from '../format/mode.js';
import { isSystemError, problemOf, showProblem } from '../output/problem.js';
import { type ExitCode, exitCode } from '../process/exit-code.js';
import { isTerminal } from '../process/stream.js';
import type { Settings } from '../settings.js';

export interface OutputOptions {
  /** `--mode NAME`: box on a terminal, tabs otherwise. */
  readonly mode?: string;
  readonly csv?: boolean;
  readonly json?: boolean;
  /** `--semiring NAME`, or `off`. */
  readonly semiring?: string;
  /** `--width COLUMNS` of a box. */
  readonly width?: string;
}

/** @throws AssayError `shell/unknown-mode` */
export function chosenMode({ mode, csv, json }: OutputOptions, stdout: NodeJS.WritableStream): Mode {
  if (mode !== undefined) return modeNamed(mode);
  if (json) return 'json';
  if (csv) return 'csv';
  return isTerminal(stdout) ? 'box' : 'tabs';
}

/** @throws AssayError `semiring/unknown-name`, `shell/usage` */
export function choose(settings: Settings, { semiring, width }: OutputOptions): void {
  if (semiring !== undefined) settings.semiring = semiring === 'off' ? undefined : semiringNamed(semiring);
  if (width === undefined) return;
  if (!/^\d{2,5}$/.test(width))
    throw new AssayError('shell/usage', `--width takes a number of columns, not ${JSON.stringify(width)}`);
  settings.width = Number(width);
}

/** Reports what is wrong before anything is run. */
export function reportStart(error: unknown, stderr: NodeJS.WritableStream, json = false): ExitCode {
  const problem = problemOf(error, {
    kind: 'command',
    text: '',
    origin: { source: 'assay', line: 1, column: 1 },
  });
  stderr.write(json ? `${JSON.stringify(problem)}\n` : showProblem(problem).replace(/^assay:1:1:/, 'assay:'));
  if (isSystemError(error)) return exitCode.cannotOpen;
  const usage =
    error instanceof AssayError &&
    /^(?:shell\/(?:usage|unknown-mode|unknown-format)|model\/bad-setting|semiring\/unknown-name|design\/unknown)$/.test(
      error.code,
    );
  return usage ? exitCode.usage : exitCode.failed;
}
