/** The final answer as a sink: what untrusted data built cannot load or be clicked. */
export * from './defuse.js';
export type { AnswerPart, Where } from './marked-text.js';
