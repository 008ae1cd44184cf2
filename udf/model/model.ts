/**
 * The one interface to a language model. A model is a function from messages to one message; time-outs,
 * retries, limits, counting and recording are models around a model.
 */
import type { JsonSchema } from '../json-schema.js';

export interface Model {
  /** For reports and cassettes; never holds a key. */
  readonly name: string;
  /** @throws ModelError where no answer came */
  complete(request: ModelRequest): Promise<Completion>;
}

export interface ModelRequest {
  readonly messages: readonly Message[];
  readonly tools?: readonly ToolDeclaration[];
  /** Asks for text that is JSON of this schema. A model may ignore it: the caller checks. */
  readonly output?: OutputSchema;
  readonly temperature?: number;
  /** The most tokens that the answer may have. */
  readonly maxTokens?: number;
  readonly signal?: AbortSignal;
  /**
   * Text in the messages that is random on purpose; a recorder takes it out, so that the request can be
   * replayed.
   */
  readonly nonce?: string;
}

export type Message =
  | { readonly role: 'system' | 'user'; readonly text: string }
  | AssistantMessage
  | { readonly role: 'tool'; readonly callId: string; readonly text: string };

export interface AssistantMessage {
  readonly role: 'assistant';
  readonly text: string;
  readonly toolCalls: readonly ToolCall[];
}

export interface ToolCall {
  readonly id: string;
  readonly name: string;
  /** Parsed; where the model's text is not JSON, the text itself, which no tool's parameters accept. */
  readonly arguments: unknown;
}

/** What a model is told about a tool; a `Tool` is one. */
export interface ToolDeclaration {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonSchema;
}

export interface OutputSchema {
  /** `[A-Za-z0-9_-]{1,64}` */
  readonly name: string;
  readonly schema: JsonSchema;
  /** The schema stays within what endpoints can enforce (every property required, none additional). */
  readonly strict: boolean;
}

export interface Completion {
  readonly message: AssistantMessage;
  readonly usage: Usage;
  /** `length`: cut at the token limit. `refused`: the model declined; its words are the text. */
  readonly finish: 'stop' | 'tool-calls' | 'length' | 'refused';
}

/** In tokens. `calls` counts attempts that were answered. */
export interface Usage {
  readonly calls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

export const noUsage: Usage = Object.freeze({ calls: 0, inputTokens: 0, outputTokens: 0 });

export function addUsage(a: Usage, b: Usage): Usage {
  return {
    calls: a.calls + b.calls,
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
  };
}
