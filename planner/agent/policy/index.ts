export { type Diagnostic, PolicyError, showDiagnostic } from './diagnostic.js';
export {
  type CheckOptions,
  checkPolicy,
  type LoadPolicyOptions,
  loadPolicy,
  policyFor,
  profilesOf,
} from './load.js';
export * from './policy.js';
export { readToolSchemas, type ToolSchema } from './tool-schema.js';
