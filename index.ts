/**
 * assay: what is it made of, and may it be acted on. The public face: the query engine's `Database`, the
 * guard's `createGuard`, and the algebra. More is in `assay/semiring`, `assay/engine`, `assay/udf`,
 * `assay/planner`.
 */
export * from './planner/index.js';
export * from './semiring/index.js';
export { Why } from './semiring/instances/why.js';
export { type Model, openModel } from './udf/model/index.js';
export { checkArguments, type Tool, type ToolArguments, type ToolContext } from './udf/tool.js';
