/** One recorded run under several designs, as rows of the report. */
import type { Design } from '../../planner/agent/decision/design.js';
import type { Policy } from '../../planner/agent/policy/policy.js';
import { allKnowingBound } from './all-knowing.js';
import { replayCounterfactually } from './counterfactual.js';
import type { RecordedRun } from './recorded-run.js';
import { type ReplayedRun, replay } from './replay.js';
import { type RunRow, runRow } from './report.js';
import type { World, WorldOf } from './world.js';

/** The name under which the lower bound stands in a report. */
export const allKnowing = 'all-knowing';

/**
 * Exact where the planner saw just what the record shows; a counterfactual where the design would have hidden
 * some.
 */
export function replayUnder(design: Design, run: RecordedRun, policy: Policy, world: World): ReplayedRun {
  return isModelled(design)
    ? replayCounterfactually(run, design, policy, world)
    : replay(run, design, policy, world);
}

export function isModelled(design: Design): boolean {
  return design.hides !== 'nothing';
}

/** A row for each design; where one of them hides, the lower bound as a last row. */
export function measure(
  run: RecordedRun,
  designs: readonly Design[],
  policy: Policy,
  worldOf: WorldOf,
): RunRow[] {
  const rows = designs.map((design) => runRow(replayUnder(design, run, policy, worldOf(run)), design.name));
  if (!designs.some(isModelled)) return rows;
  return [...rows, boundRow(run, allKnowingBound(run, policy, worldOf(run)))];
}

function boundRow(run: RecordedRun, interventions: number): RunRow {
  return {
    model: run.model,
    suite: run.suite,
    userTask: run.userTask,
    injectionTask: run.injectionTask,
    design: allKnowing,
    success: run.utility,
    interventions,
    asked: [],
    endorsements: 0,
    executed: interventions,
    decisions: 0,
    attack: [],
    attackNotMade: 0,
  };
}
