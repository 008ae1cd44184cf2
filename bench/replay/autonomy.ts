/**
 * The metrics of autonomy. v(run) is the number of human interventions; HITL load is the sum of v over the
 * successful runs; TCR@k is the share of all runs that succeeded with v at most k, so TCR@0 is full autonomy
 * and TCR@∞ plain completion.
 */

/** What the metrics need of a run. */
export interface TaskOutcome {
  readonly success: boolean;
  /** v */
  readonly interventions: number;
}

export interface Autonomy {
  readonly runs: number;
  readonly successes: number;
  readonly hitlLoad: number;
  readonly tcr0: number;
  readonly tcr1: number;
  readonly tcr2: number;
  readonly tcrInfinity: number;
  /** Over all runs, failed ones included. */
  readonly meanInterventions: number;
}

/** Share of all `outcomes` that succeeded with at most k interventions; NaN for no outcomes. */
export function tcr(outcomes: readonly TaskOutcome[], k: number): number {
  const completed = outcomes.filter((outcome) => outcome.success && outcome.interventions <= k);
  return completed.length / outcomes.length;
}

export function autonomy(outcomes: readonly TaskOutcome[]): Autonomy {
  const successes = outcomes.filter((outcome) => outcome.success);
  const sum = (of: readonly TaskOutcome[]) => of.reduce((total, outcome) => total + outcome.interventions, 0);
  return {
    runs: outcomes.length,
    successes: successes.length,
    hitlLoad: sum(successes),
    tcr0: tcr(outcomes, 0),
    tcr1: tcr(outcomes, 1),
    tcr2: tcr(outcomes, 2),
    tcrInfinity: tcr(outcomes, Number.POSITIVE_INFINITY),
    meanInterventions: sum(outcomes) / outcomes.length,
  };
}
