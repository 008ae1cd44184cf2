/**
 * Function tools of the OpenAI Agents SDK for JavaScript, in and out. The SDK's runner, not the tool, asks
 * for approvals and runs guardrails, so a tool that has any is refused; and the SDK turns a tool's failure
 * into a text result unless the tool was made with `errorFunction: null`.
 *
 * ```ts
 * const guarded = conversation.tools(await toolsFromOpenAiAgents(tools, { runContext: new RunContext() }));
 * new Agent({ name, tools: openAiAgentsTools(guarded, (fields) => tool(fields)) });
 * ```
 */
import { AssayError } from '../../semiring/message/error.js';
import type { JsonSchema } from '../json-schema.js';
import type { Tool, ToolArguments, ToolContext } from '../tool.js';
import { plainResult } from '../tool-result.js';
import { type AdapterOptions, checkedTools, ownCheckRefused } from './adapted-tool.js';
import { argumentSchema } from './argument-schema.js';
import { member } from './member.js';

/** What is read of a function tool. */
export interface OpenAiAgentsTool {
  readonly type: string;
  readonly name: string;
  readonly description?: string;
  readonly parameters?: unknown;
  readonly invoke?: unknown;
  readonly needsApproval?: unknown;
  readonly inputGuardrails?: readonly unknown[] | undefined;
  readonly outputGuardrails?: readonly unknown[] | undefined;
}

export interface OpenAiAgentsOptions extends AdapterOptions {
  /** What tools get as their run context. */
  readonly runContext?: unknown;
}

/** The only JSON Schema that the SDK's types take without strictness, which would rule out variables. */
export interface LooseObjectSchema {
  type: 'object';
  properties: Record<string, unknown>;
  required: string[];
  additionalProperties: true;
}

/** What the SDK's `tool` is given. */
export interface OpenAiAgentsFields {
  readonly name: string;
  readonly description: string;
  readonly parameters: LooseObjectSchema;
  readonly strict: false;
  readonly execute: (input: unknown, context?: unknown, details?: unknown) => Promise<string>;
}

/**
 * Function tools as tools.
 * @throws AssayError `adapter/no-execute` for hosted tools, `adapter/own-check`, `adapter/no-json-schema`,
 * `adapter/bad-name`, `adapter/duplicate-name`
 */
export async function toolsFromOpenAiAgents(
  tools: readonly OpenAiAgentsTool[],
  options: OpenAiAgentsOptions = {},
): Promise<Tool[]> {
  const adapted = tools.map(async (tool): Promise<Tool> => {
    const { name, inputGuardrails = [], outputGuardrails = [] } = tool;
    if (tool.type !== 'function' || typeof tool.invoke !== 'function') {
      throw new AssayError(
        'adapter/no-execute',
        `tool "${name}" is hosted elsewhere: only function tools can be guarded`,
      );
    }
    if (options.ownChecks !== 'drop' && inputGuardrails.length + outputGuardrails.length > 0) {
      throw ownCheckRefused(name, 'guardrails');
    }
    return {
      name,
      description: tool.description ?? '',
      parameters: await argumentSchema(name, tool.parameters, options.toJsonSchema),
      execute: (args, context) => run(tool, args, context, options),
    };
  });
  return checkedTools(await Promise.all(adapted));
}

async function run(
  tool: OpenAiAgentsTool,
  args: ToolArguments,
  { callId, signal }: ToolContext,
  { runContext, ownChecks }: OpenAiAgentsOptions,
): Promise<unknown> {
  const { name, invoke, needsApproval } = tool;
  if (typeof needsApproval === 'function' && ownChecks !== 'drop') {
    if ((await needsApproval.call(tool, runContext, args, callId)) !== false)
      throw ownCheckRefused(name, 'an approval');
  }
  if (typeof invoke !== 'function') return undefined;
  const input = JSON.stringify(args);
  const toolCall = { type: 'function_call', callId: callId ?? '', name, arguments: input };
  return invoke.call(tool, runContext, input, { toolCall, ...(signal && { signal }) });
}

/**
 * Tools, such as the guarded ones of a conversation, as function tools of the SDK.
 * @param make the SDK's `tool`
 */
export function openAiAgentsTools<T>(tools: readonly Tool[], make: (fields: OpenAiAgentsFields) => T): T[] {
  return checkedTools(tools).map((tool) =>
    make({
      name: tool.name,
      description: tool.description,
      parameters: looseSchema(tool.parameters),
      strict: false,
      execute: async (input, _context, details) => {
        const callId = member(member(details, 'toolCall'), 'callId');
        const signal = member(details, 'signal');
        const answer = await tool.execute(argumentsIn(tool.name, input), {
          ...(typeof callId === 'string' && { callId }),
          ...(signal instanceof AbortSignal && { signal }),
        });
        return typeof answer === 'string' ? answer : JSON.stringify(plainResult(answer));
      },
    }),
  );
}

/** For the model to read; whoever runs the tool checks the arguments, after variables are filled in. */
function looseSchema(parameters: JsonSchema): LooseObjectSchema {
  const { properties, required } = parameters;
  return {
    ...parameters,
    type: 'object',
    properties: isArguments(properties) ? { ...properties } : {},
    required: Array.isArray(required) ? required.map(String) : [],
    additionalProperties: true,
  };
}

/** Without a strict schema the SDK passes on whatever the model wrote. */
function argumentsIn(tool: string, input: unknown): ToolArguments {
  if (isArguments(input)) return input;
  throw new AssayError('adapter/bad-arguments', `${tool}: the arguments must be one JSON object`);
}

function isArguments(value: unknown): value is ToolArguments {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
