/**
 * Structured tools of LangChain.js, in and out. On the way out the framework's own `tool` makes the tools,
 * since LangChain knows its tools by their class; on the way in `invoke` is called, which checks the
 * arguments as the tool wants it. Interrupts belong to LangChain's middleware and stay there.
 *
 * ```ts
 * const guarded = conversation.tools(await toolsFromLangChain(tools));
 * createAgent({ model, tools: langChainTools(guarded, tool) });
 * ```
 */

import type { JsonSchema } from '../json-schema.js';
import type { Tool, ToolArguments } from '../tool.js';
import { plainResult } from '../tool-result.js';
import { type AdapterOptions, checkedTools } from './adapted-tool.js';
import { argumentSchema } from './argument-schema.js';
import { isObject, member } from './member.js';

/** What is read of a structured tool. */
export interface LangChainTool {
  readonly name: string;
  readonly description: string;
  readonly schema: unknown;
  // biome-ignore lint/suspicious/noExplicitAny: each tool declares its own input
  invoke(input: any, config?: any): Promise<unknown>;
}

/** What the framework's `tool` is given beside the function. */
export interface LangChainFields {
  readonly name: string;
  readonly description: string;
  readonly schema: JsonSchema;
}

/** `tool` of `@langchain/core/tools`, as far as it is used. */
export type MakeLangChainTool<T> = (
  execute: (args: ToolArguments, config?: unknown) => Promise<string>,
  fields: LangChainFields,
) => T;

/**
 * Structured tools as tools.
 * @throws AssayError `adapter/no-json-schema`, `adapter/bad-name`, `adapter/duplicate-name`
 */
export async function toolsFromLangChain(
  tools: readonly LangChainTool[],
  { toJsonSchema }: Pick<AdapterOptions, 'toJsonSchema'> = {},
): Promise<Tool[]> {
  const adapted = tools.map(
    async (tool): Promise<Tool> => ({
      name: tool.name,
      description: tool.description,
      parameters: await argumentSchema(tool.name, tool.schema, toJsonSchema),
      execute: async (args, { signal }) => content(await tool.invoke(args, signal && { signal })),
    }),
  );
  return checkedTools(await Promise.all(adapted));
}

/**
 * Tools, such as the guarded ones of a conversation, as tools of LangChain.
 * @param make the framework's `tool`
 */
export function langChainTools<T>(tools: readonly Tool[], make: MakeLangChainTool<T>): T[] {
  return checkedTools(tools).map((tool) =>
    make(
      async (args, config) => {
        const callId = member(member(config, 'toolCall'), 'id');
        const signal = member(config, 'signal');
        const answer = await tool.execute(args, {
          ...(typeof callId === 'string' && { callId }),
          ...(signal instanceof AbortSignal && { signal }),
        });
        return typeof answer === 'string' ? answer : JSON.stringify(plainResult(answer));
      },
      { name: tool.name, description: tool.description, schema: tool.parameters },
    ),
  );
}

/**
 * A tool may answer with a message; its content is the result, and a message that says `error` is a failure.
 */
function content(answer: unknown): unknown {
  if (!isObject(answer) || !('content' in answer) || member(answer, 'lc_namespace') === undefined)
    return answer;
  if (member(answer, 'status') === 'error') throw new Error(textOf(answer.content));
  return answer.content;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
