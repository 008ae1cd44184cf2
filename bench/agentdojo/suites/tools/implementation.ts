/**
 * The shape of a tool's code. Arguments were checked against the tool's schema before, so an accessor that
 * finds another type is a fault of the suite file, not of the agent.
 */
import type { Environment, PartName, Parts } from '../environment.js';
import { BenchError } from '../error.js';

/** @returns Live rows are fine: the caller takes a copy in plain JSON. */
export type Implementation = (call: Call) => unknown;

/** Checked arguments, the parts of the state, and the clock. */
export class Call {
  readonly #environment: Environment;
  readonly #args: ReadonlyMap<string, unknown>;
  /** `YYYY-MM-DD HH:MM:SS` */
  readonly now: string;

  constructor(environment: Environment, args: ReadonlyMap<string, unknown>, now: string) {
    this.#environment = environment;
    this.#args = args;
    this.now = now;
  }

  /** @throws BenchError `bench/no-such-part` where the environment belongs to another suite. */
  part<P extends PartName>(name: P): Parts[P] {
    const part = this.#environment[name];
    if (part === undefined) throw new BenchError('bench/no-such-part', `The environment has no ${name}`);
    return part;
  }

  text(name: string): string {
    const value = this.#args.get(name);
    if (typeof value !== 'string') throw wrong(name, 'a string');
    return value;
  }

  number(name: string): number {
    const value = this.#args.get(name);
    if (typeof value !== 'number') throw wrong(name, 'a number');
    return value;
  }

  flag(name: string): boolean {
    const value = this.#args.get(name);
    if (typeof value !== 'boolean') throw wrong(name, 'a boolean');
    return value;
  }

  texts(name: string): string[] {
    const value = this.#args.get(name);
    if (!Array.isArray(value)) throw wrong(name, 'a list');
    return value.map(String);
  }

  /** Whether the argument was given and is not null. */
  has(name: string): boolean {
    const value = this.#args.get(name);
    return value !== undefined && value !== null;
  }

  /** As it was checked; for arguments without a simple type. */
  value(name: string): unknown {
    return this.#args.get(name);
  }
}

function wrong(name: string, type: string): BenchError {
  return new BenchError(
    'bench/argument',
    `The tool's code needs ${name} to be ${type}; its schema lets others pass`,
  );
}
