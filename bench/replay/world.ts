/**
 * The world that a recorded run acted on: what a policy's directories say about it, and what the run's calls
 * changed. A replay executes no tool; it applies the effects that the record shows.
 */

import { emptyDirectory } from '../../planner/agent/label/principals.js';
import type { Directory } from '../../planner/agent/policy/policy.js';
import type { RecordedRun, RecordedStep } from './recorded-run.js';

export interface World {
  readonly directory: Directory;
  /** Which calls to make depends on what hidden data says; undefined where the task is not classified. */
  readonly dataDependent?: boolean;
  /** Applies what a step that did not fail changed. Called in order, before its result is labelled. */
  apply(step: RecordedStep): void;
}

/** A fresh world for a run. */
export type WorldOf = (run: RecordedRun) => World;

/** A world without directories: policies that need none are served by it. */
export const emptyWorld: WorldOf = () => ({ directory: emptyDirectory, apply: () => undefined });
