/**
 * The AgentDojo data beside the project: where it is, and how a test reads it. Tests skip where it is
 * missing.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { loadSuite, type Suite, type SuiteName } from '../../../bench/agentdojo/suites/index.js';

/** The folder of the data. */
export const sharedFolder = join(
  process.env.ASSAY_SHARED ?? join(import.meta.dirname, '../../../../shared'),
  'agentdojo',
);

/** For `test(name, { skip }, …)`: false, or why the test cannot run. */
export const skip: string | false = existsSync(sharedFolder)
  ? false
  : `no AgentDojo data at ${sharedFolder} (set ASSAY_SHARED)`;

export function sharedText(path: string): string {
  return readFileSync(join(sharedFolder, path), 'utf8');
}

export function sharedSuite(name: SuiteName): Suite {
  return loadSuite(sharedText(`suites/${name}.json`), name);
}

/** Records of a JSON-lines file (`.gz` or not), not validated: this is data of known shape. */
export function sharedRecords<R>(path: string): R[] {
  const bytes = readFileSync(join(sharedFolder, path));
  const text = (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

export interface RecordedStep {
  readonly index: number;
  readonly call: { readonly function: string; readonly args: Readonly<Record<string, unknown>> };
  readonly result: unknown;
  readonly resultText: string | null;
  /** Where outsiders' text stands in the result. */
  readonly landings: readonly Landing[];
}

export interface Landing {
  readonly path: readonly (string | number)[];
  /** The text there, in records without results. */
  readonly value?: string;
}

export interface GroundTruth {
  readonly userTask: string;
  readonly steps: readonly RecordedStep[];
}

export interface Hijack {
  readonly injectionTask: string;
  readonly steps: readonly RecordedStep[];
}

/** One task under one attack; only the steps whose result holds the attack's text. */
export interface Injected {
  readonly userTask: string;
  readonly injectionTask: string;
  readonly attackText: string;
  readonly vectors: readonly string[];
  readonly full: boolean;
  readonly steps: readonly RecordedStep[];
  readonly callsChangedByInjection: readonly RecordedStep['call'][] | null;
}

/** White space squashed in every string (and key), for texts that went through YAML's folding. */
export function squashed(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(/\s+/g, ' ').trim();
  if (Array.isArray(value)) return value.map(squashed);
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [squashed(key), squashed(item)]));
  }
  return value;
}

/** Names of the recorded-run files. */
export function traceFiles(): string[] {
  return readdirSync(join(sharedFolder, 'traces')).sort();
}
