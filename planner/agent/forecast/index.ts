/**
 * What a plan will cost in human interventions, and what to tell the model of a call that does not comply.
 */
export { forecast } from './forecast.js';
export { retryMessage, type Violation, type ViolationArgument, type Way, waysOn } from './retry.js';
export { search } from './search.js';
export * from './types.js';
