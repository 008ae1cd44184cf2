/** Human oversight: requests that are bound to one exact call, who answers them, and what a person sees. */
export * from './approvals.js';
export { canonical, digest } from './canonical.js';
export * from './oversight.js';
export { renderRequest } from './render.js';
export * from './request.js';
export { askOnTerminal, type TerminalOptions } from './terminal.js';
