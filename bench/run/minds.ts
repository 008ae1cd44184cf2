/** Who plans: a model, or the known calls of a task. */
import { GroundTruthPlanner } from '../../planner/agent/planners/ground-truth.js';
import { ModelPlanner } from '../../planner/agent/planners/model-planner.js';
import type { Session } from '../../planner/agent/session/session.js';
import { AssayError } from '../../semiring/message/error.js';
import { Meter } from '../../udf/model/meter.js';
import type { Model } from '../../udf/model/model.js';
import { quarantine } from '../../udf/model/quarantine.js';
import type { Minds } from './run-task.js';
import type { RunTask, World } from './setting.js';

export interface ModelMindsOptions {
  readonly temperature?: number;
  /** Of one run: planner and quarantined model, input and output. */
  readonly maxTokens?: number;
  /** Of one conversation. */
  readonly maxContextTokens?: number;
}

export function modelMinds(model: Model, options: ModelMindsOptions = {}) {
  return (session: Session, _task: RunTask, world: World): Minds => {
    const { maxTokens, ...planner } = options;
    const meter = new Meter(model, maxTokens === undefined ? {} : { maxTokens });
    return {
      planner: new ModelPlanner({
        ...planner,
        model: meter,
        policy: session.policy,
        design: session.design,
        tools: world.described ?? world.tools.values(),
      }),
      quarantine: quarantine(meter),
      remembers: false,
      usage: () => meter.usage,
    };
  };
}

/** @throws AssayError `run/no-ground-truth` for a task whose calls are not known */
export function knownMinds(session: Session, task: RunTask): Minds {
  if (!task.known) {
    throw new AssayError(
      'run/no-ground-truth',
      `the task ${JSON.stringify(task.id)} has no groundTruth, so it needs a model: --model or ASSAY_MODEL`,
    );
  }
  const planner = new GroundTruthPlanner(session, task.known);
  return { planner, quarantine: planner, remembers: true };
}
