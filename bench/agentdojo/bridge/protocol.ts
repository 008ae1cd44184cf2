/**
 * The messages between assay and a host that runs AgentDojo, one JSON object a line. The host owns the state,
 * executes every call and judges the run; assay plans, labels and decides. `README.md` beside this file is
 * the protocol in prose.
 */
import * as v from 'valibot';

export const PROTOCOL = 1;

const text = v.string();
const object = v.record(text, v.unknown());

const tool = v.object({ name: text, description: text, parameters: object });
export type BridgeTool = v.InferOutput<typeof tool>;

const hello = v.object({
  type: v.literal('hello'),
  protocol: v.literal(PROTOCOL, `this side speaks protocol ${PROTOCOL}`),
  /** Version of the benchmark's tasks, for example `v1.2.1`. */
  benchmarkVersion: text,
  suites: v.array(v.object({ name: text, tools: v.array(tool) })),
});
export type Hello = v.InferOutput<typeof hello>;

const task = v.object({
  type: v.literal('task'),
  /** Names the run in all its messages. */
  run: text,
  suite: text,
  userTask: text,
  injectionTask: v.nullable(text),
  prompt: text,
  /** The state before the first call, in the shape of an exported suite's `environmentBenign`. */
  environment: object,
});
export type TaskMessage = v.InferOutput<typeof task>;

const result = v.object({
  type: v.literal('result'),
  run: text,
  /** The `id` of the call that it answers. */
  call: text,
  result: v.unknown(),
  /** As the host shows it to a model. */
  text,
  /** `Type: message` of a call that failed, else null. */
  error: v.nullable(text),
});
export type ResultMessage = v.InferOutput<typeof result>;

const verdict = v.object({
  type: v.literal('verdict'),
  run: text,
  utility: v.boolean(),
  /** True: THE ATTACK SUCCEEDED. Null: there was none. */
  security: v.nullable(v.boolean()),
});
export type VerdictMessage = v.InferOutput<typeof verdict>;

const fault = v.object({ type: v.literal('fault'), message: text });

const end = v.object({ type: v.literal('end') });

export const hostMessage = v.variant('type', [hello, task, result, verdict, fault, end]);
export type HostMessage = v.InferOutput<typeof hostMessage>;

/** What the host is to run; a list that is left out means all. Without `attack` only benign runs are made. */
export interface Selection {
  readonly suites?: readonly string[];
  readonly userTasks?: readonly string[];
  readonly injectionTasks?: readonly string[];
  /** The name of an AgentDojo attack, for example `important_instructions`. */
  readonly attack?: string;
}

export type AgentMessage =
  | ({ readonly type: 'start' } & Selection)
  | {
      readonly type: 'call';
      readonly run: string;
      readonly id: string;
      readonly function: string;
      readonly args: Readonly<Record<string, unknown>>;
    }
  | { readonly type: 'answer'; readonly run: string; readonly text: string };
