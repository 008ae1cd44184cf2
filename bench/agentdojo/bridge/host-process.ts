/** Starts the Python host, which has to have AgentDojo installed, and runs an agent on it. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { shippedFolder } from '../../shipped-folder.js';
import { BenchError } from '../suites/error.js';
import { type BridgeOptions, type BridgeVerdict, runBridge } from './bridge.js';

export interface HostOptions extends Omit<BridgeOptions, 'input' | 'output'> {
  /** The interpreter, by default `python3`. */
  readonly python?: string;
  /** The program and its arguments; by default the host beside this file. */
  readonly command?: readonly string[];
  /** AgentDojo's tasks, by default its newest. */
  readonly benchmarkVersion?: string;
  /** Ends the host, and with it the run under way. */
  readonly signal?: AbortSignal;
}

/**
 * @throws BenchError as `runBridge`, or `bench/bridge-host` with the end of what the host wrote to its error
 *   output.
 */
export async function runHost(options: HostOptions): Promise<BridgeVerdict[]> {
  const { python = 'python3', benchmarkVersion, command, signal, ...bridge } = options;
  const version = benchmarkVersion === undefined ? [] : ['--benchmark-version', benchmarkVersion];
  const program = command ?? [join(shippedFolder('bench/agentdojo/bridge'), 'assay_host.py'), ...version];
  // The model's key is nothing that the host needs.
  const { OPENAI_API_KEY: _, ...env } = process.env;
  const host = spawn(python, program, { stdio: ['pipe', 'pipe', 'pipe'], env, ...(signal && { signal }) });
  let complaint = '';
  host.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaint = (complaint + text).slice(-2000);
  });
  // A pipe that breaks shows as the end of the host's output.
  host.stdin.on('error', () => undefined);
  const ended = new Promise<string>((resolve) => {
    host.once('error', (error) => resolve(error.message));
    host.once('close', (code, signal) => resolve(`it ended with ${signal ?? `code ${code}`}`));
  });
  try {
    return await runBridge({ ...bridge, input: host.stdout, output: host.stdin });
  } catch (error) {
    if (!(error instanceof BenchError) || error.code !== 'bench/bridge-closed') throw error;
    const how = await ended;
    throw new BenchError('bench/bridge-host', `The host ${python} broke off: ${how}\n${complaint.trim()}`, {
      cause: error,
    });
  } finally {
    host.stdin.end();
    host.kill();
  }
}
