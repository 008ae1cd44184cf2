/** What the tests of `ask` share: a model that computes its answers, and plans run by the reference model. */
import type { Column, Expression } from '../../../engine/plan/expression.js';
import { columnsOf, type LogicalPlan } from '../../../engine/plan/plan.js';
import type { Table } from '../../../engine/table/table.js';
import type { Value } from '../../../engine/value/value.js';
import { valueAt } from '../../../engine/value/vector.js';
import { type Polynomial, Polynomials, token } from '../../../semiring/polynomial/polynomial.js';
import type { Model } from '../../../udf/model/model.js';
import { answer } from '../../engine/reference.js';
import type { Base } from '../../engine/reference-relation.js';

/** What a model is asked, read back from the prompt. */
export interface Asked {
  readonly question: string;
  /** By name, in order. */
  readonly inputs: ReadonlyMap<string, unknown>;
}

export interface ComputingModel extends Model {
  readonly asked: readonly Asked[];
}

/** Answers with `compute` of what it is asked. */
export function computingModel(compute: (asked: Asked) => unknown, name = 'computing'): ComputingModel {
  const asked: Asked[] = [];
  return {
    name,
    asked,
    async complete({ messages }) {
      const last = messages[messages.length - 1];
      const [question, ...lines] = last.role === 'user' ? last.text.split('\n') : [''];
      const frames = lines
        .filter((_, i) => i % 3 === 1)
        .map((line) => JSON.parse(line) as { name: string; value: unknown });
      const one = {
        question: JSON.parse(question.slice('Question: '.length)) as string,
        inputs: new Map(frames.map((frame) => [frame.name, frame.value])),
      };
      asked.push(one);
      return {
        message: { role: 'assistant', text: JSON.stringify({ answer: compute(one) }), toolCalls: [] },
        usage: { calls: 1, inputTokens: 10, outputTokens: 2 },
        finish: 'stop',
      };
    },
  };
}

/** A table of the engine as the reference model reads it. */
export function baseOfTable<K>(one: K, valuation: (token: number) => K): (table: Table) => Base<K> {
  return (table) => ({
    rows: Array.from({ length: table.rowCount }, (_, row) => ({
      values: table.columns.map((_, column) => valueAt(table.vector(column), row)),
      token: valuation(table.rowToken(row)),
      cells: table.columns.map((_, column) => {
        const cell = table.cellToken(column, row);
        return cell === undefined ? one : valuation(cell);
      }),
    })),
    membership: table.membership === undefined ? one : valuation(table.membership),
  });
}

export interface PolynomialRow {
  readonly values: readonly Value[];
  /** ann · prov of each cell */
  readonly cells: readonly Polynomial[];
  readonly annotation: Polynomial;
}

export function polynomialRows(plan: LogicalPlan): PolynomialRow[] {
  const base = baseOfTable(Polynomials.one, token);
  const { rows } = answer(plan, {
    semiring: Polynomials,
    dependency: false,
    keep: 'present',
    parameters: [],
    base,
  });
  return rows.map(({ values, ann, prov }) => ({
    values,
    annotation: ann,
    cells: prov.map((cell) => Polynomials.times(ann, cell)),
  }));
}

/** Values only. */
export function runReference(plan: LogicalPlan): readonly (readonly Value[])[] {
  return polynomialRows(plan).map((row) => row.values);
}

export function column(plan: LogicalPlan, name: string): Expression & { kind: 'column' } {
  const found: Column | undefined = columnsOf(plan).find((one) => one.name === name);
  if (found === undefined) throw new Error(`no column ${name}`);
  return { kind: 'column', id: found.id, type: found.type };
}

export function text(value: string): Expression {
  return { kind: 'literal', value, type: 'text' };
}
