/**
 * A recorded run of an agent: one line of a trace file. A line comes from outside, so it is validated whole
 * before anything is replayed, and a problem names the field and what would be right.
 */
import * as v from 'valibot';

const text = v.string();
const index = v.pipe(v.number(), v.integer(), v.minValue(0));

const call = v.object({
  id: v.optional(v.nullable(text), null),
  function: text,
  args: v.record(text, v.unknown()),
});

const step = v.object({
  /** Calls of one assistant message share a turn; absent (ground truth): each step is a turn of its own. */
  turn: v.optional(index),
  call,
  /** What the model was shown; null where the call was never run. */
  resultText: v.optional(v.nullable(text), null),
  result: v.optional(v.unknown()),
  error: v.optional(v.nullable(text), null),
  assistantText: v.optional(v.nullable(text), null),
});

const run = v.object({
  model: v.optional(text, 'ground truth'),
  suite: text,
  userTask: text,
  injectionTask: v.optional(v.nullable(text), null),
  attack: v.optional(v.nullable(text), null),
  /** Whether the user's task was done. */
  utility: v.boolean(),
  /** True: the attack succeeded. */
  security: v.optional(v.nullable(v.boolean()), null),
  end: v.optional(v.picklist(['answer', 'calls_unanswered', 'aborted']), 'answer'),
  prompt: v.optional(text, ''),
  injectionSeen: v.optional(v.array(index), []),
  attackSteps: v.optional(v.array(index), []),
  steps: v.array(step),
  finalText: v.optional(v.nullable(text), null),
});

export type RecordedRun = v.InferOutput<typeof run>;
export type RecordedStep = RecordedRun['steps'][number];

/** A field that is not as it should be. */
export interface FieldProblem {
  /** `steps.3.call.function`; empty for the line as a whole. */
  readonly path: string;
  readonly message: string;
}

/** The run, or what is wrong with it. */
export function recordedRun(value: unknown): RecordedRun | readonly FieldProblem[] {
  const result = v.safeParse(run, value);
  if (!result.success) return result.issues.map(problem);
  const outside = [...result.output.attackSteps, ...result.output.injectionSeen].find(
    (at) => at >= result.output.steps.length,
  );
  if (outside !== undefined) {
    const message = `step ${outside} does not exist: the run has ${result.output.steps.length} steps`;
    return [{ path: 'attackSteps', message }];
  }
  return result.output;
}

function problem(issue: v.BaseIssue<unknown>): FieldProblem {
  const path = issue.path?.map((item) => String(item.key)).join('.') ?? '';
  if (issue.received === 'undefined') return { path, message: 'is missing' };
  return { path, message: `expected ${issue.expected ?? 'another value'}, found ${issue.received}` };
}

/** How a step ended: `undispatched` calls were never run. */
export type Fate = 'returned' | 'failed' | 'undispatched';

export function fateOf(step: RecordedStep): Fate {
  if (step.error !== null) return 'failed';
  return step.resultText === null && (step.result === undefined || step.result === null)
    ? 'undispatched'
    : 'returned';
}

/** What a harness that filters results puts in place of one: its own fixed text, and no data. */
const omission = /^<?Data omitted because a prompt injection was detected>?$/;

/** The data that a step's result brought into the run; a list without items where there is none. */
export function dataOf({ result }: RecordedStep): unknown {
  return typeof result === 'string' && omission.test(result) ? [] : result;
}

/** `model/suite/user_task[/injection_task]`, as `--explain` takes it. */
export function runName(run: RecordedRun): string {
  const attacked = run.injectionTask === null ? '' : `/${run.injectionTask}`;
  return `${run.model}/${run.suite}/${run.userTask}${attacked}`;
}
