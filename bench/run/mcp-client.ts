/**
 * A client of an MCP server over standard input and output: as much of the protocol as tools need. The server
 * is another party. What it sends is checked, and nothing that it sends ends this process.
 */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import * as v from 'valibot';
import { AssayError } from '../../semiring/message/error.js';
import { visibleText } from '../../semiring/message/visible-text.js';
import { onAbort } from '../../udf/model/on-abort.js';

export interface McpOptions {
  /** Milliseconds for an answer. Default 60 000. */
  readonly timeout?: number;
  readonly environment?: NodeJS.ProcessEnv;
}

export class McpError extends AssayError {}

/** The newest version of the protocol that this client speaks; any that the server names is taken. */
const protocolVersion = '2025-06-18';

/** A longer line ends the connection, before it fills the memory. */
const longestLine = 64 * 1024 * 1024;

/** So much of what a server writes to its error output is kept for messages. */
const keptComplaint = 2000;

const message = v.object({
  id: v.optional(v.nullable(v.union([v.number(), v.string()]))),
  method: v.optional(v.string()),
  result: v.optional(v.unknown()),
  error: v.optional(v.object({ code: v.number(), message: v.string() })),
});

interface Waiting {
  resolve(result: unknown): void;
  reject(error: Error): void;
}

export class McpClient {
  readonly #command: string;
  readonly #server: ChildProcessWithoutNullStreams;
  readonly #timeout: number;
  readonly #waiting = new Map<number, Waiting>();
  #next = 1;
  #complaint = '';
  #gone: McpError | undefined;

  private constructor(command: readonly string[], options: McpOptions) {
    const [program = '', ...args] = command;
    this.#command = program;
    this.#timeout = options.timeout ?? 60_000;
    this.#server = spawn(program, args, { stdio: 'pipe', env: options.environment ?? process.env });
    this.#server.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#complaint = (this.#complaint + text).slice(-keptComplaint);
    });
    // A pipe that breaks shows as the end of the server.
    this.#server.stdin.on('error', () => {});
    this.#server.once('error', (error) => this.#end(error.message));
    this.#server.once('close', (code, signal) => this.#end(`it ended with ${signal ?? `code ${code}`}`));
    this.#listen();
  }

  /** Starts a server and greets it. @throws McpError `mcp/gone`, `mcp/timeout`, `mcp/refused` */
  static async start(command: readonly string[], options: McpOptions = {}): Promise<McpClient> {
    const client = new McpClient(command, options);
    try {
      await client.request('initialize', {
        protocolVersion,
        capabilities: {},
        clientInfo: { name: 'assay', version: '0.1.0' },
      });
      client.#send({ method: 'notifications/initialized' });
      return client;
    } catch (error) {
      await client.close();
      throw error;
    }
  }

  /** @throws McpError; what `signal` gives as its reason */
  async request(method: string, params: object, signal?: AbortSignal): Promise<unknown> {
    if (this.#gone) throw this.#gone;
    const id = this.#next;
    this.#next += 1;
    const { promise, resolve, reject } = deferred();
    this.#waiting.set(id, { resolve, reject });
    const cancel = (reason: unknown) => {
      if (!this.#waiting.delete(id)) return;
      this.#send({ method: 'notifications/cancelled', params: { requestId: id } });
      reject(reason);
    };
    const late = new McpError(
      'mcp/timeout',
      `${this.#command}: no answer to ${method} within ${this.#timeout} ms`,
    );
    const timer = setTimeout(() => cancel(late), this.#timeout);
    const off = onAbort(signal, () => cancel(signal?.reason));
    try {
      this.#send({ id, method, params });
      return await promise;
    } finally {
      clearTimeout(timer);
      off();
    }
  }

  /** Ends the server: its input is closed, and after two seconds it is killed. */
  async close(): Promise<void> {
    if (this.#server.exitCode !== null || this.#server.signalCode !== null || this.#server.pid === undefined)
      return;
    const closed = new Promise<void>((resolve) => this.#server.once('close', () => resolve()));
    this.#server.stdin.end();
    const timer = setTimeout(() => this.#server.kill('SIGKILL'), 2000);
    await closed;
    clearTimeout(timer);
  }

  #listen(): void {
    let length = 0;
    this.#server.stdout.on('data', (chunk: Buffer) => {
      const end = chunk.lastIndexOf(10);
      length = end < 0 ? length + chunk.length : chunk.length - end - 1;
      if (length > longestLine) this.#server.kill('SIGKILL');
    });
    createInterface({ input: this.#server.stdout }).on('line', (line) => this.#receive(line));
  }

  #receive(line: string): void {
    let json: unknown;
    try {
      json = JSON.parse(line);
    } catch {
      // Some servers print to the wrong stream; a lost answer shows as a time-out.
      return;
    }
    const parsed = v.safeParse(message, json);
    if (!parsed.success) return;
    const { id, method, result, error } = parsed.output;
    if (method !== undefined) {
      if (id !== undefined && id !== null) this.#answer(id, method);
      return;
    }
    if (typeof id !== 'number') return;
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error) waiting?.reject(new McpError('mcp/refused', error.message));
    else waiting?.resolve(result);
  }

  /** A server may ask whether the client is there; it may not ask for anything else. */
  #answer(id: number | string, method: string): void {
    if (method === 'ping') this.#send({ id, result: {} });
    else this.#send({ id, error: { code: -32601, message: 'this client offers nothing' } });
  }

  #send(content: object): void {
    if (this.#server.stdin.writable) {
      this.#server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...content })}\n`);
    }
  }

  #end(how: string): void {
    const complaint = this.#complaint.trim();
    const said = complaint === '' ? '' : `: ${visibleText(complaint)}`;
    this.#gone ??= new McpError('mcp/gone', `the server ${this.#command} is gone: ${how}${said}`);
    for (const { reject } of this.#waiting.values()) reject(this.#gone);
    this.#waiting.clear();
  }
}

function deferred() {
  let resolve: (result: unknown) => void = () => {};
  let reject: (error: unknown) => void = () => {};
  const promise = new Promise<unknown>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}
