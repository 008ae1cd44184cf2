/**
 * The shell: does one item of a script after the other. The one thing to know: it knows no terminal; whoever
 * feeds it lines (a terminal, a pipe, a file, an argument) gets the same results on `stdout` and the same
 * reports on `stderr`.
 */
import { resolve } from 'node:path';
import { parseSql } from '../../engine/sql/index.js';
import { AssayError } from '../../semiring/message/error.js';
import { visibleText } from '../../semiring/message/visible-text.js';
import type { Design } from '../agent/decision/design.js';
import type { Policy } from '../agent/policy/policy.js';
import type { Outcome, Result } from '../query/index.js';
import type { OutputColumn, OutputRow } from './format/column.js';
import { modes } from './format/mode.js';
import { itemsOf, type ScriptItem } from './input/script.js';
import type { Asking } from './model/asking.js';
import { counted } from './output/counted.js';
import { Output, OutputClosed } from './output/output.js';
import { isSystemError, type Problem, problemOf, showProblem } from './output/problem.js';
import { outputColumns, probeRows, type ResultReading, rowsOf } from './output/result-rows.js';
import { showTimes, type Times } from './output/timer.js';
import { type ExitCode, exitCode } from './process/exit-code.js';
import { openPager, type Pager } from './process/pager.js';
import type { Settings } from './settings.js';
import { howToHaveModel, ShellError } from './shell-error.js';
import { type LastQuery, Workspace } from './workspace/workspace.js';

export interface ShellStreams {
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: NodeJS.WritableStream;
}

/** Does a line that begins with a dot. */
export type RunCommand = (shell: Shell, line: string) => Promise<void>;

/** What the shell needs of the terminal on which somebody types. */
export interface Keyboard {
  /** Gives the terminal to another program; what it returns takes it back. */
  lend(): () => void;
  /** Aborts this controller when Ctrl-C is typed, also while an operator keeps the event loop busy. */
  watch(controller: AbortController): void;
}

export interface ShellOptions {
  readonly runCommand: RunCommand;
  readonly settings: Settings;
  /** Errors as JSON, one object a line. */
  readonly jsonErrors?: boolean;
  /** Where relative paths begin. Default: the current folder. */
  readonly folder?: string;
  /** The terminal, where somebody types. */
  readonly keyboard?: Keyboard;
  /** Answers `ask`. */
  readonly asking?: Asking;
}

/** Rows that are looked at to choose the widths of a box. */
const sampleRows = 1000;
/** `.read` within `.read`, at most. */
const deepestRead = 16;

export class Shell {
  readonly settings: Settings;
  readonly output: Output;
  readonly interactive: boolean;
  policy: Policy | undefined;
  design: Design | undefined;
  /** What the shell would end with now. */
  status: ExitCode = exitCode.done;
  /** Set by `.exit`: nothing more is to be done. */
  ended = false;
  readonly #streams: ShellStreams;
  readonly #options: ShellOptions;
  #workspace = new Workspace();
  #running: AbortController | undefined;
  #depth = 0;

  constructor(streams: ShellStreams, options: ShellOptions) {
    this.#streams = streams;
    this.#options = options;
    this.settings = options.settings;
    this.interactive = options.keyboard !== undefined;
    this.output = new Output(streams.stdout);
    this.asking?.use(this.workspace.database);
  }

  get workspace(): Workspace {
    return this.#workspace;
  }

  /** Another database in place of the one that is open; the model goes on to it. */
  set workspace(workspace: Workspace) {
    this.asking?.use(workspace.database);
    this.#workspace = workspace;
  }

  get asking(): Asking | undefined {
    return this.#options.asking;
  }

  /** Does one item and reports what is wrong with it. @returns whether it went well */
  async do(item: ScriptItem): Promise<boolean> {
    const outermost = this.#running === undefined;
    if (!this.#running) {
      this.#running = new AbortController();
      this.#options.keyboard?.watch(this.#running);
    }
    try {
      if (this.settings.echo)
        await this.output.write(
          `${visibleText(item.text, { newlines: 'keep' })}${item.kind === 'sql' ? ';' : ''}\n`,
        );
      if (item.kind === 'sql') await this.#sql(item.text);
      else await this.#options.runCommand(this, item.text);
      if (outermost) await this.output.statementDone();
      return true;
    } catch (error) {
      if (error instanceof OutputClosed) {
        this.ended = true;
        return true;
      }
      if (error instanceof Reported) return false;
      this.#report(error, item);
      if (outermost) await this.output.statementDone();
      return false;
    } finally {
      if (outermost) this.#running = undefined;
    }
  }

  /** A path that a user wrote. */
  path(text: string): string {
    return this.#options.folder === undefined ? text : resolve(this.#options.folder, text);
  }

  /** Stops what is running. @returns whether there was something to stop */
  interrupt(): boolean {
    this.#running?.abort();
    return this.#running !== undefined;
  }

  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  get signal(): AbortSignal | undefined {
    return this.#running?.signal;
  }

  /** The last query. @throws ShellError `shell/no-result` */
  get last(): LastQuery {
    const { last } = this.workspace;
    if (last) return last;
    throw new ShellError('shell/no-result', 'there is no result yet', {
      hint: 'run a query first: it ends with ;',
    });
  }

  /** A file of statements and commands. @throws Reported where one fails */
  async read(text: string, source: string): Promise<void> {
    if (this.#depth >= deepestRead) {
      throw new ShellError('shell/read-depth', `files read files ${deepestRead} deep; does one read itself?`);
    }
    this.#depth += 1;
    try {
      for (const item of itemsOf(text, source)) {
        if (this.ended) return;
        const well = await this.do(item);
        if (!well) throw new Reported();
      }
    } finally {
      this.#depth -= 1;
    }
  }

  /** Result text. */
  async print(text: string): Promise<void> {
    await this.output.write(text.endsWith('\n') ? text : `${text}\n`);
  }

  /** What is no result: news, times. Made safe for a screen. */
  note(text: string): void {
    this.#streams.stderr.write(`${visibleText(text, { newlines: 'keep' })}\n`);
  }

  /** A table of rows in the current mode. */
  async table(columns: readonly (string | OutputColumn)[], rows: Iterable<OutputRow>): Promise<void> {
    const described = columns.map((column) =>
      typeof column === 'string' ? { name: column, align: 'left' as const } : column,
    );
    await this.#stream(described, rows);
  }

  /**
   * @param count how many rows there are, where that is known
   * @param probe rows from all over the result, for the widths of a box
   */
  async #stream(
    columns: readonly OutputColumn[],
    rows: Iterable<OutputRow>,
    count?: number,
    probe: readonly OutputRow[] = [],
  ): Promise<number> {
    const { settings, output } = this;
    const iterator = rows[Symbol.iterator]();
    const sample: OutputRow[] = [];
    let next = iterator.next();
    const wanted = settings.mode === 'box' ? sampleRows : 0;
    for (; !next.done && sample.length < wanted; next = iterator.next()) sample.push(next.value);
    const writer = modes[settings.mode].writer(columns, [...sample, ...probe], {
      width: settings.width ?? output.columns ?? 100,
      headers: settings.headers,
      nullValue: settings.nullValue,
      screen: output.isScreen,
    });
    const sink = this.#sink(count ?? (next.done ? sample.length : Number.POSITIVE_INFINITY), columns.length);
    let written = 0;
    let text = writer.head;
    const add = async (row: OutputRow): Promise<void> => {
      text += writer.row(row);
      written += 1;
      if (text.length < 32_768) return;
      await sink.write(text);
      text = '';
      await this.#breathe();
    };
    try {
      for (const row of sample) await add(row);
      for (; !next.done; next = iterator.next()) await add(next.value);
      await sink.write(text + writer.end(written));
    } catch (error) {
      if (!(error instanceof OutputClosed) || !sink.pager) throw error;
    } finally {
      await sink.close();
    }
    return written;
  }

  /** Lets the terminal's keys in. @throws ShellError `shell/interrupted` */
  async #breathe(): Promise<void> {
    await new Promise<void>((resolve) => setImmediate(resolve));
    if (this.signal?.aborted) throw new ShellError('shell/interrupted', 'interrupted');
  }

  #sink(rows: number, columns: number): Sink {
    const { output, settings } = this;
    const { keyboard } = this.#options;
    const lines = settings.mode === 'line' ? rows * (columns + 1) : rows + 5;
    const paged =
      this.interactive &&
      settings.pager &&
      keyboard &&
      output.isScreen &&
      lines > (output.rows ?? Number.POSITIVE_INFINITY);
    const pager: Pager | undefined = paged ? openPager(() => keyboard.lend()) : undefined;
    if (pager) return { write: (text) => pager.write(text), close: () => pager.close(), pager: true };
    return { write: (text) => output.write(text), close: async () => undefined, pager: false };
  }

  async #sql(text: string): Promise<void> {
    const { signal } = this;
    const { database } = this.workspace;
    const times = this.settings.timer ? await this.#measured(text) : undefined;
    const start = performance.now();
    const outcomes = await database
      .run(text, [], signal ? { signal } : {})
      .finally(() => this.asking?.clear());
    const running = performance.now() - start;
    for (const outcome of outcomes) {
      const provenance = await this.#show(outcome, text);
      if (times)
        this.note(showTimes({ ...times, run: Math.max(0, running - times.parse - times.plan), provenance }));
    }
  }

  /** What parsing and planning take, measured apart. */
  async #measured(text: string): Promise<Pick<Times, 'parse' | 'plan'>> {
    const statements = await parseSql(text);
    // Once more: the first time may have loaded the grammar.
    const start = performance.now();
    await parseSql(text);
    const parse = performance.now() - start;
    const isQuery = statements.length === 1 && 'SelectStmt' in statements[0].tree;
    if (!isQuery) return { parse, plan: 0 };
    return { parse, plan: (await this.workspace.database.explain(text)).planning };
  }

  /** @returns milliseconds that reading the annotations took */
  async #show(outcome: Outcome, sql: string): Promise<number> {
    switch (outcome.kind) {
      case 'rows':
        this.workspace.last?.result.release();
        this.workspace.last = { sql, result: outcome.result };
        return this.showResult(outcome.result);
      case 'explained':
        await this.print(visibleText(outcome.explanation.text, { newlines: 'keep' }));
        return 0;
      case 'inserted':
        this.note(`${counted(outcome.rows, 'row')} into ${outcome.table}`);
        return 0;
      case 'created':
        this.note(`${outcome.table} created, ${counted(outcome.rows, 'row')}`);
        return 0;
      case 'existed':
        this.note(outcome.notice);
        return 0;
      case 'dropped':
        this.note(outcome.tables.length === 0 ? 'nothing to drop' : `${outcome.tables.join(', ')} dropped`);
        return 0;
    }
  }

  /** A result in the current mode and semiring. */
  async showResult(result: Result): Promise<number> {
    const { workspace, settings } = this;
    const reading: ResultReading = {
      database: workspace.database,
      result,
      semiring: settings.semiring,
      fold: settings.fold,
      nameOf: workspace.tokens.nameOf,
      milliseconds: 0,
    };
    const probe = settings.mode === 'box' && result.rowCount > sampleRows ? probeRows(reading) : [];
    await this.#stream(outputColumns(reading), rowsOf(reading), result.rowCount, probe);
    return reading.milliseconds;
  }

  /** `ask` is a function only where there is a model. */
  #withHint(problem: Problem): Problem {
    const asks = /^there is no function ask(?:_reason)?$/.test(problem.message);
    return asks && !this.asking ? { ...problem, hint: howToHaveModel } : problem;
  }

  #report(error: unknown, item: ScriptItem): void {
    const interrupted = this.signal?.aborted === true;
    const problem = interrupted
      ? { code: 'shell/interrupted', message: 'interrupted', ...item.origin }
      : this.#withHint(problemOf(error, item));
    this.#streams.stderr.write(
      this.#options.jsonErrors ? `${JSON.stringify(problem)}\n` : showProblem(problem),
    );
    if (interrupted) this.status = exitCode.interrupted;
    else this.status = isSystemError(error) ? exitCode.cannotOpen : exitCode.failed;
  }
}

/** A problem that has been reported already, inside a file that is being read. */
export class Reported extends AssayError {
  constructor() {
    super('shell/reported', 'a statement of the file failed');
  }
}

interface Sink {
  write(text: string): Promise<void>;
  close(): Promise<void>;
  readonly pager: boolean;
}
