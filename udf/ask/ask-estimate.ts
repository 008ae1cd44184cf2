/** What a set of questions will take, before one is sent. Tokens are estimates, calls are not. */
import type { AnswerType } from '../model/answer-type.js';
import { costOf, type Price } from '../model/meter.js';
import type { ModelRequest } from '../model/model.js';
import { AskError } from './ask-error.js';

export interface AskEstimate {
  readonly calls: number;
  /** Distinct questions that the cache answers. */
  readonly cached: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Undefined without a price. */
  readonly cost?: number;
  /**
   * False where calls depend on answers that are not there yet: as if no predicate over them dropped a row.
   */
  readonly exact: boolean;
}

export interface AskLimits {
  readonly maxCalls?: number;
  /** Input and output. */
  readonly maxTokens?: number;
  /** Needs a price. */
  readonly maxCost?: number;
}

export const nothingToAsk: AskEstimate = Object.freeze({
  calls: 0,
  cached: 0,
  inputTokens: 0,
  outputTokens: 0,
  exact: true,
});

/** Four characters a token: what English text and JSON come to with the tokenisers in use, roughly. */
const charactersInToken = 4;

export function requestTokens(request: ModelRequest): number {
  let characters = request.output === undefined ? 0 : JSON.stringify(request.output.schema).length;
  for (const message of request.messages) characters += message.text.length;
  return Math.ceil(characters / charactersInToken);
}

/** Of `{"answer": …}`. */
export function answerTokens(type: AnswerType): number {
  return type.kind === 'text' || type.kind === 'json' ? 100 : 10;
}

export function addEstimates(a: AskEstimate, b: AskEstimate): AskEstimate {
  return {
    calls: a.calls + b.calls,
    cached: a.cached + b.cached,
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    exact: a.exact && b.exact,
  };
}

export function withCost(estimate: AskEstimate, price: Price | undefined): AskEstimate {
  return price === undefined ? estimate : { ...estimate, cost: costOf(estimate, price) };
}

/** @throws AskError `ask/limit` */
export function checkLimits(estimate: AskEstimate, limits: AskLimits): void {
  const { maxCalls = Infinity, maxTokens = Infinity, maxCost = Infinity } = limits;
  const { calls, inputTokens, outputTokens, cost } = estimate;
  const tokens = inputTokens + outputTokens;
  const refuse = (what: string, limit: number) =>
    new AskError('ask/limit', `ask would take ${what}, the limit is ${limit}; nothing more was sent.`);
  if (calls > maxCalls) throw refuse(`${calls} calls`, maxCalls);
  if (tokens > maxTokens) throw refuse(`about ${tokens} tokens`, maxTokens);
  if (maxCost === Infinity) return;
  if (cost === undefined)
    throw new AskError('ask/limit', 'A cost limit needs the price of a million tokens.');
  if (cost > maxCost) throw refuse(`about ${cost.toPrecision(3)} in money`, maxCost);
}

/** One line for EXPLAIN. */
export function showEstimate(estimate: AskEstimate): string {
  const { calls, cached, inputTokens, outputTokens, cost, exact } = estimate;
  const most = exact ? '' : 'at most ';
  const money = cost === undefined ? '' : `, cost about ${cost.toPrecision(3)}`;
  return `ask: ${most}${calls} calls (${cached} more from the cache), about ${inputTokens} input and ${outputTokens} output tokens${money}`;
}
