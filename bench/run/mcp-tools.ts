/**
 * The tools of an MCP server. A label that the server sends with a result (`_meta.ifc`, or
 * `_meta["assay/label"]`) can only restrict what the policy says; one that cannot be read restricts all.
 */
import * as v from 'valibot';
import type { Label } from '../../semiring/label/label.js';
import { AssayError } from '../../semiring/message/error.js';
import type { Tool, ToolContext } from '../../udf/tool.js';
import { LabelledFailure, LabelledResult } from '../../udf/tool-result.js';
import { McpClient, McpError, type McpOptions } from './mcp-client.js';
import type { ToolBox } from './tools-module.js';

/** More pages than these are no list of tools. */
const mostPages = 100;

const page = v.object({
  tools: v.array(
    v.object({
      name: v.pipe(v.string(), v.regex(/^[\w-]{1,64}$/)),
      description: v.optional(v.string(), ''),
      inputSchema: v.looseObject({ type: v.literal('object') }),
    }),
  ),
  nextCursor: v.optional(v.nullable(v.string())),
});

const answer = v.object({
  content: v.optional(v.array(v.looseObject({ type: v.string(), text: v.optional(v.string()) })), []),
  structuredContent: v.optional(v.unknown()),
  isError: v.optional(v.boolean(), false),
  _meta: v.optional(v.record(v.string(), v.unknown())),
});

/**
 * Starts a server and lists its tools.
 * @param user whom data that a server calls private is for
 * @throws McpError `mcp/…`
 */
export async function toolsFromMcp(
  command: readonly string[],
  user: string,
  options: McpOptions = {},
): Promise<ToolBox> {
  const client = await McpClient.start(command, options);
  try {
    const tools: Tool[] = [];
    let cursor: string | undefined;
    for (let pages = 0; pages < mostPages; pages += 1) {
      const listed = v.safeParse(
        page,
        await client.request('tools/list', cursor === undefined ? {} : { cursor }),
      );
      if (!listed.success) {
        const [issue] = listed.issues;
        const field = v.getDotPath(issue) ?? '';
        throw new McpError('mcp/protocol', `the server's list of tools: ${field}: ${issue.message}`);
      }
      tools.push(...listed.output.tools.map((tool) => mcpTool(client, tool, user)));
      cursor = listed.output.nextCursor ?? undefined;
      if (cursor === undefined) break;
    }
    return { tools, close: () => client.close() };
  } catch (error) {
    await client.close();
    throw error;
  }
}

function mcpTool(client: McpClient, listed: v.InferOutput<typeof page>['tools'][number], user: string): Tool {
  const { name, description, inputSchema } = listed;
  return {
    name,
    description,
    parameters: inputSchema,
    // A server's hint that a tool only reads is its word about itself: no reason to repeat a call.
    effects: true,
    execute: async (args, { signal }: ToolContext) => {
      const result = await client.request('tools/call', { name, arguments: args }, signal);
      const parsed = v.safeParse(answer, result);
      if (!parsed.success) throw new Error('The server did not answer as the protocol says.');
      const { content, structuredContent, isError, _meta } = parsed.output;
      const label = restriction(_meta, user);
      if (isError) {
        const text = content.map((part) => part.text ?? '').join('\n');
        throw label ? new LabelledFailure(text, label) : new Error(text);
      }
      const value = structuredContent ?? valueOfContent(content);
      return label ? new LabelledResult(value, label) : value;
    },
  };
}

/** One text is what it says, as JSON where it is an object or a list; anything else is the list of parts. */
function valueOfContent(content: v.InferOutput<typeof answer>['content']): unknown {
  const [only] = content;
  if (content.length !== 1 || only.type !== 'text' || only.text === undefined) return content;
  if (!/^\s*[[{]/.test(only.text)) return only.text;
  try {
    return JSON.parse(only.text);
  } catch {
    return only.text;
  }
}

const labelShape = v.object({
  integrity: v.optional(v.picklist(['trusted', 'untrusted', 'T', 'U'])),
  /** `public`, `private` (the user alone), or who may read it. */
  confidentiality: v.optional(v.union([v.string(), v.array(v.string())])),
  readers: v.optional(v.union([v.string(), v.array(v.string())])),
});

/** The label that a result is at least; undefined where the server sent none. */
export function restriction(
  meta: Readonly<Record<string, unknown>> | undefined,
  user: string,
): Label | undefined {
  const key = ['assay/label', 'ifc'].find((name) => meta !== undefined && Object.hasOwn(meta, name));
  if (key === undefined) return undefined;
  const given = meta?.[key];
  const parsed = v.safeParse(labelShape, given);
  if (!parsed.success || Array.isArray(given)) return { integrity: 'U', readers: new Set([user]) };
  const { integrity, confidentiality, readers = confidentiality } = parsed.output;
  return {
    integrity: integrity === 'untrusted' || integrity === 'U' ? 'U' : 'T',
    readers: readersOf(readers, user),
  };
}

function readersOf(readers: string | readonly string[] | undefined, user: string): Label['readers'] {
  if (readers === undefined) return 'everyone';
  const named = typeof readers === 'string' ? [readers] : readers;
  if (named.every((name) => name === 'public' || name === 'everyone') && named.length > 0) return 'everyone';
  return new Set([user, ...named.filter((name) => !['private', 'public', 'everyone'].includes(name))]);
}

/**
 * A command line as words; quotes and backslashes as in a shell, and nothing else of one.
 * @throws AssayError `run/command-line` for an open quote
 */
export function words(line: string): string[] {
  const found: string[] = [];
  let word: string | undefined;
  let quote: string | undefined;
  for (let at = 0; at < line.length; at += 1) {
    const character = line[at];
    if (character === '\\' && quote !== "'" && at + 1 < line.length) {
      at += 1;
      word = (word ?? '') + line[at];
    } else if (quote !== undefined) {
      if (character === quote) quote = undefined;
      else word += character;
    } else if (character === '"' || character === "'") {
      quote = character;
      word ??= '';
    } else if (/\s/.test(character)) {
      if (word !== undefined) found.push(word);
      word = undefined;
    } else {
      word = (word ?? '') + character;
    }
  }
  if (quote !== undefined)
    throw new AssayError('run/command-line', `a quote ${quote} is not closed in: ${line}`);
  if (word !== undefined) found.push(word);
  return found;
}
