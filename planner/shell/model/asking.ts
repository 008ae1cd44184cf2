/**
 * The model that answers `ask` in a shell, for whichever database is open. A limit refuses a query before it
 * sends anything, by its estimate; and tokens and money are also counted over all queries.
 */

import type { Token } from '../../../engine/provenance/token.js';
import { AssayError } from '../../../semiring/message/error.js';
import {
  AnswerCache,
  type AskFunctions,
  type AskFunctionsOptions,
  type AskProgress,
} from '../../../udf/ask/index.js';
import type { Meter } from '../../../udf/model/meter.js';
import {
  type Environment,
  type ModelSettings,
  openModel,
  readModelSettings,
} from '../../../udf/model/open-model.js';
import type { Database } from '../../query/index.js';
import { counted } from '../output/counted.js';
import { Progress } from '../process/progress.js';

/** As commander gives them. */
export interface AskingOptions extends Omit<ModelSettings, 'timeout'> {
  /** `--max-calls N`: questions that one query may send. */
  readonly maxCalls?: number | string;
  /** `--answers FILE`: answers are kept in it, and not asked for again. */
  readonly answers?: string;
}

type Limits = Pick<AskFunctionsOptions, 'maxCalls' | 'maxTokens' | 'maxCost' | 'price' | 'concurrency'>;

export class Asking {
  readonly model: Meter;
  readonly limits: Limits;
  readonly #cache: AnswerCache;
  readonly #progress: Progress;
  readonly #stderr: NodeJS.WritableStream;
  readonly #functions = new WeakMap<Database, AskFunctions>();

  constructor(model: Meter, stderr: NodeJS.WritableStream, limits: Limits = {}, answers?: string) {
    this.model = model;
    this.limits = limits;
    this.#stderr = stderr;
    this.#progress = new Progress(stderr, 'questions');
    this.#cache = new AnswerCache({
      ...(answers !== undefined && { path: answers }),
      onWarning: (message) => stderr.write(`${message}\n`),
    });
  }

  /** Makes `ask` callable in a database that has just been opened. */
  use(database: Database): void {
    const functions = database.useModel(this.model, {
      ...this.limits,
      cache: this.#cache,
      onProgress: (progress) => this.#show(progress),
    });
    this.#functions.set(database, functions);
  }

  /** What a token `ask[n]` stands for, in words; undefined for any other token. */
  answerOf(database: Database, token: Token): string | undefined {
    const answered = this.#functions.get(database)?.answeredBy(token);
    if (!answered) return undefined;
    const { model, question, answer } = answered;
    const said = answer.reason ?? JSON.stringify(answer.answer);
    return `${model}, asked ${JSON.stringify(question)}: ${said}`;
  }

  /** Takes the progress line away. */
  clear(): void {
    this.#progress.clear();
  }

  #show({ done, total, failed }: AskProgress): void {
    this.#progress.update(done, total);
    if (done < total) return;
    this.clear();
    if (failed > 0)
      this.#stderr.write(
        `${failed} of ${counted(total, 'question')} without an answer: ask_reason says why\n`,
      );
  }
}

/**
 * Undefined where no model is configured.
 * @throws ModelError `model/bad-setting`, AssayError `shell/usage`
 */
export function openAsking(
  { maxCalls, answers, ...flags }: AskingOptions,
  environment: Environment,
  stderr: NodeJS.WritableStream,
): Asking | undefined {
  const model = openModel(flags, environment);
  if (!model) return undefined;
  if (maxCalls !== undefined && !/^\d{1,12}$/.test(`${maxCalls}`)) {
    throw new AssayError('shell/usage', `--max-calls takes a number, not ${JSON.stringify(maxCalls)}`);
  }
  const { maxTokens, maxCost, concurrency } = readModelSettings(flags, environment);
  const limits: Limits = {
    ...(maxCalls !== undefined && { maxCalls: Number(maxCalls) }),
    ...(maxTokens !== undefined && { maxTokens }),
    ...(maxCost !== undefined && { maxCost }),
    ...(concurrency !== undefined && { concurrency }),
    ...(model.price && { price: model.price }),
  };
  return new Asking(model, stderr, limits, answers);
}
