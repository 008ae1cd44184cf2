/** A model that plays back replies, for tests and demonstrations: same script, same run. */
import { type AssistantMessage, type Completion, type Model, type ModelRequest, noUsage } from './model.js';
import { ModelError } from './model-error.js';

/**
 * A text, a message (its calls make the finish `tool-calls`), an error to throw, or a function of the
 * request.
 */
export type ScriptedReply =
  | string
  | Partial<Omit<AssistantMessage, 'role'>>
  | Completion
  | Error
  | ((request: ModelRequest) => ScriptedReply | Promise<ScriptedReply>);

export interface ScriptedModel extends Model {
  /** What it was asked, in order. */
  readonly requests: readonly ModelRequest[];
}

/**
 * Answers the n-th request with the n-th reply; a single function answers all.
 * @throws ModelError `model/script-over` when asked once more than there are replies
 */
export function scriptedModel(
  replies: readonly ScriptedReply[] | ((request: ModelRequest) => ScriptedReply | Promise<ScriptedReply>),
  name = 'scripted',
): ScriptedModel {
  const requests: ModelRequest[] = [];
  return {
    name,
    requests,
    async complete(request) {
      if (request.signal?.aborted) throw new ModelError('model/cancelled', 'The request was cancelled.');
      const reply = typeof replies === 'function' ? replies : replies[requests.length];
      if (reply === undefined) {
        throw new ModelError(
          'model/script-over',
          `The script has ${replies.length} replies; one more was asked for.`,
        );
      }
      requests.push(request);
      return play(reply, request);
    },
  };
}

async function play(reply: ScriptedReply, request: ModelRequest): Promise<Completion> {
  if (typeof reply === 'function') return play(await reply(request), request);
  if (reply instanceof Error) throw reply;
  if (typeof reply === 'object' && 'message' in reply) return reply;
  const { text = '', toolCalls = [] } = typeof reply === 'string' ? { text: reply } : reply;
  return {
    message: { role: 'assistant', text, toolCalls },
    usage: { ...noUsage, calls: 1 },
    finish: toolCalls.length > 0 ? 'tool-calls' : 'stop',
  };
}
