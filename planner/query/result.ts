/**
 * An answer together with what its tokens mean. The one thing to know: `annotate` needs no valuation here, since the
 * database has one for every semiring; the engine's own {@link Relation} is underneath.
 */
import type { Column } from '../../engine/expression.js';
import type { LogicalPlan } from '../../engine/plan.js';
import type { BufferPool } from '../../engine/pool.js';
import { read } from '../../engine/read.js';
import type { Reading, Relation } from '../../engine/relation.js';
import { slice } from '../../engine/slice.js';
import type { Table } from '../../engine/table.js';
import type { Token, Tokens } from '../../engine/token.js';
import type { Value } from '../../engine/value.js';
import { type Polynomial, Polynomials, type Semiring, showPolynomial } from '../../semiring/index.js';
import { type PlanProof, planProof } from './plan-proof.js';
import { type Proof, type ProofOptions, proofOf, showProof } from './proof.js';
import { showPlanProof } from './show-plan-proof.js';
import type { Valuations } from './valuations.js';

export interface ResultContext {
  readonly valuations: Valuations;
  readonly tokens: Tokens;
  readonly tables: readonly Table[];
}

export interface Why {
  readonly proof: Proof;
  /** The proof as indented lines. */
  readonly text: string;
  /**
   * The same by the operators of the plan: which rows each one made the row from. Runs the parts of the plan anew when
   * it is asked for. Absent where the answer comes from no plan.
   */
  readonly operators?: { readonly proof: PlanProof; readonly text: string };
}

/** The plan that an answer came from. */
export interface Origin {
  readonly plan: LogicalPlan;
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

  /** Every row's annotation in a semiring. @param valuation default: what the database says its tokens mean */
  annotate<K>(semiring: Semiring<K>, valuation?: (token: Token) => K): Reading<K> {
    return this.relation.annotate(semiring, valuation ?? this.#context.valuations.of(semiring));
  }

  /** ann · prov of a column's cells: what a policy reads. @param column its number or its name */
  annotateCell<K>(
    column: number | string,
    semiring: Semiring<K>,
    valuation?: (token: Token) => K,
  ): Reading<K> {
    const index = typeof column === 'number' ? column : this.relation.columnIndex(column);
    return this.relation.annotateCell(index, semiring, valuation ?? this.#context.valuations.of(semiring));
  }

  /** One row's polynomial in N[X], tokens that stand for other rows expanded. */
  polynomial(row: number): Polynomial {
    const { valuations } = this.#context;
    if (!valuations.hasDefinitions) return this.relation.polynomial(row);
    return read(slice(this.relation.annotation, [row]), Polynomials, valuations.of(Polynomials)).at(0);
  }

  /** The polynomial as text, with the tokens' names. */
  showPolynomial(row: number): string {
    return showPolynomial(this.polynomial(row), (token) => this.#context.tokens.nameOf(token));
  }

  /** Why the row is there: a tree from the row's annotation down to base rows. */
  why(row: number, options?: ProofOptions): Why {
    const { tables, tokens } = this.#context;
    const proof = proofOf(this.relation.annotation, row, tables, tokens, options);
    const text = showProof(proof);
    const origin = this.#origin;
    if (!origin) return { proof, text };
    const { mostParts } = options ?? {};
    return {
      proof,
      text,
      get operators() {
        const byPlan = planProof(origin.plan, row, { ...origin, tokens, mostParts });
        return { proof: byPlan, text: showPlanProof(byPlan) };
      },
    };
  }

  /** Gives the buffers back; the result must not be used after. */
  release(): void {
    this.relation.release();
  }
}
