import { AssayError } from '../../semiring/message/error.js';

/**
 * `ask/bad-call`: not `ask(question, cell, …, type)`; `ask/place`: stands where it cannot be resolved;
 * `ask/not-resolved`: the plan ran without its stages; `ask/limit`: would pass a limit, nothing was sent;
 * `ask/failed`: an answer did not come and failures stop the query; `ask/bad-cache`: the cache file is not
 * one.
 */
export class AskError extends AssayError {
  declare readonly code:
    | 'ask/bad-call'
    | 'ask/place'
    | 'ask/not-resolved'
    | 'ask/limit'
    | 'ask/failed'
    | 'ask/bad-cache';
}
