/**
 * A client of an MCP server over standard input and output. The protocol is the SDK's, which is loaded when
 * it is first needed; what a result means is `udf/adapters/mcp.ts`'s. Here a failure gets a code and words.
 * The server is another party: what it says is made visible, and nothing that it sends ends this process.
 */
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { jsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/types.js';
import { AssayError } from '../../semiring/message/error.js';
import { visibleText } from '../../semiring/message/visible-text.js';
import type { McpClient } from '../../udf/adapters/mcp.js';
import { member } from '../../udf/adapters/member.js';

export interface McpServerOptions {
  /** Milliseconds for an answer. Default 60 000. */
  readonly timeout?: number;
  readonly environment?: NodeJS.ProcessEnv;
  /** Loads the SDK; for tests. */
  readonly load?: () => Promise<McpSdk>;
}

export class McpError extends AssayError {}

interface McpSdk {
  readonly Client: typeof Client;
  readonly StdioClientTransport: typeof StdioClientTransport;
}

/** A longer message, in bytes, ends the connection before it fills the memory. */
const longestMessage = 8 * 2 ** 20;

/** So many characters of what a server writes to its error output are kept for messages. */
const keptComplaint = 2000;

/**
 * A server's schema for results is not compiled: it is the server's own word about the server's own data, and
 * a pattern in it could keep this process busy for ever.
 */
const unchecked: jsonSchemaValidator = {
  getValidator: () => (data) => ({ valid: true, data: data as never, errorMessage: undefined }),
};

export class StdioMcpClient implements McpClient {
  readonly #program: string;
  readonly #timeout: number;
  readonly #client: Client;
  #complaint = '';
  #closed = false;

  private constructor(sdk: McpSdk, program: string, timeout: number) {
    this.#program = program;
    this.#timeout = timeout;
    this.#client = new sdk.Client(
      { name: 'assay', version: '0.1.0' },
      { jsonSchemaValidator: unchecked, capabilities: {} },
    );
    this.#client.onclose = () => {
      this.#closed = true;
    };
  }

  /**
   * Starts a server and greets it.
   * @throws McpError `mcp/no-sdk`, `mcp/gone`, `mcp/timeout`, `mcp/refused`, `mcp/protocol`
   */
  static async start(
    [program = '', ...args]: readonly string[],
    options: McpServerOptions = {},
  ): Promise<StdioMcpClient> {
    const sdk = await loaded(options.load ?? importedSdk);
    const client = new StdioMcpClient(sdk, program, options.timeout ?? 60_000);
    const given = Object.entries(options.environment ?? process.env);
    const env = Object.fromEntries(
      given.filter((entry): entry is [string, string] => entry[1] !== undefined),
    );
    const transport = new sdk.StdioClientTransport({
      command: program,
      args,
      env,
      stderr: 'pipe',
      maxBufferSize: longestMessage,
    });
    transport.stderr?.on('data', (text: Buffer) => client.#complain(String(text)));
    transport.onerror = (error) => {
      // A server that prints words to the wrong stream goes on; one that sends too much is ended.
      if (!(error instanceof SyntaxError)) client.#complain(`${error.message}\n`);
    };
    try {
      await client.#answer('initialize', (request) => client.#client.connect(transport, request));
    } catch (error) {
      await client.close();
      throw error;
    }
    return client;
  }

  /** @throws McpError */
  listTools(params?: { cursor: string }): ReturnType<McpClient['listTools']> {
    return this.#answer('tools/list', (request) => this.#client.listTools(params, request));
  }

  /** @throws McpError; what `signal` gives as its reason */
  callTool(
    params: { name: string; arguments: Record<string, unknown> },
    _schema?: undefined,
    { signal }: { signal?: AbortSignal } = {},
  ): Promise<unknown> {
    return this.#answer(
      'tools/call',
      (request) => this.#client.callTool(params, undefined, { ...request, ...(signal && { signal }) }),
      signal,
    );
  }

  /** Ends the server: its input is closed, and if it stays it is killed. */
  async close(): Promise<void> {
    await this.#client.close();
  }

  #complain(text: string): void {
    this.#complaint = (this.#complaint + text).slice(-keptComplaint);
  }

  async #answer<T>(
    method: string,
    ask: (request: { timeout: number }) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> {
    try {
      if (this.#closed) throw new Error('closed');
      return await ask({ timeout: this.#timeout });
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      throw this.#failure(method, error);
    }
  }

  #failure(method: string, error: unknown): McpError {
    const complaint = this.#complaint.trim();
    const code = member(error, 'code');
    if (this.#closed || typeof code === 'string') {
      const said = complaint === '' && error instanceof Error ? error.message : complaint;
      return new McpError('mcp/gone', `the server ${this.#program} is gone: ${visibleText(said)}`);
    }
    if (code === requestTimeout) {
      return new McpError(
        'mcp/timeout',
        `${this.#program}: no answer to ${method} within ${this.#timeout} ms`,
      );
    }
    if (typeof code === 'number') return new McpError('mcp/refused', bare(error));
    const issues = member(error, 'issues');
    const issue: unknown = Array.isArray(issues) ? issues[0] : undefined;
    const path = member(issue, 'path');
    const where = Array.isArray(path) ? `${path.join('.')}: ` : '';
    const what = visibleText(String(member(issue, 'message') ?? bare(error)));
    return new McpError('mcp/protocol', `the server's answer to ${method}: ${visibleText(where)}${what}`);
  }
}

/** The code of the SDK's own error where an answer does not come in time. */
const requestTimeout = -32001;

/** The message without what the SDK puts before it. */
function bare(error: unknown): string {
  return String(member(error, 'message')).replace(/^MCP error -?\d+: /, '');
}

async function importedSdk(): Promise<McpSdk> {
  const [{ Client }, { StdioClientTransport }] = await Promise.all([
    import('@modelcontextprotocol/sdk/client/index.js'),
    import('@modelcontextprotocol/sdk/client/stdio.js'),
  ]);
  return { Client, StdioClientTransport };
}

async function loaded(load: () => Promise<McpSdk>): Promise<McpSdk> {
  try {
    return await load();
  } catch (cause) {
    throw new McpError(
      'mcp/no-sdk',
      'MCP servers need the package `@modelcontextprotocol/sdk`, which is not installed with assay: npm install @modelcontextprotocol/sdk@1',
      { cause },
    );
  }
}
