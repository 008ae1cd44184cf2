/**
 * The autonomy of runs, by setting and design: over several runs, the mean and the sample standard deviation.
 */
import { type Autonomy, autonomy } from '../replay/autonomy.js';
import { plainTable } from '../replay/table.js';
import type { RunOutcome } from './run-task.js';

export interface Spread {
  readonly mean: number;
  /** Of a sample (divided by n − 1); 0 for one run. */
  readonly deviation: number;
}

const metrics = [
  'successes',
  'hitlLoad',
  'tcr0',
  'tcr1',
  'tcr2',
  'tcrInfinity',
  'meanInterventions',
] as const;

export interface SummaryRow {
  readonly setting: string;
  readonly design: string;
  readonly tasks: number;
  readonly runs: number;
  readonly metrics: Readonly<Record<(typeof metrics)[number], Spread>>;
}

/** In the order in which settings and designs come up; with several settings, all of them together last. */
export function summarize(outcomes: readonly RunOutcome[]): SummaryRow[] {
  const settings = [...new Set(outcomes.map(({ job }) => job.setting.name))];
  const designs = [...new Set(outcomes.map(({ job }) => job.design.name))];
  const row = (setting: string, design: string, of: readonly RunOutcome[]) => summaryRow(setting, design, of);
  const rows = settings.flatMap((setting) =>
    designs.map((design) =>
      row(
        setting,
        design,
        outcomes.filter(({ job }) => job.setting.name === setting && job.design.name === design),
      ),
    ),
  );
  if (settings.length === 1) return rows;
  const totals = designs.map((design) =>
    row(
      'all',
      design,
      outcomes.filter(({ job }) => job.design.name === design),
    ),
  );
  return [...rows, ...totals];
}

function summaryRow(setting: string, design: string, outcomes: readonly RunOutcome[]): SummaryRow {
  const runs = [...new Set(outcomes.map(({ job }) => job.run))];
  const each = runs.map((run) => autonomy(outcomes.filter(({ job }) => job.run === run)));
  return {
    setting,
    design,
    tasks: new Set(outcomes.map(({ job }) => `${job.setting.name}/${job.task.id}`)).size,
    runs: runs.length,
    metrics: spreads(each),
  };
}

function spreads(runs: readonly Autonomy[]): SummaryRow['metrics'] {
  const spread = (metric: (typeof metrics)[number]) => spreadOf(runs.map((run) => run[metric]));
  return {
    successes: spread('successes'),
    hitlLoad: spread('hitlLoad'),
    tcr0: spread('tcr0'),
    tcr1: spread('tcr1'),
    tcr2: spread('tcr2'),
    tcrInfinity: spread('tcrInfinity'),
    meanInterventions: spread('meanInterventions'),
  };
}

export function spreadOf(values: readonly number[]): Spread {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { mean, deviation: values.length < 2 ? 0 : Math.sqrt(squares / (values.length - 1)) };
}

/** As a table for people. */
export function summaryText(rows: readonly SummaryRow[]): string {
  const head = ['setting', 'design', 'tasks', 'runs', 'done', 'HITL load'];
  return plainTable(
    [...head, 'TCR@0', 'TCR@1', 'TCR@2', 'TCR@∞', 'mean v'],
    rows.map(({ setting, design, tasks, runs, metrics: of }) => {
      const number = ({ mean, deviation }: Spread, digits: number, unit = '', scale = 1) =>
        `${(scale * mean).toFixed(digits)}${unit}${runs > 1 ? ` ±${(scale * deviation).toFixed(Math.max(1, digits))}` : ''}`;
      const count = (spread: Spread) => number(spread, runs > 1 ? 1 : 0);
      const share = (spread: Spread) => number(spread, 1, '%', 100);
      return [
        setting,
        design,
        `${tasks}`,
        `${runs}`,
        count(of.successes),
        count(of.hitlLoad),
        share(of.tcr0),
        share(of.tcr1),
        share(of.tcr2),
        share(of.tcrInfinity),
        number(of.meanInterventions, 2),
      ];
    }),
    2,
  );
}
