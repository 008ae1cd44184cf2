/** Whether a task's calls depend on what results say (Fides, arXiv 2505.23643, table 5). */

/** `dd` data dependent, `diq` independent with a quarantined model, `di` independent. */
export type Dependency = 'dd' | 'diq' | 'di';

/**
 * The task's class; undefined for a task that has none. The suites leave travel unclassified: there the first
 * two tasks act on what reviews say, and the rest only report it. A task with two classes counts as the
 * lesser one.
 */
export function dependencyOf(
  suite: string,
  task: string,
  classes: readonly string[] | null,
): Dependency | undefined {
  if (suite === 'travel') return task === 'user_task_0' || task === 'user_task_1' ? 'dd' : 'diq';
  return (['di', 'diq', 'dd'] as const).find((dependency) => classes?.includes(dependency));
}
