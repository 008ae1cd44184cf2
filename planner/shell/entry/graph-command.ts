/**
 * `assay graph`: pictures. With SQL it draws the provenance of one row of the answer; with `--session` alone
 * it draws the session as a timeline.
 */
import { writeFile } from 'node:fs/promises';
import { AssayError } from '../../../semiring/message/error.js';
import { runCommand } from '../commands/run-command.js';
import { draw, graphOf, pictureFormat } from '../picture/index.js';
import { type ExitCode, exitCode } from '../process/exit-code.js';
import { defaultSettings } from '../settings.js';
import { Shell } from '../shell.js';
import type { Workspace } from '../workspace/workspace.js';
import { chosenMode, reportStart } from './choose.js';
import { openSources, type SourceOptions } from './query-command.js';
import type { ReplStreams } from './repl-command.js';

export interface GraphCommandOptions extends SourceOptions {
  /** `--row N`, from 1. Default 1. */
  readonly row?: string;
  /** `--format tree|mermaid|dot|svg`; a timeline has tree, mermaid and svg. Default `tree`. */
  readonly format?: string;
  /** `--gates N`: how many gates at most. Default 200. */
  readonly gates?: string;
  /** `-o FILE`: where the picture goes. Default standard output. */
  readonly output?: string;
}

export async function graphCommand(
  sql: string | undefined,
  options: GraphCommandOptions,
  streams: ReplStreams,
): Promise<ExitCode> {
  try {
    const workspace = await openSources(options);
    const picture =
      sql === undefined
        ? await timeline(workspace, options, streams)
        : await provenance(workspace, sql, options);
    if (picture === undefined) return exitCode.done;
    if (options.output === undefined) streams.stdout.write(`${picture}\n`);
    else await writeFile(options.output, `${picture}\n`);
    return exitCode.done;
  } catch (error) {
    return reportStart(error, streams.stderr);
  }
}

async function provenance(
  { database, tokens }: Workspace,
  sql: string,
  options: GraphCommandOptions,
): Promise<string> {
  const format = pictureFormat(options.format ?? 'tree');
  const result = await database.query(sql);
  const row = whole(options.row ?? '1', '--row');
  if (row > result.rowCount)
    throw new AssayError('shell/usage', `--row ${row}: the answer has ${result.rowCount} rows`);
  const graph = graphOf(result.relation.annotation, row - 1, tokens.nameOf, {
    most: whole(options.gates ?? '200', '--gates'),
  });
  return draw(graph, format, `row ${row} of ${sql}`);
}

/** Undefined where it has been written as a table. */
async function timeline(
  { session, name }: Workspace,
  options: GraphCommandOptions,
  streams: ReplStreams,
): Promise<string | undefined> {
  if (!session) throw new AssayError('shell/usage', 'give a query, or --session FILE for a timeline');
  const { mermaidTimeline, svgTimeline, timelineColumns, timelineOf, timelineRows } = await import(
    '../picture/draw-timeline.js'
  );
  const steps = timelineOf(session.design, session.events);
  const format = pictureFormat(options.format ?? 'tree');
  if (format === 'dot') throw new AssayError('shell/usage', 'a timeline is drawn as tree, mermaid or svg');
  if (format === 'svg') return svgTimeline(steps, `session ${name ?? ''}`);
  if (format === 'mermaid') return mermaidTimeline(steps);
  const settings = defaultSettings(chosenMode({ mode: 'box' }, streams.stdout));
  await new Shell(streams, { settings, runCommand }).table(timelineColumns, timelineRows(steps));
  return undefined;
}

function whole(text: string, option: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new AssayError(
    'shell/usage',
    `${option} takes a whole number from 1, not ${JSON.stringify(text.slice(0, 40))}`,
  );
}
