/** The calls of some expressions over the rows of a plan: evaluated row by row until no answer is missing. */
import { type Expression, freshColumn } from '../../engine/plan/expression.js';
import { columnsOf, type LogicalPlan } from '../../engine/plan/plan.js';
import { equalExpressions } from '../../engine/plan/traverse-expression.js';
import type { Value } from '../../engine/value/value.js';
import type { AskCall } from './ask-function.js';
import { AskedCall } from './asked-call.js';
import { LazyEvaluation, type LazyOptions } from './lazy-evaluation.js';
import type { RunPlan } from './run-plan.js';

type Rows = readonly (readonly Value[])[];

export interface AskedCallsOptions extends Pick<LazyOptions, 'explore'> {
  /** Rows that are not evaluated look answers up, too. */
  readonly part?: boolean;
}

export class AskedCalls {
  readonly #rows: LogicalPlan;
  readonly #part: boolean;
  readonly #calls: AskedCall[] = [];
  readonly #evaluation: LazyEvaluation;

  /** @param expressions as `cheapFirst` has them; each is evaluated for every row of `rows` */
  constructor(rows: LogicalPlan, expressions: readonly Expression[], options: AskedCallsOptions) {
    this.#rows = rows;
    this.#part = options.part ?? false;
    this.#evaluation = new LazyEvaluation(expressions, {
      explore: options.explore,
      answering: (call) => this.of(call),
    });
  }

  /** Equal calls are one. */
  of(call: AskCall): AskedCall {
    let known = this.#calls.find((one) => equalExpressions(one.call, call));
    if (known === undefined) {
      known = new AskedCall(call, columnsOf(this.#rows), this.#part);
      this.#calls.push(known);
    }
    return known;
  }

  /** Those that wait for answers. */
  get open(): readonly AskedCall[] {
    return this.#calls.filter((one) => one.open.size > 0);
  }

  /** Whether every open question is needed. */
  get certain(): boolean {
    return this.#calls.every((one) => one.certain);
  }

  /** The distinct rows of what the expressions are evaluated from. */
  async rows(run: RunPlan): Promise<Rows> {
    const { inputs } = this.#evaluation;
    // Where all is literal there is still one evaluation a row.
    const expressions: readonly Expression[] =
      inputs.length > 0 ? inputs : [{ kind: 'literal', value: true, type: 'boolean' }];
    const columns = expressions.map((expression, i) => freshColumn(`input ${i}`, expression.type));
    return run({ kind: 'distinct', input: { kind: 'project', input: this.#rows, columns, expressions } });
  }

  /** @returns the rows that wait for an answer */
  evaluate(rows: Rows): Rows {
    return rows.filter((row) => {
      const complete = this.#evaluation.run(row);
      for (const one of this.#calls) one.endRow(complete);
      return !complete;
    });
  }
}
