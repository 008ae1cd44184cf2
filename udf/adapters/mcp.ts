/**
 * Tools of a connected MCP client (the SDK's lines 1 and 2). Names, descriptions and schemas come from the
 * server and are shown to the planner model as they are, so a server is chosen as code is; what its tools
 * return is data, labelled by the policy.
 *
 * ```ts
 * const guarded = conversation.tools(await toolsFromMcp(client));
 * ```
 */

import type { Label, Readers } from '../../semiring/label/label.js';
import { AssayError } from '../../semiring/message/error.js';
import type { Tool, ToolArguments } from '../tool.js';
import { LabelledFailure, LabelledResult } from '../tool-result.js';
import { checkedTools } from './adapted-tool.js';
import { argumentSchema } from './argument-schema.js';
import { mcpLabel } from './mcp-label.js';
import { member } from './member.js';

/** A tool as `tools/list` answers it, as far as it is read. */
export interface McpTool {
  readonly name: string;
  readonly description?: string | undefined;
  readonly inputSchema: unknown;
}

/**
 * A connected client. Line 1 of the SDK takes options as the third argument of `callTool`, line 2 takes none
 * there.
 */
export interface McpClient {
  listTools(params?: { cursor: string }): Promise<{
    readonly tools: readonly McpTool[];
    readonly nextCursor?: string | undefined;
  }>;
  callTool(
    params: { name: string; arguments: Record<string, unknown> },
    resultSchema?: undefined,
    options?: { signal: AbortSignal },
  ): Promise<unknown>;
}

export interface McpOptions {
  /** Put before each name, with no character between: for servers whose tools' names would clash. */
  readonly prefix?: string;
  /** Who may read what the server labels `private`, besides the user. Default: nobody. */
  readonly privateReaders?: (tool: string, args: ToolArguments, result: unknown) => Readers;
}

/** More pages of tools than this are not asked for. */
const mostPages = 1000;

/**
 * All tools of a server. A result is its `structuredContent`; else the JSON or the text of its content, as a
 * list where there are several parts. What is marked as an error is a failure. A label in `_meta.ifc` can
 * only restrict.
 * @throws AssayError `adapter/bad-list`, `adapter/too-many-pages`, `adapter/no-json-schema`,
 *   `adapter/bad-name`, `adapter/duplicate-name`
 */
export async function toolsFromMcp(client: McpClient, options: McpOptions = {}): Promise<Tool[]> {
  const { prefix = '' } = options;
  const adapted = (await listed(client)).map(
    async ({ name, description = '', inputSchema }): Promise<Tool> => ({
      name: `${prefix}${name}`,
      description,
      parameters: await argumentSchema(name, inputSchema),
      execute: async (args, { signal }) => {
        const params = { name, arguments: { ...args } };
        const result = signal
          ? await client.callTool(params, undefined, { signal })
          : await client.callTool(params);
        return outcome(result, mcpLabel(result, options.privateReaders?.(name, args, result)));
      },
    }),
  );
  return checkedTools(await Promise.all(adapted));
}

async function listed(client: McpClient): Promise<McpTool[]> {
  const tools: McpTool[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < mostPages; page += 1) {
    const answer: unknown = await client.listTools(cursor === undefined ? undefined : { cursor });
    for (const tool of listOf(member(answer, 'tools'))) tools.push(listedTool(tool));
    const next = member(answer, 'nextCursor');
    if (typeof next !== 'string') return tools;
    cursor = next;
  }
  throw new AssayError(
    'adapter/too-many-pages',
    `the MCP server lists its tools on more than ${mostPages} pages`,
  );
}

function listOf(tools: unknown): readonly unknown[] {
  if (Array.isArray(tools)) return tools;
  throw new AssayError('adapter/bad-list', "the MCP server's list of tools is not a list");
}

/** A tool as the server lists it, held to what is read of it. */
function listedTool(tool: unknown): McpTool {
  const name = member(tool, 'name');
  const description = member(tool, 'description') ?? '';
  if (typeof name === 'string' && typeof description === 'string') {
    return { name, description, inputSchema: member(tool, 'inputSchema') };
  }
  throw new AssayError(
    'adapter/bad-list',
    'the MCP server lists a tool whose name or description is not a text',
  );
}

function outcome(result: unknown, label: Label | undefined): unknown {
  if (member(result, 'isError') === true) {
    const text = contentOf(member(result, 'content'), (part) => part);
    const message = typeof text === 'string' ? text : JSON.stringify(text);
    throw label ? new LabelledFailure(message, label) : new Error(message);
  }
  const structured = member(result, 'structuredContent');
  const value = structured === undefined ? contentOf(member(result, 'content'), jsonOf) : structured;
  return label ? new LabelledResult(value, label) : value;
}

/** One part stands for itself; several are a list. A part that is no text stays as it is. */
function contentOf(content: unknown, read: (text: string) => unknown): unknown {
  if (!Array.isArray(content)) return null;
  const parts = content.map((part: unknown) => {
    const text = member(part, 'text');
    return member(part, 'type') === 'text' && typeof text === 'string' ? read(text) : part;
  });
  return parts.length === 1 ? parts[0] : parts;
}

/** Servers without structured content write JSON as text: records and lists are read, all else is text. */
function jsonOf(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
