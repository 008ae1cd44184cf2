/**
 * Reads a chat completion. The endpoint is not trusted to follow its protocol, so every field that is used is
 * checked, and nothing else is looked at.
 */
import * as v from 'valibot';
import type { Completion, ToolCall } from './model.js';
import { ModelError } from './model-error.js';

const count = v.optional(v.nullable(v.pipe(v.number(), v.integer(), v.minValue(0))));

const completionSchema = v.object({
  choices: v.pipe(
    v.array(
      v.object({
        finish_reason: v.optional(v.nullable(v.string())),
        message: v.object({
          content: v.optional(v.nullable(v.string())),
          refusal: v.optional(v.nullable(v.string())),
          tool_calls: v.optional(
            v.nullable(
              v.array(
                v.object({
                  id: v.optional(v.string()),
                  function: v.object({ name: v.string(), arguments: v.optional(v.nullable(v.string())) }),
                }),
              ),
            ),
          ),
        }),
      }),
    ),
    v.minLength(1),
  ),
  usage: v.optional(v.nullable(v.object({ prompt_tokens: count, completion_tokens: count }))),
});

/** @throws ModelError `model/malformed` */
export function readCompletion(body: unknown): Completion {
  const parsed = v.safeParse(completionSchema, body);
  if (!parsed.success) {
    const issue = parsed.issues[0];
    const path = v.getDotPath(issue) ?? 'the body';
    throw new ModelError('model/malformed', `Not a chat completion: ${path}: expected ${issue.expected}.`, {
      retryable: true,
    });
  }
  const { choices, usage } = parsed.output;
  const { message, finish_reason: reason } = choices[0];
  const toolCalls = (message.tool_calls ?? []).map(
    (call, index): ToolCall => ({
      // Some servers leave the id out; a position is unique within the message.
      id: call.id || `call-${index + 1}`,
      name: call.function.name,
      arguments: parseArguments(call.function.arguments ?? ''),
    }),
  );
  const refused = (message.refusal ?? '') !== '' || reason === 'content_filter';
  return {
    message: {
      role: 'assistant',
      text: (refused ? message.refusal : null) ?? message.content ?? '',
      toolCalls,
    },
    usage: {
      calls: 1,
      inputTokens: usage?.prompt_tokens ?? 0,
      outputTokens: usage?.completion_tokens ?? 0,
    },
    finish: refused
      ? 'refused'
      : reason === 'length'
        ? 'length'
        : toolCalls.length > 0
          ? 'tool-calls'
          : 'stop',
  };
}

/** Some servers write no text at all where a tool takes no argument. */
function parseArguments(text: string): unknown {
  if (text.trim() === '') return {};
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
