/** Regular expressions in bounded time. */
export { type Match, mostSteps, Regexp } from './regexp.js';
