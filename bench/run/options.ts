/** The options of `assay run`, checked: numbers are numbers, and what excludes each other is said. */
import * as v from 'valibot';
import { designs as allDesigns, type Design, designNamed } from '../../planner/agent/decision/design.js';
import { AssayError } from '../../semiring/message/error.js';
import type { ModelSettings } from '../../udf/model/open-model.js';

/** `maxTokens` and `timeout` are of a run, and not of the model. */
export type ModelOptions = Omit<ModelSettings, 'maxTokens' | 'timeout'>;

/** As commander gives them. */
export interface RunCommandOptions extends ModelOptions {
  readonly prompt?: string;
  /** Names, parted by commas; `all`. */
  readonly design?: string;
  readonly tools?: string;
  readonly mcp?: string;
  /** A folder of AgentDojo's data. */
  readonly agentdojo?: string;
  /** Names of suites or scenarios, parted by commas. */
  readonly suite?: string;
  /** Ids of tasks, parted by commas. */
  readonly task?: string;
  readonly policy?: string;
  readonly profile?: string;
  readonly oversight?: string;
  readonly onViolation?: string;
  readonly maxTurns?: string | number;
  /** Of one run. */
  readonly maxTokens?: string | number;
  /** Of one conversation. */
  readonly maxContext?: string | number;
  /** Seconds for one run. */
  readonly timeout?: string | number;
  readonly temperature?: string | number;
  readonly runs?: string | number;
  readonly parallel?: string | number;
  /** A folder. */
  readonly log?: string;
  readonly resume?: boolean;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

/** The command line is wrong; the message says what would be right. */
export class UsageError extends AssayError {
  constructor(message: string) {
    super('run/usage', message);
  }
}

const amount = (least: number, what: string) =>
  v.optional(
    v.pipe(
      v.union(
        [v.number(), v.pipe(v.string(), v.regex(/^\d{1,12}(\.\d{1,6})?$/, what), v.transform(Number))],
        what,
      ),
      v.minValue(least, what),
    ),
  );
const whole = (least: number) => {
  const what = `expected a whole number from ${least}`;
  return v.optional(v.pipe(v.unwrap(amount(least, what)), v.integer(what)));
};

const shape = v.object({
  maxTurns: whole(1),
  maxTokens: whole(1),
  maxContext: whole(1),
  timeout: amount(0.001, 'expected a number of seconds'),
  temperature: amount(0, 'expected a number from 0'),
  runs: whole(1),
  parallel: whole(1),
  oversight: v.optional(v.picklist(['approve', 'deny', 'ask'], 'expected approve, deny or ask')),
  onViolation: v.optional(v.picklist(['ask', 'deny', 'retry'], 'expected ask, deny or retry')),
});

export type CheckedOptions = v.InferOutput<typeof shape>;

/** The options that are numbers or one of a few words. @throws UsageError naming the option */
export function checkValues(options: { readonly [P in keyof CheckedOptions]: unknown }): CheckedOptions {
  const parsed = v.safeParse(shape, options);
  if (parsed.success) return parsed.output;
  const [issue] = parsed.issues;
  throw new UsageError(`--${flag(v.getDotPath(issue) ?? '')}: ${issue.message}`);
}

/** @throws UsageError naming the option */
export function checkOptions(tasks: string | undefined, options: RunCommandOptions): CheckedOptions {
  const checked = checkValues(options);
  const sources = [options.tools, options.mcp, options.agentdojo].filter((source) => source !== undefined);
  if (sources.length > 1) throw new UsageError('choose one of --tools, --mcp and --agentdojo');
  if (tasks !== undefined && options.prompt !== undefined) {
    throw new UsageError('give tasks in a file, or one with --prompt, not both');
  }
  const own = options.tools !== undefined || options.mcp !== undefined;
  if (own && options.policy === undefined)
    throw new UsageError('tools of your own need a policy: --policy FILE');
  if (own && tasks === undefined && options.prompt === undefined) {
    throw new UsageError('what is to be done? Give a file of tasks, or --prompt TEXT');
  }
  if (!own && (tasks !== undefined || options.prompt !== undefined)) {
    throw new UsageError('tasks of your own need tools: --tools MODULE or --mcp COMMAND');
  }
  if (!own && options.agentdojo === undefined && options.policy !== undefined) {
    throw new UsageError(
      'the scenarios bring their own policies; --policy goes with --tools, --mcp or --agentdojo',
    );
  }
  if (options.resume && options.log === undefined)
    throw new UsageError('--resume needs the folder of logs: --log DIR');
  return checked;
}

/** The options that choose the model, as `openModel` takes them. */
export function modelFlags(options: ModelOptions): ModelSettings {
  const {
    model,
    baseUrl,
    attempts,
    concurrency,
    structured,
    cassette,
    record,
    maxCost,
    inputPrice,
    outputPrice,
  } = options;
  const flags = { model, baseUrl, attempts, concurrency, structured, cassette, record };
  return { ...flags, maxCost, inputPrice, outputPrice };
}

/** @throws AssayError `design/unknown` */
export function designsOf(names: string): Design[] {
  return names === 'all' ? [...allDesigns] : list(names).map(designNamed);
}

/** `a,b` as names. */
export function list(names: string): string[] {
  return names
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

function flag(option: string): string {
  return option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
