/**
 * A report over replayed runs, as data: one row for each run and design, one summary row for each model,
 * suite and design, and totals. Every output (table, JSON, CSV, plot) is made from it.
 */
import { type AttackStep, attackSteps } from './attack.js';
import { type Autonomy, autonomy } from './autonomy.js';
import { fateOf } from './recorded-run.js';
import { interventions, type ReplayedRun } from './replay.js';

export interface RunRow {
  readonly model: string;
  readonly suite: string;
  readonly userTask: string;
  readonly injectionTask: string | null;
  readonly design: string;
  readonly success: boolean;
  /** Interventions counted over attempted calls: those with a result and those that failed. */
  readonly interventions: number;
  /** Step indexes that needed a human. */
  readonly asked: readonly number[];
  /** Endorsements among the interventions. */
  readonly endorsements: number;
  /** Interventions counted over calls that had a result, and endorsements. */
  readonly executed: number;
  /** Calls decided. */
  readonly decisions: number;
  readonly attack: readonly AttackStep[];
  /**
   * Steps of the attack that were recorded as attempted, and that this design's planner would not have made.
   */
  readonly attackNotMade: number;
}

/** All runs of a group, and apart those that are benign and those under attack. */
export interface SummaryRow extends Autonomy {
  readonly model: string;
  readonly suite: string;
  readonly design: string;
  readonly benign: Autonomy;
  readonly attacked: Autonomy;
  /** HITL load where only calls with a result count. */
  readonly hitlLoadExecuted: number;
  readonly attackSteps: number;
  readonly attackStepsStopped: number;
  readonly attackStepsNotMade: number;
}

export interface Report {
  readonly summary: readonly SummaryRow[];
  readonly runs: readonly RunRow[];
}

/** The name of a total over all models or all suites. */
export const all = 'all';

export function runRow(replayed: ReplayedRun, design: string): RunRow {
  const { run } = replayed;
  const attack = attackSteps(replayed);
  const attempted = run.attackSteps.filter((step) => fateOf(run.steps[step]) !== 'undispatched');
  return {
    model: run.model,
    suite: run.suite,
    userTask: run.userTask,
    injectionTask: run.injectionTask,
    design,
    success: run.utility,
    interventions: interventions(replayed),
    asked: replayed.asked,
    endorsements: replayed.endorsements,
    executed: replayed.executed + replayed.endorsements,
    decisions: replayed.steps.filter((step) => step.decided).length,
    attack,
    attackNotMade: attempted.length - attack.length,
  };
}

/** Rows in order of first appearance: each model with its suites, then the model's total, then all models. */
export function report(runs: readonly RunRow[]): Report {
  const designs = distinct(runs.map((row) => row.design));
  const models = distinct(runs.map((row) => row.model));
  const suites = distinct(runs.map((row) => row.suite));
  // Undefined is the total: a model may well be named like it.
  const groups: { readonly model?: string; readonly suite?: string }[] = [];
  for (const model of models) {
    for (const suite of suites) groups.push({ model, suite });
    if (suites.length > 1) groups.push({ model });
  }
  if (models.length > 1) {
    for (const suite of suites) groups.push({ suite });
    groups.push({});
  }
  const byGroup = new Map<string, RunRow[]>();
  for (const row of runs) {
    for (const model of [row.model, undefined]) {
      for (const suite of [row.suite, undefined]) {
        const key = JSON.stringify([model, suite, row.design]);
        const rows = byGroup.get(key);
        if (rows) rows.push(row);
        else byGroup.set(key, [row]);
      }
    }
  }
  const summary = groups.flatMap(({ model, suite }) =>
    designs.flatMap((design) => {
      const rows = byGroup.get(JSON.stringify([model, suite, design]));
      return rows ? [summaryRow(rows, model ?? all, suite ?? all, design)] : [];
    }),
  );
  return { summary, runs };
}

function summaryRow(rows: readonly RunRow[], model: string, suite: string, design: string): SummaryRow {
  const attempted = rows.flatMap((row) => row.attack);
  return {
    model,
    suite,
    design,
    ...autonomy(rows),
    benign: autonomy(rows.filter((row) => row.injectionTask === null)),
    attacked: autonomy(rows.filter((row) => row.injectionTask !== null)),
    hitlLoadExecuted: rows.reduce((sum, row) => sum + (row.success ? row.executed : 0), 0),
    attackSteps: attempted.length,
    attackStepsStopped: attempted.filter((step) => step.stopped).length,
    attackStepsNotMade: rows.reduce((sum, row) => sum + row.attackNotMade, 0),
  };
}

function distinct(values: readonly string[]): string[] {
  return [...new Set(values)];
}
