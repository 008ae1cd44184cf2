/** The summary as CSV (RFC 4180), one line for each model, suite and design. */
import type { Report } from './report.js';

const columns = [
  'model',
  'suite',
  'design',
  'runs',
  'successes',
  'hitlLoad',
  'hitlLoadExecuted',
  'tcr0',
  'tcr1',
  'tcr2',
  'tcrInfinity',
  'meanInterventions',
  'attackSteps',
  'attackStepsStopped',
  'attackStepsNotMade',
] as const;

export function summaryCsv(report: Report): string {
  const lines = report.summary.map((row) => columns.map((column) => field(row[column])).join(','));
  return `${[columns.join(','), ...lines].join('\n')}\n`;
}

/** Text that a spreadsheet would run as a formula is quoted with a leading apostrophe, as spreadsheets do. */
function field(value: string | number): string {
  if (typeof value === 'number') return Number.isNaN(value) ? '' : `${value}`;
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
