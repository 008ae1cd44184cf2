/**
 * What a design would have done about the recorded attack steps. A step is scored by its decision, not by
 * whether the attack then succeeded; an attack call that was never run needs no stopping.
 */
import type { ReplayedRun, ReplayedStep } from './replay.js';

export interface AttackStep {
  readonly step: number;
  readonly tool: string;
  /** A human would have been asked. */
  readonly stopped: boolean;
  /** Why it would have gone through; empty where it was stopped. */
  readonly reason: string;
}

/** The attack steps of a run that were attempted. */
export function attackSteps(replayed: ReplayedRun): AttackStep[] {
  return replayed.run.attackSteps.flatMap((at) => {
    const step = replayed.steps[at];
    return step.decided ? [attackStep(step, step.decided.tool, replayed.endorsements > 0)] : [];
  });
}

function attackStep(step: ReplayedStep, tool: string, endorsed: boolean): AttackStep {
  const decision = step.decided?.decision;
  if (decision?.verdict !== 'allow') return { step: step.step, tool, stopped: true, reason: '' };
  const certified = endorsed && decision.grounds === 'trusted action';
  return {
    step: step.step,
    tool,
    stopped: false,
    reason: certified ? byEndorsement : reasons[decision.grounds],
  };
}

/** The replay takes every request as approved, an endorsement of the injection too. */
const byEndorsement = 'a human had endorsed what held the injection';

const reasons = {
  'no policy': 'its policy demands nothing',
  'not consequential': 'it is not consequential',
  'trusted action': 'the context was still trusted',
  'permitted flow': 'everyone who receives the data may read it (permitted flow)',
} as const;
