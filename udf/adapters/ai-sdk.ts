/**
 * Tools of the Vercel AI SDK (lines 6 and 7), in and out. Types are declared here as far as they are needed
 * and nothing is imported, so any version with these members fits. A tool's `toModelOutput` is not used: what
 * the planner model sees of a result is the guard's to say.
 *
 * ```ts
 * const guarded = conversation.tools(await toolsFromAiSdk(tools));
 * await generateText({ model, tools: aiSdkTools(guarded), prompt, stopWhen: stepCountIs(20) });
 * ```
 */
import { AssayError } from '../../semiring/message/error.js';
import type { JsonSchema } from '../json-schema.js';
import type { Tool, ToolArguments, ToolContext } from '../tool.js';
import { plainResult } from '../tool-result.js';
import { type AdapterOptions, checkedTools, ownCheckRefused } from './adapted-tool.js';
import { argumentSchema } from './argument-schema.js';
import { isObject, member } from './member.js';

/**
 * What is read of a tool of the AI SDK; `execute` is called with the arguments and {@link AiSdkCallOptions}.
 */
export interface AiSdkTool {
  readonly description?: string | undefined;
  readonly inputSchema?: unknown;
  readonly execute?: unknown;
  readonly needsApproval?: unknown;
}

/** What the AI SDK passes to `execute` beside the arguments. */
export interface AiSdkCallOptions {
  readonly toolCallId: string;
  readonly abortSignal?: AbortSignal | undefined;
}

/**
 * A standard schema with its JSON Schema (Standard Schema 1 and Standard JSON Schema 1), as the AI SDK takes
 * it.
 */
export interface StandardArguments {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (
      value: unknown,
    ) => { readonly value: ToolArguments } | { readonly issues: readonly { readonly message: string }[] };
    readonly jsonSchema: {
      readonly input: (options: unknown) => Record<string, unknown>;
      readonly output: (options: unknown) => Record<string, unknown>;
    };
    readonly types?: { readonly input: ToolArguments; readonly output: ToolArguments };
  };
}

/** A tool for the AI SDK, which shows the model the text that `execute` answers and nothing else. */
export interface AiSdkTextTool {
  readonly description: string;
  readonly inputSchema: StandardArguments;
  execute(input: ToolArguments, options: AiSdkCallOptions): Promise<string>;
  toModelOutput(result: { readonly output: string }): { readonly type: 'text'; readonly value: string };
}

export interface AiSdkOptions extends AdapterOptions {
  /** Handed to every tool as `experimental_context`. */
  readonly context?: unknown;
}

/**
 * A tool set of the AI SDK as tools. A tool is called without the conversation's messages (`messages: []`):
 * what the planner model sees is not data that a tool may use unlabelled.
 * @throws AssayError `adapter/no-execute` for a tool that the client or the provider runs,
 *   `adapter/own-check`, `adapter/no-json-schema`, `adapter/bad-name`
 */
export async function toolsFromAiSdk(
  tools: Readonly<Record<string, AiSdkTool>>,
  options: AiSdkOptions = {},
): Promise<Tool[]> {
  const adapted = Object.entries(tools).map(async ([name, tool]): Promise<Tool> => {
    if (typeof tool.execute !== 'function') {
      throw new AssayError(
        'adapter/no-execute',
        `tool "${name}" has no execute: only tools that run here can be guarded`,
      );
    }
    if (tool.needsApproval === true && options.ownChecks !== 'drop')
      throw ownCheckRefused(name, 'an approval');
    return {
      name,
      description: tool.description ?? '',
      parameters: await argumentSchema(name, tool.inputSchema, options.toJsonSchema),
      execute: (args, context) => run(name, tool, args, context, options),
    };
  });
  return checkedTools(await Promise.all(adapted));
}

/** Tools, such as the guarded ones of a conversation, as a tool set of the AI SDK. */
export function aiSdkTools(tools: readonly Tool[]): Record<string, AiSdkTextTool> {
  return Object.fromEntries(checkedTools(tools).map((tool) => [tool.name, textTool(tool)]));
}

async function run(
  name: string,
  tool: AiSdkTool,
  args: ToolArguments,
  { callId = '', signal }: ToolContext,
  { context, ownChecks }: AiSdkOptions,
): Promise<unknown> {
  const { execute, needsApproval } = tool;
  const call = { toolCallId: callId, messages: [], experimental_context: context };
  const input = await validated(tool.inputSchema, args);
  if (typeof needsApproval === 'function' && ownChecks !== 'drop') {
    if ((await needsApproval.call(tool, input, call)) !== false) throw ownCheckRefused(name, 'an approval');
  }
  if (typeof execute !== 'function') return undefined;
  const answer: unknown = await execute.call(tool, input, {
    ...call,
    ...(signal && { abortSignal: signal }),
  });
  return lastOf(answer);
}

/** The arguments as the tool's own schema reads them: defaults filled in, values transformed. */
async function validated(schema: unknown, args: ToolArguments): Promise<unknown> {
  const made = typeof schema === 'function' && member(schema, '~standard') === undefined ? schema() : schema;
  const standard = member(made, '~standard');
  const validate = member(standard, 'validate') ?? member(made, 'validate');
  if (typeof validate !== 'function') return args;
  const result: unknown = await validate.call(standard ?? made, args);
  if (member(result, 'issues') !== undefined || member(result, 'success') === false) {
    throw new AssayError('adapter/bad-arguments', "The arguments do not fit the tool's own schema.");
  }
  return member(result, 'value');
}

/** A tool may answer bit by bit; the last one is its answer. */
async function lastOf(answer: unknown): Promise<unknown> {
  if (!isAsyncIterable(answer)) return answer;
  let last: unknown;
  for await (const part of answer) last = part;
  return last;
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return isObject(value) && Symbol.asyncIterator in value;
}

function textTool(tool: Tool): AiSdkTextTool {
  return {
    description: tool.description,
    inputSchema: standardArguments(tool.parameters),
    execute: async (input, { toolCallId, abortSignal }) => {
      const answer = await tool.execute(input, {
        callId: toolCallId,
        ...(abortSignal && { signal: abortSignal }),
      });
      return typeof answer === 'string' ? answer : JSON.stringify(plainResult(answer));
    },
    toModelOutput: ({ output }) => ({ type: 'text', value: output }),
  };
}

/**
 * Whoever runs the tool checks the arguments, after variables are filled in; here they need only be an
 * object.
 */
function standardArguments(parameters: JsonSchema): StandardArguments {
  // The SDK writes into the schema that it is given.
  const jsonSchema = () => structuredClone({ ...parameters });
  return {
    '~standard': {
      version: 1,
      vendor: 'assay',
      validate: (value) =>
        isArguments(value) ? { value } : { issues: [{ message: 'The arguments must be one JSON object.' }] },
      jsonSchema: { input: jsonSchema, output: jsonSchema },
    },
  };
}

function isArguments(value: unknown): value is ToolArguments {
  return isObject(value) && !Array.isArray(value);
}
