/**
 * The batch operator: many questions, each distinct one sent once, in parallel. An answer that does not come
 * is a NULL with a reason, or the end of it all; the caller chooses.
 */
import { createHash } from 'node:crypto';
import { type Answer, type AnswerType, answerCheck } from '../model/answer-type.js';
import { encodeData } from '../model/data-encoding.js';
import type { Price } from '../model/meter.js';
import { addUsage, type Model, noUsage, type Usage } from '../model/model.js';
import { ModelError, type ModelErrorCode } from '../model/model-error.js';
import { onAbort } from '../model/on-abort.js';
import {
  needsMore,
  type Quarantine,
  type QuarantineInput,
  quarantine,
  quarantineRequest,
} from '../model/quarantine.js';
import type { AnswerCache, CachedAnswer } from './answer-cache.js';
import { AskError } from './ask-error.js';
import { type AskEstimate, addEstimates, answerTokens, nothingToAsk, requestTokens } from './ask-estimate.js';

export interface AskQuestion {
  readonly question: string;
  readonly inputs: readonly QuarantineInput[];
  readonly type: AnswerType;
}

/**
 * `reason` is null exactly where there is an answer. It is fixed wording or an endpoint's own error, never
 * data.
 */
export type AskAnswer =
  | { readonly answer: Answer; readonly reason: null }
  | { readonly answer: null; readonly reason: string };

export interface AskProgress {
  /** Distinct questions in all, and how many of them have an answer or a reason. */
  readonly total: number;
  readonly done: number;
  readonly failed: number;
  readonly cached: number;
}

export interface AskOptions {
  readonly cache?: AnswerCache;
  /** Questions under way at a time. Default 16. */
  readonly concurrency?: number;
  /** What a missing answer means. Default `null`; `stop` lets one hostile cell end the query. */
  readonly onFailure?: 'null' | 'stop';
  readonly onProgress?: (progress: AskProgress) => void;
  readonly price?: Price;
  readonly signal?: AbortSignal;
}

/** Questions by key; equal questions fall together. */
export interface DistinctQuestions {
  /** The hash of each question, in the order given. */
  readonly keys: readonly string[];
  /** In order of first appearance. */
  readonly distinct: ReadonlyMap<string, AskQuestion>;
}

/** @param model the name of the model: another model's answer is another answer */
export function distinctQuestions(model: string, questions: readonly AskQuestion[]): DistinctQuestions {
  const distinct = new Map<string, AskQuestion>();
  const keys = questions.map((question) => {
    const key = questionKey(model, question);
    if (!distinct.has(key)) distinct.set(key, question);
    return key;
  });
  return { keys, distinct };
}

function questionKey(model: string, { question, inputs, type }: AskQuestion): string {
  const hash = createHash('sha256');
  try {
    hash.update(encodeData([model, question, type, inputs.map(({ name, value }) => [name, value])]));
  } catch {
    // It will not be sent either; all such questions of one kind have the same reason for their NULL.
    hash.update(`not plain JSON ${JSON.stringify([model, question, type])}`);
  }
  return hash.digest('hex');
}

/** What answering takes, without sending anything. */
export function estimateQuestions({ distinct }: DistinctQuestions, cache?: AnswerCache): AskEstimate {
  let estimate = nothingToAsk;
  for (const [key, question] of distinct) {
    if (known(cache, key, question) !== undefined) estimate = { ...estimate, cached: estimate.cached + 1 };
    else if (!withoutData(question)) estimate = addEstimates(estimate, estimateOne(question));
  }
  return estimate;
}

function estimateOne(question: AskQuestion): AskEstimate {
  try {
    const inputTokens = requestTokens(quarantineRequest(question));
    return { calls: 1, cached: 0, inputTokens, outputTokens: answerTokens(question.type), exact: true };
  } catch {
    return nothingToAsk; // not plain JSON: never sent
  }
}

/** Every cell is NULL: there is nothing to ask about. */
function withoutData({ inputs }: AskQuestion): boolean {
  return inputs.length > 0 && inputs.every((input) => input.value === null);
}

export interface BatchResult {
  /** By key. */
  readonly answers: ReadonlyMap<string, AskAnswer>;
  readonly usage: Usage;
}

/**
 * Answers every distinct question.
 * @throws AskError `ask/failed` where `onFailure` is `stop` and an answer does not come; requests under way
 *   are cancelled
 * @throws ModelError `model/cancelled`, or where no request at all can succeed (`model/no-client`,
 *   `model/bad-setting`)
 */
export async function answerQuestions(
  model: Model,
  { distinct }: DistinctQuestions,
  options: AskOptions = {},
): Promise<BatchResult> {
  const { cache, concurrency = 16, onFailure = 'null', onProgress, signal } = options;
  const answers = new Map<string, AskAnswer>();
  const open: [string, AskQuestion][] = [];
  for (const [key, question] of distinct) {
    const before = known(cache, key, question);
    if (before !== undefined) answers.set(key, before);
    else if (withoutData(question)) answers.set(key, { answer: null, reason: 'Every input is NULL.' });
    else open.push([key, question]);
  }
  const progress = { total: distinct.size, done: answers.size, failed: 0, cached: answers.size };
  onProgress?.({ ...progress });

  const asker = quarantine(model);
  const stop = new AbortController();
  const off = onAbort(signal, () => stop.abort());
  let usage = noUsage;
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < open.length) {
      const [key, question] = open[next];
      next += 1;
      const outcome = await askOne(asker, question, stop.signal);
      usage = addUsage(usage, outcome.usage);
      if (outcome.cached !== undefined) cache?.set(key, outcome.cached);
      if (outcome.failed && onFailure === 'stop') {
        throw new AskError('ask/failed', `ask: ${outcome.answer.reason}`);
      }
      answers.set(key, outcome.answer);
      progress.done += 1;
      if (outcome.failed) progress.failed += 1;
      onProgress?.({ ...progress });
    }
  };
  try {
    const workers = Math.max(1, Math.min(concurrency, open.length));
    await Promise.all(Array.from({ length: workers }, work));
  } catch (error) {
    next = open.length;
    stop.abort();
    throw error;
  } finally {
    off();
  }
  // What the cache answered is put in first; give the map the order of the questions.
  return { answers: new Map([...distinct.keys()].map((key) => [key, answers.get(key) ?? missing])), usage };
}

const missing: AskAnswer = { answer: null, reason: 'Not asked.' };

interface Outcome {
  readonly answer: AskAnswer;
  readonly usage: Usage;
  readonly failed: boolean;
  /** What is worth keeping: a failure is not. */
  readonly cached?: CachedAnswer;
}

/** Errors after which asking the next question makes no sense. */
const hopeless: ReadonlySet<ModelErrorCode> = new Set([
  'model/cancelled',
  'model/no-client',
  'model/bad-setting',
]);

async function askOne(asker: Quarantine, question: AskQuestion, signal: AbortSignal): Promise<Outcome> {
  try {
    const said = await asker.ask({ ...question, signal });
    const { usage } = said;
    switch (said.kind) {
      case 'answer':
        return {
          answer: { answer: said.value, reason: null },
          usage,
          failed: false,
          cached: { answer: said.value },
        };
      case 'needs-more':
        return {
          answer: { answer: null, reason: needsMore },
          usage,
          failed: false,
          cached: { needsMore: true },
        };
      case 'invalid':
        return { answer: { answer: null, reason: said.problem }, usage, failed: true };
    }
  } catch (error) {
    if (!(error instanceof ModelError) || hopeless.has(error.code)) throw error;
    return {
      answer: { answer: null, reason: `${error.code}: ${error.message}` },
      usage: noUsage,
      failed: true,
    };
  }
}

/** The cache's answer; a file may have been changed, so its type is checked like a model's. */
function known(cache: AnswerCache | undefined, key: string, { type }: AskQuestion): AskAnswer | undefined {
  const entry = cache?.get(key);
  if (entry === undefined) return undefined;
  if (!('answer' in entry)) return { answer: null, reason: needsMore };
  return answerCheck(type)(entry.answer).ok ? { answer: entry.answer, reason: null } : undefined;
}
