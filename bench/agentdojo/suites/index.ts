/** The four AgentDojo suites in TypeScript: environments, tools, tasks, and checks of the state. */
export { directoryOf } from './directory.js';
export { type Effect, effects } from './effects.js';
export * from './environment.js';
export { BenchError } from './error.js';
export { attackReached, type GoalOptions, taskReached, type Verdict } from './goal.js';
export { applyRecorded, type RecordedCall, type RecordedOutcome } from './recorded.js';
export { resultText } from './result-text.js';
export * from './suite.js';
export { CLOCK, type Returns, type Tool } from './tool.js';
export { ToolError } from './tools/tool-error.js';
