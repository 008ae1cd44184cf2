/**
 * An answer together with what its tokens mean. The one thing to know: `annotate` needs no valuation here,
 * since the database has one for every semiring; the engine's own {@link Relation} is underneath.
 */

import type { Reading, Relation } from '../../engine/answer/relation.js';
import type { Tensor } from '../../engine/answer/tensor.js';
import type { BufferPool } from '../../engine/memory/pool.js';
import type { Column } from '../../engine/plan/expression.js';
import type { LogicalPlan } from '../../engine/plan/plan.js';
import type { ExpandedPolynomial } from '../../engine/provenance/polynomial-at.js';
import type { ReadOptions } from '../../engine/provenance/read.js';
import type { Token, Tokens } from '../../engine/provenance/token.js';
import type { Table } from '../../engine/table/table.js';
import type { Value } from '../../engine/value/value.js';
import {
  type CompileOptions,
  type Formula,
  type Polynomial,
  probability,
  type Semiring,
  shapley,
  showPolynomial,
  Viterbi,
} from '../../semiring/index.js';
import { AssayError } from '../../semiring/message/error.js';
import { difference, type RowChange } from './difference.js';
import type { Valuations } from './valuations.js';
import { type PlanProof, planProof } from './why/plan-proof.js';
import { type Proof, type ProofOptions, proofOf, showProof } from './why/proof.js';
import { showPlanProof } from './why/show-plan-proof.js';
import type { Tuple } from './why/wanted-tuple.js';
import type { PlacedWhyNot } from './why/why-not.js';

export interface ResultContext {
  readonly valuations: Valuations;
  readonly tokens: Tokens;
  readonly tables: readonly Table[];
}

/** Why a row is in an answer: its proof from the row down to base rows. */
export interface RowProof {
  readonly proof: Proof;
  /** The proof as indented lines. */
  readonly text: string;
  /**
   * The same by the operators of the plan: which rows each one made the row from. Runs the parts of the plan
   * anew when it is asked for. Absent where the answer comes from no plan.
   */
  readonly operators?: { readonly proof: PlanProof; readonly text: string };
}

/** The plan that an answer came from. */
export interface Origin {
  /** Over the state of the tables that the answer was made from. */
  readonly plan?: LogicalPlan;
  readonly whyNot: (tuple: Tuple) => Promise<PlacedWhyNot>;
  /** The query once more over the same state, without these tokens. */
  readonly without: (tokens: Iterable<Token>, signal?: AbortSignal) => Promise<Result>;
  /** What was not there when the plan ran. */
  readonly isDeleted?: (token: Token) => boolean;
  readonly parameters: readonly Value[];
  readonly pool: BufferPool;
}

export class Result {
  readonly relation: Relation;
  readonly #context: ResultContext;
  readonly #origin: Origin | undefined;

  constructor(relation: Relation, context: ResultContext, origin?: Origin) {
    this.relation = relation;
    this.#context = context;
    this.#origin = origin;
  }

  get columns(): readonly Column[] {
    return this.relation.columns;
  }

  get rowCount(): number {
    return this.relation.rowCount;
  }

  /** Values by column, external: dates as ISO text, whole numbers as number or bigint. */
  row(row: number): unknown[] {
    return this.relation.row(row);
  }

  rows(): unknown[][] {
    return this.relation.rows();
  }

  objects(): Record<string, unknown>[] {
    return this.relation.objects();
  }

  [Symbol.iterator](): Iterator<unknown[]> {
    return this.relation[Symbol.iterator]();
  }

  /**
   * Every row's annotation in a semiring.
   * @param valuation default: what the database says its tokens mean
   * @param options `limit`: how big a value may get in a semiring whose values grow
   * @throws SemiringError `semiring/not-a-semiring`, `semiring/not-in-carrier`, `semiring/no-monus`,
   *   `semiring/no-delta`
   * @throws ReadingLimitError `engine/reading-limit`; {@link expand} shows the beginning of such a row
   */
  annotate<K>(
    semiring: Semiring<K>,
    valuation?: (token: Token) => K,
    options?: Pick<ReadOptions, 'limit'>,
  ): Reading<K> {
    return this.relation.annotate(
      semiring,
      valuation ?? this.#context.valuations.of(semiring, options),
      options,
    );
  }

  /**
   * ann · prov of a column's cells: what a policy reads. @param column its number or its name @throws as
   * {@link annotate}
   */
  annotateCell<K>(
    column: number | string,
    semiring: Semiring<K>,
    valuation?: (token: Token) => K,
    options?: Pick<ReadOptions, 'limit'>,
  ): Reading<K> {
    const index = typeof column === 'number' ? column : this.relation.columnIndex(column);
    const worth = valuation ?? this.#context.valuations.of(semiring, options);
    return this.relation.annotateCell(index, semiring, worth, options);
  }

  /**
   * One row's polynomial in N[X], tokens that stand for other rows expanded.
   * @throws AssayError `engine/long-polynomial` past a million monomials; see {@link expand}
   */
  polynomial(row: number): Polynomial {
    return this.relation.polynomial(row, this.#context.valuations.expansion);
  }

  /** The same, cut after `limit` monomials (10,000 by default), with its size. */
  expand(row: number, limit?: number): ExpandedPolynomial {
    return this.relation.expand(row, limit, this.#context.valuations.expansion);
  }

  /**
   * The polynomial as text, with the tokens' names.
   * @param options `limit`: how many monomials are shown, 100 by default; how many there are besides is
   *   always said
   */
  showPolynomial(row: number, { limit = 100 }: { readonly limit?: number } = {}): string {
    const { polynomial, cut, derivations } = this.expand(row, Math.min(1_000_000, Math.max(10_000, limit)));
    const nameOf = (token: Token): string => this.#context.tokens.nameOf(token);
    if (!cut) return showPolynomial(polynomial, nameOf, { limit });
    const shown = showPolynomial(polynomial.slice(0, limit), nameOf, { limit });
    if (derivations <= polynomial.length) return `${shown} … (cut inside δ or ∸)`;
    return `${shown} + … up to ${derivations.toLocaleString('en-US')} monomials in all`;
  }

  /**
   * The row's annotation as the query built it, not multiplied out, tokens that stand for other rows
   * expanded.
   */
  formula(row: number): Formula {
    return this.relation.formula(row, this.#context.valuations.expansion);
  }

  /**
   * The probability that the row is there, where each token is there independently of the others. Exact, by
   * knowledge compilation of the row's formula: how long it takes depends on how entangled the row is, not on
   * how many derivations it has.
   * @param of the probability of each token; default: its value in Viterbi, as `db.value(Viterbi, tokens,
   *   0.3)` sets it, and 1 where it has none
   * @throws SemiringError `semiring/compile-limit`, `semiring/not-a-probability`
   */
  probability(row: number, of?: (token: Token) => number, options?: CompileOptions): number {
    return probability(this.formula(row), of ?? this.#context.valuations.own(Viterbi), options);
  }

  /**
   * How much each token contributes to the row being there: its Shapley value, by token.
   * @param options `certain`: tokens that are there in any case, and have no part in it
   * @throws SemiringError `semiring/compile-limit`
   */
  shapley(row: number, options?: CompileOptions): ReadonlyMap<Token, number> {
    return shapley(this.formula(row), options);
  }

  /** Why the row is there: a tree from the row's annotation down to base rows. */
  why(row: number, options?: ProofOptions): RowProof {
    this.relation.checkRow(row);
    const { tables, tokens } = this.#context;
    const proof = proofOf(this.relation.annotation, row, tables, tokens, options);
    const text = showProof(proof);
    const origin = this.#origin;
    const plan = origin?.plan;
    if (!origin || !plan) return { proof, text };
    const { mostParts } = options ?? {};
    return {
      proof,
      text,
      get operators() {
        const byPlan = planProof(plan, row, { ...origin, tokens, mostParts });
        return { proof: byPlan, text: showPlanProof(byPlan) };
      },
    };
  }

  /**
   * Why a row is not in this answer: the operator that lost it, with its place in the SQL. Rows that came
   * into the tables since are not looked at.
   * @param tuple values by column name (others may be anything), or one for each column (`undefined`:
   *   anything)
   * @throws AssayError `query/no-plan` where the answer comes from no query; `query/unknown-column`,
   *   `query/ambiguous-column`, `query/row-length`, `query/parameter`
   */
  async whyNot(tuple: Tuple): Promise<PlacedWhyNot> {
    if (this.#origin) return this.#origin.whyNot(tuple);
    throw new AssayError('query/no-plan', 'this answer comes from no query');
  }

  /**
   * The answer as it would be if these rows had never been in their tables: the query is run again over the
   * state that this answer was made from, so it is exact whatever the query does (HAVING, NOT EXISTS, LIMIT,
   * subqueries). Nothing is deleted.
   *
   * A row that INSERT … SELECT or CREATE TABLE AS made is there as long as one of its derivations is and its
   * own token is not among those deleted; what it says stays as it was stored. A cell's token makes that cell
   * NULL. What a model has answered is not asked again while the answer is kept (by default as long as the
   * database is open); a row that comes in may need a new one. `without` of such an answer deletes more.
   * @throws AssayError `engine/unknown-token`; `query/no-row-token` for tokens that stand for no row or cell
   *   (a table's membership, a model's answer); `query/no-plan` where the answer comes from no query
   */
  async without(
    tokens: Token | Iterable<Token>,
    { signal }: { readonly signal?: AbortSignal } = {},
  ): Promise<Result> {
    const deleted = typeof tokens === 'number' ? [tokens] : tokens;
    if (this.#origin) return this.#origin.without(deleted, signal);
    throw new AssayError('query/no-plan', 'this answer comes from no query');
  }

  /**
   * What becomes of each row in another answer of the same query, as {@link without} gives it: the rows of
   * this one in their order, then those that come. Two rows are one where they say the same, or differ only
   * in columns whose values a deletion can change (aggregates, subqueries, the missing side of an outer
   * join).
   * @throws AssayError `query/no-plan` where this answer comes from no query, or has rows that are only
   *   possible
   */
  difference(after: Result): readonly RowChange[] {
    const plan = this.#origin?.plan;
    if (plan) return difference(this.relation, after.relation, plan, after.#origin?.isDeleted);
    throw new AssayError(
      'query/no-plan',
      'this answer comes from no query, or was run with { keep: "possible" }',
    );
  }

  /**
   * How an aggregate's value came about: Σ ann ⊗ value over its group, tokens that stand for other rows
   * expanded. `without` of it values the aggregate without some rows, from what the answer keeps.
   * @param column its number or its name
   * @throws AssayError `engine/unknown-column`, `engine/no-row`; `engine/no-tensor` where the column is not
   *   an aggregate as it came out of its group
   */
  tensor(column: number | string, row: number): Tensor {
    const index = typeof column === 'number' ? column : this.relation.columnIndex(column);
    const { valuations } = this.#context;
    return this.relation.tensor(index, row, {
      expansion: valuations.expansion,
      remaining: (deleted) => valuations.remaining(deleted),
    });
  }

  /**
   * The tensor as text, with the tokens' names: `10 ⊗ orders[1] + 20 ⊗ orders[3]`.
   * @param options `limit`: how many terms are shown, and monomials of each, 100 by default; how many there
   *   are besides is always said
   * @throws as {@link tensor}
   */
  showTensor(
    column: number | string,
    row: number,
    { limit = 100 }: { readonly limit?: number } = {},
  ): string {
    return this.tensor(column, row).show((token) => this.#context.tokens.nameOf(token), limit);
  }

  /** Gives the buffers back; the result must not be used after. */
  release(): void {
    this.relation.release();
  }
}
