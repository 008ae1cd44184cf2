/**
 * The language-model functions of one database. Answers are rows of a table (cells' key, answer), each with a
 * token of its own, and a call looks its row up there; so an answer's provenance is the product of its inputs
 * and its token, and its label their join, by the rules of the join and nothing else. It is the answer
 * cell's: the row has it only once a filter, a key or a grouping reads the answer.
 */
import { createHash } from 'node:crypto';
import { scalar } from '../../engine/operators/define.js';
import type { Expression } from '../../engine/plan/expression.js';
import type { LogicalPlan } from '../../engine/plan/plan.js';
import type { Token, Tokens } from '../../engine/provenance/token.js';
import { addUsage, type Model, noUsage, type Usage } from '../model/model.js';
import { AnswerCache } from './answer-cache.js';
import {
  type AskAnswer,
  type AskOptions,
  type AskQuestion,
  answerQuestions,
  type DistinctQuestions,
  distinctQuestions,
  estimateQuestions,
} from './ask-batch.js';
import {
  type AskEstimate,
  type AskLimits,
  addEstimates,
  checkLimits,
  nothingToAsk,
  withCost,
} from './ask-estimate.js';
import { type AskCall, AskVocabulary } from './ask-function.js';
import type { AskedCall } from './asked-call.js';
import { AskedCalls } from './asked-calls.js';
import { leavesOf } from './lazy-evaluation.js';
import { liftAsks, plansToAsk, type Stage } from './lift-asks.js';
import { limitFirst } from './limit-first.js';
import { type RunPlan, runByEngine } from './run-plan.js';

export interface AskFunctionsOptions extends AskOptions, AskLimits {
  /** Told about each new token `ask[n]`: where a database says how far the model is trusted. */
  readonly onAnswer?: (token: Token, answered: AnsweredCall) => void;
}

/** What one token of a model's answer stands for. */
export interface AnsweredCall extends AskQuestion {
  readonly model: string;
  readonly answer: AskAnswer;
}

export interface ResolvedAsks {
  /** Without calls; runs like any other plan. */
  readonly plan: LogicalPlan;
  /** What was sent, by estimate, and what the cache answered. */
  readonly estimate: AskEstimate;
  /** As the endpoint counted it. */
  readonly usage: Usage;
  /** Answers that did not come, each with its question. */
  readonly failures: readonly AnsweredCall[];
}

export class AskFunctions {
  readonly vocabulary = new AskVocabulary();
  readonly #model: Model;
  readonly #tokens: Tokens;
  readonly #options: AskFunctionsOptions;
  readonly #answered = new Map<Token, AnsweredCall>();
  readonly #tokenOf = new Map<string, Token>();
  /** Answers that a saved database brought along. */
  #before: number | undefined;

  /**
   * @param tokens those of the database whose plans are resolved
   * @param options `cache` is one in memory unless another is given
   */
  constructor(model: Model, tokens: Tokens, options: AskFunctionsOptions = {}) {
    this.#model = model;
    this.#tokens = tokens;
    this.#options = { ...options, cache: options.cache ?? new AnswerCache() };
  }

  /** The call behind a token `ask[n]`, for explanations; undefined for any other token. */
  answeredBy(token: Token): AnsweredCall | undefined {
    return this.#answered.get(token);
  }

  /**
   * Runs a plan's questions and puts joins with the answers in place of its calls. The plan must be
   * decorrelated. The inputs of each stage are run through `run`, and again when the resolved plan runs.
   * Asked is what SQL's evaluation needs, row by row and cheap first: no branch of a CASE that is not taken,
   * nothing that AND, OR or COALESCE pass over.
   * @throws AskError `ask/limit` before what would pass a limit is sent; `ask/failed`, `ask/place`
   * @throws ModelError see {@link answerQuestions}
   */
  async resolve(
    plan: LogicalPlan,
    run: RunPlan = runByEngine(),
    options: AskFunctionsOptions = {},
  ): Promise<ResolvedAsks> {
    if (!plansToAsk(plan)) return { plan, estimate: nothingToAsk, usage: noUsage, failures: [] };
    const settings = { ...this.#options, ...options };
    let estimate = nothingToAsk;
    let usage = noUsage;
    const failures: AnsweredCall[] = [];
    const stage: Stage = {
      decides: true,
      answer: async (rows, expressions, scope) => {
        const calls = new AskedCalls(rows, expressions, { explore: false, part: scope === 'part' });
        let waiting = await calls.rows(run);
        for (;;) {
          waiting = calls.evaluate(waiting);
          const questions = this.#distinct(calls.open);
          if (questions.distinct.size === 0) break;
          const more = estimateQuestions(questions, settings.cache);
          estimate = withCost(addEstimates(estimate, more), settings.price);
          checkLimits(estimate, settings);
          const result = await answerQuestions(this.#model, questions, settings);
          usage = addUsage(usage, result.usage);
          for (const [key, answer] of result.answers) {
            const question = questions.distinct.get(key);
            if (answer.reason !== null && question !== undefined) {
              failures.push({ ...question, model: this.#model.name, answer });
            }
          }
          this.#settle(calls.open, questions, result.answers);
        }
        return {
          lookUp: (input, call, data) =>
            calls.of(call).lookUp(input, data, this.#tokens, () => this.#notAsked(call)),
        };
      },
    };
    return { plan: await liftAsks(limitFirst(plan), stage), estimate, usage, failures };
  }

  /** What {@link resolve} would send; runs the inputs, sends nothing. */
  async estimate(
    plan: LogicalPlan,
    run: RunPlan = runByEngine(),
    options: AskFunctionsOptions = {},
  ): Promise<AskEstimate> {
    const settings = { ...this.#options, ...options };
    let estimate = nothingToAsk;
    let open = false;
    const stage: Stage = {
      decides: false,
      answer: async (rows, expressions) => {
        const calls = new AskedCalls(rows, expressions, { explore: true });
        calls.evaluate(await calls.rows(run));
        const found = estimateQuestions(this.#distinct(calls.open), settings.cache);
        estimate = addEstimates(estimate, { ...found, exact: !open && calls.certain });
        open = true;
        return { lookUp: (input, call, data) => ({ plan: input, answer: unknown(call, data) }) };
      },
    };
    await liftAsks(limitFirst(plan), stage);
    return withCost(estimate, settings.price);
  }

  #distinct(calls: readonly AskedCall[]): DistinctQuestions {
    return distinctQuestions(
      this.#model.name,
      calls.flatMap((one) => [...one.open.values()]),
    );
  }

  /** @param questions the open ones of the calls, in their order */
  #settle(
    calls: readonly AskedCall[],
    { keys, distinct }: DistinctQuestions,
    answers: ReadonlyMap<string, AskAnswer>,
  ): void {
    let at = 0;
    for (const one of calls) {
      for (const cells of [...one.open.keys()]) {
        const key = keys[at++];
        const answer = answers.get(key);
        const question = distinct.get(key);
        if (answer === undefined || question === undefined)
          throw new TypeError('a question without an answer');
        one.settle(cells, answer, this.#token(key, question, answer));
      }
    }
  }

  /** What stands for the model's word in rows that did not need it. */
  #notAsked(call: AskCall): Token {
    const [first] = call.arguments;
    const text = first.kind === 'literal' && typeof first.value === 'string' ? first.value : '';
    const question: AskQuestion = { question: text, inputs: [], type: call.function.answerType };
    const answer: AskAnswer = { answer: null, reason: 'Not asked.' };
    return this.#token(JSON.stringify([text, question.type]), question, answer);
  }

  /**
   * One token for each distinct answer: the same call with the same answer has the same one in every query.
   */
  #token(key: string, question: AskQuestion, answer: AskAnswer): Token {
    const said = createHash('sha256')
      .update(JSON.stringify([key, answer]))
      .digest('hex');
    const known = this.#tokenOf.get(said);
    if (known !== undefined) return known;
    this.#before ??= highestAnswer(this.#tokens);
    const number = this.#before + this.#tokenOf.size + 1;
    const token = this.#tokens.issue(1, () => `ask[${number}]`);
    this.#tokenOf.set(said, token);
    const answered = { ...question, model: this.#model.name, answer };
    this.#answered.set(token, answered);
    this.#options.onAnswer?.(token, answered);
    return token;
  }
}

/** The highest n of the tokens `ask[n]`, so that no two have one name; 0 where there are none. */
function highestAnswer(tokens: Tokens): number {
  let highest = 0;
  for (let token = 0; token < tokens.count; token += 1) {
    const name = tokens.nameOf(token);
    if (!name.startsWith('ask[')) continue;
    const number = Number(/^ask\[(\d{1,9})\]$/.exec(name)?.[1] ?? 0);
    if (number > highest) highest = number;
  }
  return highest;
}

/** Stands for an answer that an estimate does not have; reads what the call reads. */
function unknown(site: AskCall, data: readonly Expression[]): Expression {
  return { kind: 'call', function: unknownAnswer, arguments: leavesOf(data), type: site.type };
}

const unknownAnswer = scalar(
  'unknown answer',
  () => undefined,
  () => null,
  { strict: false },
);
