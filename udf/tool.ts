/**
 * What a tool is, for all of assay: a name, a schema, a function. The one thing to know: whoever runs a tool
 * calls `checkArguments` first; `execute` may rely on its schema.
 */
import { AssayError } from '../semiring/message/error.js';
import { compileSchema, type JsonSchema, type SchemaCheck, type SchemaProblem } from './json-schema.js';

export type ToolArguments = Readonly<Record<string, unknown>>;

export interface ToolContext {
  /** Aborted when the run is cancelled or its time is over. */
  readonly signal?: AbortSignal;
  /**
   * The planner model's id of this call; stays the same when a run is resumed, so it can make a call
   * idempotent.
   */
  readonly callId?: string;
}

export interface Tool {
  /** `[A-Za-z0-9_-]{1,64}`, as model protocols demand. */
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments: an object. */
  readonly parameters: JsonSchema;
  /**
   * False: a call changes nothing, so it may be made again when a run that was cut off is resumed. Default:
   * true, and a call that may have had its effect is made again only if a human says so.
   */
  readonly effects?: boolean;
  /**
   * Answers anything JSON can hold. A throw is an error result: its message is data from outside, like any
   * result.
   */
  execute(args: ToolArguments, context: ToolContext): Promise<unknown>;
}

/**
 * A call does not fit the tool's parameters. The message holds paths and schema text, and never an argument's
 * value.
 */
export class ToolArgumentsError extends AssayError {
  readonly tool: string;
  readonly problems: readonly SchemaProblem[];

  constructor(tool: string, problems: readonly SchemaProblem[]) {
    super('udf/bad-arguments', `${tool}: ${problems.map((p) => `${p.path}: ${p.message}`).join('; ')}`);
    this.tool = tool;
    this.problems = problems;
  }
}

// A tool's schema never changes, so it is compiled once for as long as the tool lives.
const compiled = new WeakMap<Tool, SchemaCheck>();

/**
 * Checks a call's arguments against the tool's parameters.
 * @param args as the model wrote them, parsed; anything but an object is refused
 * @throws ToolArgumentsError `udf/bad-arguments` with the JSON path of every problem
 */
export function checkArguments(tool: Tool, args: unknown): asserts args is ToolArguments {
  if (typeof args !== 'object' || args === null || Array.isArray(args)) {
    throw new ToolArgumentsError(tool.name, [
      { path: '$', message: 'The arguments must be one JSON object.' },
    ]);
  }
  let check = compiled.get(tool);
  if (check === undefined) {
    check = compileSchema(tool.parameters);
    compiled.set(tool, check);
  }
  const problems = check(args);
  if (problems.length > 0) throw new ToolArgumentsError(tool.name, problems);
}
