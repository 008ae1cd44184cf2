/**
 * The language-model functions of one database. The one thing to know: answers are rows of a table (cells' key,
 * answer, reason), each with a token of its own, and a call looks its row up there; so an answer's provenance is the
 * product of its inputs and its token, and its label their join, by the rules of the join and nothing else. It is the
 * answer cell's: the row has it only once a filter, a key or a grouping reads the answer.
 */
import { createHash } from 'node:crypto';
import { type Column, type Expression, freshColumn } from '../../engine/expression.js';
import { equal } from '../../engine/operators/comparison.js';
import { call, scalar } from '../../engine/operators/define.js';
import { columnsOf, type LogicalPlan, type Scan } from '../../engine/plan.js';
import type { Token, Tokens } from '../../engine/token.js';
import { columnsRead, operandsOf } from '../../engine/traverse.js';
import type { Value } from '../../engine/value.js';
import { addUsage, type Model, noUsage, type Usage } from '../model/model.js';
import { AnswerCache } from './answer-cache.js';
import { answerTable } from './answer-table.js';
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
import {
  type AskCall,
  AskVocabulary,
  answerValue,
  cellInput,
  cellsKey,
  dataOf,
  keyFunction,
  resultType,
} from './ask-function.js';
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
   * Runs a plan's questions and puts joins with the answers in place of its calls. The plan must be decorrelated. The
   * inputs of each stage are run through `run`, and again when the resolved plan runs.
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
      attach: async (input, calls) => {
        const sites = await Promise.all(calls.map((one) => this.#collect(input, one, run)));
        const questions = this.#distinct(sites);
        estimate = withCost(
          addEstimates(estimate, estimateQuestions(questions, settings.cache)),
          settings.price,
        );
        checkLimits(estimate, settings);
        const result = await answerQuestions(this.#model, questions, settings);
        usage = addUsage(usage, result.usage);
        for (const [key, answer] of result.answers) {
          const question = questions.distinct.get(key);
          if (answer.reason !== null && question !== undefined) {
            failures.push({ ...question, model: this.#model.name, answer });
          }
        }
        let joined = input;
        const answers = sites.map((site) => {
          const { plan: next, answer } = this.#join(joined, site, result.answers);
          joined = next;
          return answer;
        });
        return { plan: joined, answers };
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
      attach: async (input, calls) => {
        const data = calls.map((one) => knownData(one, columnsOf(input)));
        const sites = await Promise.all(calls.map((one, i) => this.#collect(input, one, run, data[i])));
        const found = estimateQuestions(this.#distinct(sites), settings.cache);
        estimate = addEstimates(estimate, { ...found, exact: !open });
        open = true;
        return { plan: input, answers: calls.map((one) => unknown(one)) };
      },
    };
    await liftAsks(limitFirst(plan), stage);
    return withCost(estimate, settings.price);
  }

  #distinct(sites: readonly Site[]): DistinctQuestions {
    const all = sites.flatMap((site) => site.questions);
    const { keys, distinct } = distinctQuestions(this.#model.name, all);
    let at = 0;
    for (const site of sites) {
      site.keys.push(...keys.slice(at, at + site.questions.length));
      at += site.questions.length;
    }
    return { keys, distinct };
  }

  /** The distinct data of a call over its input. */
  async #collect(
    input: LogicalPlan,
    site: AskCall,
    run: RunPlan,
    data: readonly Expression[] = dataOf(site),
  ): Promise<Site> {
    const names = namesOf(data, columnsOf(input));
    const columns = data.map((expression, i) => freshColumn(names[i], expression.type));
    const project: LogicalPlan = { kind: 'project', input, columns, expressions: data };
    const types = data.map((expression) => expression.type);
    const collected: Site = { call: site, data, cells: [], questions: [], keys: [] };
    for (const row of await run({ kind: 'distinct', input: project })) {
      const [question, ...cells] = row;
      collected.cells.push(cellsKey(row, types));
      collected.questions.push({
        question: typeof question === 'string' ? question : '',
        // Without a question there is nothing to ask about either.
        inputs: cells.map((cell, i) => ({
          name: names[i + 1],
          value: question === null ? null : cellInput(cell, types[i + 1]),
        })),
        type: site.function.answerType,
      });
    }
    return collected;
  }

  /** The input with the answers looked up by the cells' key: each row meets exactly one answer. */
  #join(
    input: LogicalPlan,
    site: Site,
    answers: ReadonlyMap<string, AskAnswer>,
  ): { readonly plan: LogicalPlan; readonly answer: Expression } {
    const fn = site.call.function;
    const rows = new Map<string, { readonly value: Value; readonly token: Token }>();
    site.questions.forEach((question, i) => {
      const answer = answers.get(site.keys[i]);
      if (answer === undefined || rows.has(site.cells[i])) return;
      const said = answer.reason === null ? answerValue(answer.answer, fn.answerType) : null;
      const value = fn.part === 'reason' ? answer.reason : said;
      rows.set(site.cells[i], { value, token: this.#token(site.keys[i], question, answer) });
    });
    const type = resultType(fn);
    const table = answerTable(this.#tokens, rows, type);
    const key = freshColumn('key', 'text');
    const answer = freshColumn(fn.name, type);
    const scan: Scan = { kind: 'scan', table, columns: [key, answer], indexes: [0, 1] };
    const on = call(equal, call(keyFunction, ...site.data), reference(key));
    const plan: LogicalPlan = { kind: 'join', type: 'inner', left: input, right: scan, on, lookup: true };
    const { place } = site.call;
    return { plan, answer: { ...reference(answer), ...(place ? { place } : {}) } };
  }

  /** One token for each distinct answer: the same call with the same answer has the same one in every query. */
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

/** A call over a plan: its distinct data, row by row. */
interface Site {
  readonly call: AskCall;
  /** The question and the cells. */
  readonly data: readonly Expression[];
  readonly cells: string[];
  readonly questions: AskQuestion[];
  /** The questions' keys in the batch. */
  readonly keys: string[];
}

/** What the model reads the cells by: the column's name where there is one. */
function namesOf(data: readonly Expression[], columns: readonly Column[]): string[] {
  const names = new Map(columns.map((column) => [column.id, column.name]));
  return data.map(
    (expression, i) => (expression.kind === 'column' && names.get(expression.id)) || `input ${i}`,
  );
}

function reference({ id, type }: Column): Expression {
  return { kind: 'column', id, type };
}

/** Stands for an answer that an estimate does not have; still reads what the call reads. */
function unknown(site: AskCall): Expression {
  return { kind: 'call', function: unknownAnswer, arguments: dataOf(site), type: site.type };
}

const unknownAnswer = scalar(
  'unknown answer',
  () => undefined,
  () => null,
  { strict: false },
);

/** A call's data; where that holds an unknown answer, the columns behind it: as many distinct rows at most. */
function knownData(site: AskCall, columns: readonly Column[]): readonly Expression[] {
  const isUnknown = (expression: Expression): boolean =>
    (expression.kind === 'call' && expression.function === unknownAnswer) ||
    operandsOf(expression).some(isUnknown);
  const [question, ...cells] = dataOf(site);
  if (!cells.some(isUnknown)) return dataOf(site);
  const read = new Set(cells.flatMap((cell) => [...columnsRead(cell)]));
  return [question, ...columns.filter(({ id }) => read.has(id)).map(reference)];
}
