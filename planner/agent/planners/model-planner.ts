/**
 * A planner that is a language model. A conversation is built anew from the view for each turn, so the
 * planner has no state of its own and can go on from any log; text of tools stands in tool messages only.
 */
import { AssayError } from '../../../semiring/message/error.js';
import {
  addUsage,
  type Completion,
  type Message,
  type Model,
  noUsage,
  type ToolCall,
  type ToolDeclaration,
  type Usage,
} from '../../../udf/model/model.js';
import { ModelError } from '../../../udf/model/model-error.js';
import type { Tool } from '../../../udf/tool.js';
import type { Design } from '../decision/design.js';
import { isRecord } from '../label/principals.js';
import type { Policy } from '../policy/policy.js';
import type { PastTurn, PlannedCall, Planner, PlannerTurn, PlannerView } from './planner.js';
import { systemPrompt } from './system-prompt.js';
import { declarations } from './tool-description.js';

export interface ModelPlannerOptions {
  readonly model: Model;
  readonly policy: Policy;
  readonly design: Design;
  readonly tools: Iterable<Tool>;
  readonly temperature?: number;
  /** The most tokens that one message of the model may have. */
  readonly maxAnswerTokens?: number;
  /** The most tokens that a conversation may have, as the endpoint counts them. */
  readonly maxContextTokens?: number;
}

export type PlannerErrorCode =
  /** The model's message was cut at its token limit: half an intention is not carried out. */
  | 'planner/cut-off'
  /** The conversation no longer fits the model. */
  | 'planner/context-full';

export class PlannerError extends AssayError {
  declare readonly code: PlannerErrorCode;
}

/** So much of malformed arguments is kept for the log. */
const keptOfMalformed = 1000;

export class ModelPlanner implements Planner {
  readonly name: string;
  /** Of all requests so far. */
  usage: Usage = noUsage;
  readonly #options: ModelPlannerOptions;
  readonly #system: string;
  readonly #tools: readonly ToolDeclaration[];
  /** Input tokens of the last request. */
  #context = 0;

  constructor(options: ModelPlannerOptions) {
    this.name = options.model.name;
    this.#options = options;
    this.#system = systemPrompt(options.design);
    this.#tools = declarations(options.tools, options.policy, options.design);
  }

  /** @throws ModelError where no answer came; PlannerError where it cannot be used */
  async next(view: PlannerView, signal?: AbortSignal): Promise<PlannerTurn> {
    const {
      model,
      temperature,
      maxAnswerTokens,
      maxContextTokens = Number.POSITIVE_INFINITY,
    } = this.#options;
    if (this.#context > maxContextTokens) throw contextFull(`${this.#context} tokens of ${maxContextTokens}`);
    const request = {
      messages: conversation(this.#system, view),
      tools: this.#tools,
      ...(temperature !== undefined && { temperature }),
      ...(maxAnswerTokens !== undefined && { maxTokens: maxAnswerTokens }),
      ...(signal && { signal }),
    };
    let completion: Completion;
    try {
      completion = await model.complete(request);
    } catch (error) {
      if (isTooLong(error)) throw contextFull('the endpoint says so');
      throw error;
    }
    this.usage = addUsage(this.usage, completion.usage);
    this.#context = completion.usage.inputTokens;
    return turnOf(completion);
  }
}

function turnOf({ message, finish }: Completion): PlannerTurn {
  if (finish === 'refused') return { kind: 'answer', text: message.text, refused: true };
  if (finish === 'length') {
    throw new PlannerError('planner/cut-off', "The planner's message was cut off at its token limit.");
  }
  if (message.toolCalls.length === 0) return { kind: 'answer', text: message.text };
  return {
    kind: 'calls',
    calls: message.toolCalls.map(plannedCall),
    ...(message.text !== '' && { text: message.text }),
  };
}

function plannedCall({ id, name, arguments: written }: ToolCall): PlannedCall {
  if (isRecord(written)) return { id, tool: name, arguments: written };
  const text = typeof written === 'string' ? written : (JSON.stringify(written) ?? '');
  return { id, tool: name, arguments: {}, malformed: text.slice(0, keptOfMalformed) };
}

/**
 * The view as messages: what the user said, what the planner said, and what the calls of each turn showed.
 */
function conversation(system: string, view: PlannerView): Message[] {
  const messages: Message[] = [{ role: 'system', text: system }];
  const ids = new CallIds();
  let prompts = 0;
  const say = (until: number) => {
    for (const text of view.prompts.slice(prompts, until)) messages.push({ role: 'user', text });
    prompts = Math.max(prompts, until);
  };
  for (const turn of view.turns) {
    say(turn.prompts);
    messages.push(...turnMessages(turn, ids));
  }
  say(view.prompts.length);
  return messages;
}

function turnMessages({ calls, text, observations }: PastTurn, ids: CallIds): Message[] {
  const toolCalls = calls.map((call) => ({ id: ids.next(call), name: call.tool, arguments: call.arguments }));
  const results = toolCalls.map(
    ({ id }, at): Message => ({ role: 'tool', callId: id, text: observations[at] ?? '' }),
  );
  return [{ role: 'assistant', text, toolCalls }, ...results];
}

/**
 * Ids that are unique in a conversation: the model's own, where it is one. Some servers number anew in each
 * message.
 */
class CallIds {
  readonly #used = new Set<string>();

  next({ id }: PlannedCall): string {
    const unique = id !== undefined && id !== '' && !this.#used.has(id) ? id : this.#fresh();
    this.#used.add(unique);
    return unique;
  }

  #fresh(): string {
    let number = this.#used.size + 1;
    while (this.#used.has(`call-${number}`)) number += 1;
    return `call-${number}`;
  }
}

/** Endpoints have no common code for it. */
function isTooLong(error: unknown): boolean {
  if (!(error instanceof ModelError) || error.code !== 'model/rejected') return false;
  return (
    error.status === 413 ||
    /context.?(length|window|size)|maximum context|too many tokens/i.test(error.message)
  );
}

function contextFull(why: string): PlannerError {
  return new PlannerError(
    'planner/context-full',
    `The conversation no longer fits the model (${why}): choose a model with a larger context, or a smaller task.`,
  );
}
