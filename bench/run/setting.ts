/**
 * Where a task is run: its policy, its tools, and how to tell that it is done. Every run of a task gets a
 * world of its own, so that runs share nothing but what is outside of this process.
 */
import type { KnownTask } from '../../planner/agent/planners/ground-truth.js';
import type { Directory, Policy } from '../../planner/agent/policy/policy.js';
import type { Session } from '../../planner/agent/session/session.js';
import type { Tool } from '../../udf/tool.js';

export interface RunTask {
  readonly id: string;
  readonly prompt: string;
  /** The calls that do it, where they are known. */
  readonly known?: KnownTask;
}

export interface World {
  readonly tools: ReadonlyMap<string, Tool>;
  /** As a model is told of them, where that differs. */
  readonly described?: readonly Tool[];
  readonly directory?: Directory;
  /** Brings a world that lives in this process to where the calls of a resumed session left it. */
  catchUp?(session: Session): void;
  /** Whether the task is done; undefined where only its answer can tell. */
  reached?(session: Session): boolean | undefined;
}

export interface Setting {
  readonly name: string;
  readonly policy: Policy;
  readonly tasks: readonly RunTask[];
  open(task: RunTask): World;
}
