/**
 * A call over the rows of a plan: what it is asked about, the answers, and how a row finds its own. A row
 * that never needed an answer finds NULL, with the token of "not asked", and nothing looks at it.
 */

import { compileRow } from '../../engine/evaluate/row.js';
import { equal } from '../../engine/operators/comparison.js';
import { call, scalar } from '../../engine/operators/define.js';
import {
  type Column,
  type Expression,
  freshColumn,
  type ScalarFunction,
} from '../../engine/plan/expression.js';
import type { LogicalPlan, Scan } from '../../engine/plan/plan.js';
import { mapOperands, operandsOf } from '../../engine/plan/traverse-expression.js';
import type { Token, Tokens } from '../../engine/provenance/token.js';
import type { Type, Value } from '../../engine/value/value.js';
import { AssayError } from '../../semiring/message/error.js';
import { answerTable } from './answer-table.js';
import type { AskAnswer, AskQuestion } from './ask-batch.js';
import {
  type AskCall,
  answerValue,
  cellInput,
  cellsKey,
  dataOf,
  isAskCall,
  resultType,
} from './ask-function.js';
import { type Answering, type Awaited, leavesOf, waiting } from './lazy-evaluation.js';

export class AskedCall implements Answering {
  readonly call: AskCall;
  readonly #names: readonly string[];
  readonly #types: readonly Type[];
  readonly #answers = new Map<string, { readonly value: Value; readonly token: Token }>();
  readonly #open = new Map<string, AskQuestion>();
  #reached = false;
  /** Whether every row that looks its answer up has one. */
  #everywhere: boolean;
  /** Whether it is known that every question that it holds is needed. */
  certain = true;

  /**
   * @param columns those of the rows that it is asked over: the model reads the cells by their names
   * @param part whether rows that are not evaluated look answers up, too
   */
  constructor(asked: AskCall, columns: readonly Column[], part: boolean) {
    this.call = asked;
    this.#everywhere = !part;
    const data = dataOf(asked);
    this.#names = namesOf(data, columns);
    this.#types = data.map((expression) => expression.type);
  }

  /** Questions without an answer, by the key of their data, in the order in which rows came to need them. */
  get open(): ReadonlyMap<string, AskQuestion> {
    return this.#open;
  }

  answer(data: readonly Value[], certain: boolean): Awaited {
    this.#reached = true;
    const key = cellsKey(data, this.#types);
    const known = this.#answers.get(key);
    if (known !== undefined) return known.value;
    if (!certain) this.certain = false;
    if (!this.#open.has(key)) this.#open.set(key, this.#question(data, this.#names, this.#types));
    return waiting;
  }

  unknown(leaves: readonly Value[], types: readonly Type[]): void {
    this.certain = false;
    const key = `unknown ${cellsKey(leaves, types)}`;
    const question = this.call.arguments[0];
    const text = question.kind === 'literal' ? question.value : '';
    const names = ['', ...leaves.map((_, i) => `input ${i + 1}`)];
    if (!this.#open.has(key))
      this.#open.set(key, this.#question([text, ...leaves], names, ['text', ...types]));
  }

  #question(data: readonly Value[], names: readonly string[], types: readonly Type[]): AskQuestion {
    const [question, ...cells] = data;
    return {
      question: typeof question === 'string' ? question : '',
      // Without a question there is nothing to ask about either.
      inputs: cells.map((cell, i) => ({
        name: names[i + 1],
        value: question === null ? null : cellInput(cell, types[i + 1]),
      })),
      type: this.call.function.answerType,
    };
  }

  /** @param key of an open question */
  settle(key: string, answer: AskAnswer, token: Token): void {
    const fn = this.call.function;
    const said = answer.reason === null ? answerValue(answer.answer, fn.answerType) : null;
    this.#open.delete(key);
    this.#answers.set(key, { value: fn.part === 'reason' ? answer.reason : said, token });
  }

  /** @param complete whether the row was evaluated to the end: it comes by here now or never */
  endRow(complete: boolean): void {
    if (complete && !this.#reached) this.#everywhere = false;
    this.#reached = false;
  }

  /**
   * The input with the answers looked up by the key of their data: each row meets exactly one.
   * @param data the call's, over the input
   * @param none the token of "not asked": what is looked up is worth a model's word in every row, so that no
   *   label tells which rows were asked about
   */
  lookUp(input: LogicalPlan, data: readonly Expression[], tokens: Tokens, none: () => Token): Looked {
    const fn = this.call.function;
    const rows = new Map(this.#answers);
    if (!this.#everywhere) rows.set(notAsked, { value: null, token: none() });
    const table = answerTable(tokens, rows, resultType(fn));
    const columns = [freshColumn('key', 'text'), freshColumn(fn.name, resultType(fn))];
    const right: Scan = { kind: 'scan', table, columns, indexes: [0, 1] };
    const [key, answer] = columns.map(({ id, type }): Expression => ({ kind: 'column', id, type }));
    const on = call(equal, this.#keyOver(data), key);
    const plan: LogicalPlan = { kind: 'join', type: 'inner', left: input, right, on, lookup: true };
    const { place } = this.call;
    return { plan, answer: { ...answer, ...(place ? { place } : {}) } };
  }

  /**
   * The key of a row's data. A call of what the data are made from, so that it reads the very same columns
   * but may fail without harm: a row whose data fail never came by, or the question would have failed.
   */
  #keyOver(data: readonly Expression[]): Expression {
    const leaves = leavesOf(data);
    let row: readonly Value[] = [];
    let slot = 0;
    const renumber = (part: Expression): Expression =>
      operandsOf(part).length === 0
        ? { kind: 'column', id: slot++, type: part.type }
        : mapOperands(part, renumber);
    const context = { parameters: [], column: (id: number) => () => row[id] };
    const steps = data.map((part) => compileRow(renumber(part), context));
    const key: ScalarFunction = scalar(
      'ask_key',
      () => 'text',
      (values) => {
        row = values;
        let found: string;
        try {
          found = cellsKey(
            steps.map((step) => step(0)),
            this.#types,
          );
        } catch (error) {
          if (error instanceof AssayError) return notAsked;
          throw error;
        }
        return this.#answers.has(found) ? found : notAsked;
      },
      { strict: false },
    );
    return call(key, ...leaves);
  }
}

export interface Looked {
  readonly plan: LogicalPlan;
  /** Over the plan's rows. */
  readonly answer: Expression;
}

/** No key of data: those are JSON. */
const notAsked = 'not asked';

/** What the model reads the cells by: the column's name where there is one. */
function namesOf(data: readonly Expression[], columns: readonly Column[]): string[] {
  const names = new Map(columns.map((column) => [column.id, column.name]));
  return data.map((expression, i) => {
    if (isAskCall(expression)) return expression.function.name;
    return (expression.kind === 'column' && names.get(expression.id)) || `input ${i}`;
  });
}
