/** AgentDojo itself as the judge: our agent over a line protocol. */
export * from './bridge.js';
export { type GuardedAgentOptions, guardedAgent } from './guarded-agent.js';
export { type HostOptions, runHost } from './host-process.js';
export type { BridgeTool, Hello, ResultMessage, Selection, TaskMessage } from './protocol.js';
