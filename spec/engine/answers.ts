/**
 * One form for answers, whoever gave them: the engine or the reference model. Values are external (dates as
 * ISO text), `cells` hold what a policy reads, ann · prov.
 */

import type { Relation } from '../../engine/answer/relation.js';
import { execute } from '../../engine/execute.js';
import { columnsOf, type LogicalPlan } from '../../engine/plan/plan.js';
import type { Token } from '../../engine/provenance/token.js';
import type { Table } from '../../engine/table/table.js';
import { external } from '../../engine/value/external.js';
import type { Value } from '../../engine/value/value.js';
import type { Semiring } from '../../semiring/contract/semiring.js';
import { runs as times } from '../runs.js';
import { PoisonedPool } from './poisoned-pool.js';
import { answer } from './reference.js';
import type { Base } from './reference-relation.js';

export interface AnswerRow<K> {
  readonly values: readonly unknown[];
  readonly ann: K;
  readonly cells: readonly K[];
}

export type Keep = 'present' | 'possible';

/** How often a property runs, as fast-check takes it. */
export function runs(full: number, everyday = full): { readonly numRuns: number } {
  return { numRuns: times(full, everyday) };
}

export function modelAnswer<K>(
  plan: LogicalPlan,
  base: (table: Table) => Base<K>,
  semiring: Semiring<K>,
  keep: Keep = 'present',
  parameters: readonly Value[] = [],
): AnswerRow<K>[] {
  const dependency = semiring.reads === 'dependency';
  const { rows } = answer(plan, { semiring, dependency, keep, parameters, base });
  const columns = columnsOf(plan);
  return rows.map(({ values, ann, prov }) => ({
    values: values.map((value, i) => external(value, columns[i].type)),
    ann,
    cells: prov.map((cell) => semiring.times(ann, cell)),
  }));
}

export function engineAnswer<K>(
  plan: LogicalPlan,
  valuation: (token: Token) => K,
  semiring: Semiring<K>,
  keep: Keep = 'present',
  parameters: readonly Value[] = [],
): AnswerRow<K>[] {
  const relation = execute(plan, { keep, parameters, pool: new PoisonedPool() });
  const rows = annotatedRows(relation, valuation, semiring);
  relation.release();
  return rows;
}

export function annotatedRows<K>(
  relation: Relation,
  valuation: (token: Token) => K,
  semiring: Semiring<K>,
): AnswerRow<K>[] {
  const annotations = relation.annotate(semiring, valuation);
  const cells = relation.columns.map((_, column) => relation.annotateCell(column, semiring, valuation));
  return relation.rows().map((values, row) => ({
    values,
    ann: annotations.at(row),
    cells: cells.map((reading) => reading.at(row)),
  }));
}

/** Text for values, in which a big integer, -0 and NULL are told apart and equal values are equal. */
export function showValues(values: readonly unknown[]): string {
  return JSON.stringify(values, (_, value: unknown) =>
    typeof value === 'bigint'
      ? `bigint ${value}`
      : typeof value === 'number' && !Number.isFinite(value)
        ? `number ${value}`
        : Object.is(value, -0)
          ? 0
          : value,
  );
}
