/**
 * `ask(question, cell, …, type)` and `ask_reason` of the same: the calls as expressions. They are never
 * evaluated row by row; a plan that holds them is resolved in stages first, and each call becomes a column of
 * answers.
 */

import { scalar } from '../../engine/operators/define.js';
import type { Expression, ScalarFunction } from '../../engine/plan/expression.js';
import { operandsOf } from '../../engine/plan/traverse-expression.js';
import { parseDate } from '../../engine/value/calendar.js';
import { external } from '../../engine/value/external.js';
import type { Type, Value } from '../../engine/value/value.js';
import { type Answer, type AnswerType, parseAnswerType, showAnswerType } from '../model/answer-type.js';
import { encodeData } from '../model/data-encoding.js';
import { AskError } from './ask-error.js';

/** `answer`: what the model said, NULL where it said nothing usable; `reason`: why there is NULL. */
export type AskPart = 'answer' | 'reason';

/** A function whose answer type is known. */
export interface AskFunction extends ScalarFunction {
  readonly answerType: AnswerType;
  readonly part: AskPart;
}

export type AskCall = Extract<Expression, { kind: 'call' }> & { readonly function: AskFunction };

export function isAskCall(expression: Expression): expression is AskCall {
  return expression.kind === 'call' && 'answerType' in expression.function && 'part' in expression.function;
}

export function hasAsk(expression: Expression): boolean {
  return isAskCall(expression) || operandsOf(expression).some(hasAsk);
}

/** The question and the cells of a call; the type comes last and is no data. */
export function dataOf(call: AskCall): readonly Expression[] {
  return call.arguments.slice(0, -1);
}

/**
 * The functions `ask` and `ask_reason` of one database: equal types share one function, so that equal calls
 * are recognised.
 */
export class AskVocabulary {
  readonly #known = new Map<string, AskFunction>();

  /** For a function catalog. */
  readonly functions: readonly ScalarFunction[] = [
    this.#general('ask', 'answer'),
    this.#general('ask_reason', 'reason'),
  ];

  /**
   * The call as an expression, for the builder.
   * @param question text; usually a literal
   */
  call(
    question: Expression,
    cells: readonly Expression[],
    type: AnswerType,
    part: AskPart = 'answer',
  ): AskCall {
    const fn = this.#special(type, part);
    const last: Expression = { kind: 'literal', value: showAnswerType(type), type: 'text' };
    return { kind: 'call', function: fn, arguments: [question, ...cells, last], type: resultType(fn) };
  }

  /** Before its type argument is read; the binder asks it to specialise. */
  #general(name: string, part: AskPart): ScalarFunction {
    return {
      ...scalar(name, () => undefined, notResolved, { strict: false, cost: dear }),
      specialise: (operands) => {
        const last = operands.at(-1);
        if (operands.length < 2 || last?.kind !== 'literal' || typeof last.value !== 'string') {
          throw new AskError(
            'ask/bad-call',
            `${name}: expected (question, cell, …, type), the type a literal text`,
          );
        }
        return this.#special(parseAnswerType(last.value), part);
      },
    };
  }

  #special(answerType: AnswerType, part: AskPart): AskFunction {
    const key = `${part} ${showAnswerType(answerType)}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const type = part === 'reason' ? 'text' : engineType(answerType);
    const name = part === 'reason' ? 'ask_reason' : 'ask';
    const resolve = (types: readonly Type[]) => (isText(types[0]) && isText(types.at(-1)) ? type : undefined);
    const made = { ...scalar(name, resolve, notResolved, { strict: false, cost: dear }), answerType, part };
    this.#known.set(key, made);
    return made;
  }
}

/** Relative to a comparison of two numbers: some hundred milliseconds against some nanoseconds. */
const dear = 1e8;

function isText(type: Type | undefined): boolean {
  return type === 'text' || type === 'null';
}

function notResolved(): never {
  throw new AskError(
    'ask/not-resolved',
    'ask: this query was run without a model; use the asynchronous query.',
  );
}

export function resultType(fn: AskFunction): Type {
  return fn.part === 'reason' ? 'text' : engineType(fn.answerType);
}

export function engineType(type: AnswerType): Type {
  switch (type.kind) {
    case 'boolean':
    case 'integer':
    case 'date':
    case 'text':
    case 'json':
      return type.kind;
    case 'number':
      return 'float';
    case 'enum':
      return 'text';
  }
}

/** A checked answer in machine form. */
export function answerValue(answer: Answer, type: AnswerType): Value {
  if (type.kind === 'date') return parseDate(String(answer)) ?? null;
  return answer as Value; // checked: a boolean, number, string, or JSON
}

/** A cell as the model gets it: dates as ISO text; floats that JSON cannot hold by name. */
export function cellInput(value: Value, type: Type): unknown {
  const shown = external(value, type);
  return typeof shown === 'number' && !Number.isFinite(shown) ? String(shown) : shown;
}

/**
 * Equal for equal cells: what a row is joined with its answer by. A cell that is not plain JSON has no
 * answer.
 */
export function cellsKey(values: readonly Value[], types: readonly Type[]): string {
  try {
    return encodeData(values.map((value, i) => cellInput(value, types[i])));
  } catch {
    return 'not plain JSON';
  }
}
