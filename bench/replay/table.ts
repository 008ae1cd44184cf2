/**
 * The report as tables on a terminal. Names come from files, so they are made safe before they are printed.
 */
import Table from 'cli-table3';
import { visibleText } from '../../semiring/message/visible-text.js';
import type { Autonomy } from './autonomy.js';
import { all, type Report, type RunRow, type SummaryRow } from './report.js';

type Alignment = 'left' | 'right';

/** A plain table: two spaces between columns, no lines; the first `words` columns flush left. */
export function plainTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  words: number,
): string {
  return layOut(
    head,
    rows.map((row) => row.map((cell) => visibleText(cell))),
    words,
  );
}

/** A plain table of cells that are visible text already. */
export function layOut(head: readonly string[], rows: readonly (readonly string[])[], words: number): string {
  const none = Object.fromEntries(
    ['top', 'top-mid', 'top-left', 'top-right', 'bottom', 'bottom-mid', 'bottom-left', 'bottom-right', 'left']
      .concat(['left-mid', 'mid', 'mid-mid', 'right', 'right-mid'])
      .map((name) => [name, '']),
  );
  const table = new Table({
    head: [...head],
    chars: { ...none, middle: '  ' },
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
    colAligns: head.map((_, column): Alignment => (column < words ? 'left' : 'right')),
  });
  for (const row of rows) table.push([...row]);
  return table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n');
}

const autonomyHead = ['runs', 'done', 'HITL load', 'TCR@0', 'TCR@1', 'TCR@2', 'TCR@∞', 'mean v'];

/** One line for each model, suite and design. */
export function summaryTable(report: Report): string {
  const rows = report.summary.map((row) => [row.model, row.suite, row.design, ...autonomyCells(row)]);
  return plainTable(['model', 'suite', 'design', ...autonomyHead], rows, 3);
}

/** For runs under attack: how many of the recorded attack steps a design would have stopped. */
export function attackTable(report: Report): string | undefined {
  const rows = report.summary.filter(
    (row) => row.attacked.runs > 0 && row.attackSteps + row.attackStepsNotMade > 0,
  );
  if (rows.length === 0) return undefined;
  const cells = rows.map((row) => [row.model, row.suite, row.design, ...attackCells(row)]);
  return plainTable(
    ['model', 'suite', 'design', 'attacked runs', 'attack steps', 'not made', 'stopped', 'went through'],
    cells,
    3,
  );
}

/** Every attack step that a design would not have stopped, with the reason. */
export function wentThroughTable(report: Report): string | undefined {
  const rows = report.runs.flatMap((run) =>
    run.attack
      .filter((step) => !step.stopped)
      .map((step) => [run.design, name(run), `${step.step}`, step.tool, step.reason]),
  );
  if (rows.length === 0) return undefined;
  return plainTable(['design', 'run', 'step', 'tool', 'why it was allowed'], rows, 5);
}

/** What stands under a table in which some designs are modelled. */
export const modelNote = [
  'Rows of designs that hide (fides, prudentia) are a model: the recorded calls, made as the design would have made',
  'them. An argument is a literal if the planner saw it, the user said it or it is found nowhere; a variable if hidden',
  'data contains it. A task known to depend on data reveals it once, before its first call with a policy. Steps of an',
  'attack are not made while the injection is hidden. Success is the recorded one. all-knowing is a lower bound.',
].join('\n');

/** The rows of totals only: over all models, or the one model's over all suites. */
export function totals(report: Report): readonly SummaryRow[] {
  const overall = report.summary.filter((row) => row.model === all && row.suite === all);
  if (overall.length > 0) return overall;
  const perModel = report.summary.filter((row) => row.model === all || row.suite === all);
  return perModel.length > 0 ? perModel : report.summary;
}

function autonomyCells(row: Autonomy): string[] {
  const share = (value: number) => (Number.isNaN(value) ? '-' : `${(100 * value).toFixed(1)}%`);
  const shares = [row.tcr0, row.tcr1, row.tcr2, row.tcrInfinity].map(share);
  const mean = Number.isNaN(row.meanInterventions) ? '-' : row.meanInterventions.toFixed(2);
  return [`${row.runs}`, `${row.successes}`, `${row.hitlLoad}`, ...shares, mean];
}

function attackCells(row: SummaryRow): string[] {
  const { attackSteps, attackStepsStopped, attackStepsNotMade } = row;
  return [
    row.attacked.runs,
    attackSteps + attackStepsNotMade,
    attackStepsNotMade,
    attackStepsStopped,
    attackSteps - attackStepsStopped,
  ].map(String);
}

function name(run: RunRow): string {
  return [run.model, run.suite, run.userTask, run.injectionTask ?? 'benign'].join('/');
}
