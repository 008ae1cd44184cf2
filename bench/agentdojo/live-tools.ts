/** A suite's tools over one environment, as the agent's loop takes them. */
import type { Tool } from '../../udf/tool.js';
import type { Environment, Suite } from './suites/index.js';

/** The tools check their arguments themselves, with the error texts of the benchmark. */
export function liveTools(suite: Suite, environment: Environment): ReadonlyMap<string, Tool> {
  return new Map(
    [...suite.tools.values()].map((tool): [string, Tool] => [
      tool.name,
      {
        name: tool.name,
        description: tool.description,
        parameters: { type: 'object' },
        execute: async (args) => tool.run(environment, args),
      },
    ]),
  );
}
