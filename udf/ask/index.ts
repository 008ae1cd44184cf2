export * from './answer-cache.js';
export * from './ask-batch.js';
export * from './ask-error.js';
export * from './ask-estimate.js';
export * from './ask-function.js';
export * from './ask-functions.js';
export { type RunPlan, runByEngine } from './run-plan.js';
