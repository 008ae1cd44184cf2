/**
 * Why a row is there, operator by operator: which rows of its inputs each operator of the plan made it from,
 * down to rows of base tables. The plan's parts are run once more, each on its own, and a row is found again
 * by its place where the operator keeps the order of its input, else by its values and its tokens.
 */

import type { Relation } from '../../../engine/answer/relation.js';
import { execute } from '../../../engine/execute.js';
import type { BufferPool } from '../../../engine/memory/pool.js';
import { keyOf } from '../../../engine/operators/compare.js';
import { freshColumn } from '../../../engine/plan/expression.js';
import { columnsOf, type Join, type LogicalPlan, type Scan } from '../../../engine/plan/plan.js';
import { read } from '../../../engine/provenance/read.js';
import { slice } from '../../../engine/provenance/slice.js';
import type { Token, Tokens } from '../../../engine/provenance/token.js';
import type { Value } from '../../../engine/value/value.js';
import { Lin } from '../../../semiring/index.js';
import { detailsOf, operatorOf } from '../explain.js';
import { type ColumnNames, columnNames } from '../show-expression.js';

export interface PlanProof {
  /** As EXPLAIN has it: `scan`, `inner join`, `aggregate`, … */
  readonly operator: string;
  readonly details: string;
  /** The row that the operator put out, external. */
  readonly values: readonly unknown[];
  /** Of a scan: the table, the row from 0, and the row's token by name. */
  readonly fact?: { readonly table: string; readonly row: number; readonly name: string };
  readonly inputs: readonly PlanProof[];
  /** Input rows left out. */
  readonly more: number;
}

export interface PlanProofContext {
  readonly tokens: Tokens;
  readonly parameters: readonly Value[];
  readonly pool: BufferPool;
  /** The rows that were not there when the plan ran. */
  readonly isDeleted?: (token: Token) => boolean;
  /** Input rows shown of one operator. Default 20. */
  readonly mostParts?: number;
}

/** @param row of the plan's answer, from 0 */
export function planProof(plan: LogicalPlan, row: number, context: PlanProofContext): PlanProof {
  const prover = new Prover(plan, context);
  try {
    return prover.prove(plan, row);
  } finally {
    prover.release();
  }
}

/** Rows of an input, by number. */
interface Sources {
  readonly input: LogicalPlan;
  readonly rows: readonly number[];
}

/** Equal rows of a side that are told apart by their tokens. */
const mostEqual = 50;

/** In all, so that a proof stays readable and is soon made. */
const mostNodes = 500;

class Prover {
  readonly #context: PlanProofContext;
  readonly #names: ColumnNames;
  readonly #relations = new Map<LogicalPlan, Relation>();
  #nodes = 0;

  constructor(plan: LogicalPlan, context: PlanProofContext) {
    this.#context = context;
    this.#names = columnNames(plan);
  }

  prove(plan: LogicalPlan, row: number): PlanProof {
    this.#nodes += 1;
    const relation = this.#relation(plan);
    const most = this.#context.mostParts ?? 20;
    const inputs: PlanProof[] = [];
    let more = 0;
    for (const { input, rows } of this.#sources(plan, row)) {
      for (const [i, source] of rows.entries()) {
        if (i < most && this.#nodes < mostNodes) inputs.push(this.prove(input, source));
        else more += 1;
      }
    }
    return {
      operator: operatorOf(plan),
      details: detailsOf(plan, this.#names),
      values: relation.row(row),
      ...(plan.kind === 'scan' ? { fact: this.#fact(plan, row) } : {}),
      inputs,
      more,
    };
  }

  /** The row that a scan put out as its number `row`. */
  #fact({ table }: Scan, row: number): NonNullable<PlanProof['fact']> {
    const { tokens, isDeleted } = this.#context;
    let at = row;
    if (isDeleted !== undefined) {
      at = -1;
      for (let left = row; left >= 0; left -= isDeleted(table.rowToken(at)) ? 0 : 1) at += 1;
    }
    return { table: table.name, row: at, name: tokens.nameOf(table.rowToken(at)) };
  }

  release(): void {
    for (const relation of this.#relations.values()) relation.release();
    this.#relations.clear();
  }

  #relation(plan: LogicalPlan): Relation {
    let relation = this.#relations.get(plan);
    if (!relation) {
      const { parameters, pool, isDeleted } = this.#context;
      relation = execute(plan, { parameters, pool, isDeleted });
      this.#relations.set(plan, relation);
    }
    return relation;
  }

  #sources(plan: LogicalPlan, row: number): readonly Sources[] {
    switch (plan.kind) {
      case 'scan':
      case 'values':
        return [];
      case 'project':
        return [{ input: plan.input, rows: [row] }];
      case 'filter':
      case 'sort':
        return [{ input: plan.input, rows: this.#sameTurn(plan, plan.input, row) }];
      case 'limit':
        return [{ input: plan.input, rows: this.#alike(plan, row, plan.input).slice(0, 1) }];
      case 'singleRow':
        return [{ input: plan.input, rows: this.#alike(plan, row, plan.input).slice(0, 1) }];
      case 'distinct':
        return [{ input: plan.input, rows: this.#equal(plan.input, this.#valuesOf(plan, row)) }];
      case 'union': {
        let at = row;
        for (const input of plan.inputs) {
          const { rowCount } = this.#relation(input);
          if (at < rowCount) return [{ input, rows: [at] }];
          at -= rowCount;
        }
        return [];
      }
      case 'except':
        return [{ input: plan.left, rows: this.#equal(plan.left, this.#valuesOf(plan, row)) }];
      case 'intersect':
        return [plan.left, plan.right].map((input) => ({
          input,
          rows: this.#equal(input, this.#valuesOf(plan, row)),
        }));
      case 'aggregate': {
        // A projection keeps its input's rows and their order, so its rows' numbers are the input's.
        const keys = plan.keys.map((key) => key.expression);
        const columns = keys.map((key) => freshColumn('key', key.type));
        const projected: LogicalPlan = { kind: 'project', input: plan.input, columns, expressions: keys };
        const values = this.#valuesOf(plan, row).slice(0, keys.length);
        return [{ input: plan.input, rows: this.#equal(projected, values) }];
      }
      case 'join':
        if (plan.lookup) return this.#lookup(plan, row);
        return plan.type === 'semi' || plan.type === 'anti'
          ? this.#sourcesOfSemi(plan, row)
          : this.#sides(plan.left, plan.right, plan, row);
      case 'contains':
        return this.#sides(plan.left, plan.right, plan, row);
    }
  }

  /** One row of each side; of an outer join maybe of one side only. */
  #sides(left: LogicalPlan, right: LogicalPlan, plan: LogicalPlan, row: number): readonly Sources[] {
    const lefts = this.#alike(plan, row, left);
    const rights = this.#alike(plan, row, right);
    const pair = (l: readonly number[], r: readonly number[]): readonly Sources[] => [
      { input: left, rows: l.slice(0, 1) },
      { input: right, rows: r.slice(0, 1) },
    ];
    if (lefts.length * rights.length < 2) return pair(lefts, rights);
    // Equal rows: the pair that has, together, the most of the row's tokens.
    let best = pair(lefts, rights);
    let most = -1;
    for (const l of lefts.slice(0, mostEqual)) {
      const tokens = this.#tokensOf(left, l);
      for (const r of rights.slice(0, mostEqual)) {
        const { size } = new Set([...tokens, ...this.#tokensOf(right, r)]);
        if (size <= most) continue;
        most = size;
        best = pair([l], [r]);
      }
    }
    return best;
  }

  /** The partner's tokens are in the cells only. */
  #lookup(plan: Join, row: number): readonly Sources[] {
    const width = columnsOf(plan.left).length;
    const [left] = this.#sides(plan.left, plan.right, plan, row);
    const looked = this.#equal(plan.right, this.#valuesOf(plan, row).slice(width));
    return [left, { input: plan.right, rows: looked.slice(0, 1) }];
  }

  /** The left row, and for EXISTS its partners. */
  #sourcesOfSemi(plan: Join, row: number): readonly Sources[] {
    const left = { input: plan.left, rows: this.#alike(plan, row, plan.left).slice(0, 1) };
    if (plan.type === 'anti' || left.rows.length === 0) return [left];
    const known = columnsOf(plan.left);
    const values = this.#valuesOf(plan, row);
    const { on, ...shape } = plan;
    const pairs: LogicalPlan = { ...shape, type: 'inner', ...(on ? { on } : {}) };
    const partners = this.#relation(pairs);
    const tokens = this.#tokensOf(plan, row);
    const found = new Set<number>();
    for (let pair = 0; pair < partners.rowCount; pair++) {
      if (!known.every((_, c) => Object.is(keyOf(partners.value(c, pair)), keyOf(values[c])))) continue;
      for (const source of this.#sides(plan.left, plan.right, pairs, pair)[1].rows)
        if (this.#within(plan.right, source, tokens)) found.add(source);
    }
    return [left, { input: plan.right, rows: [...found] }];
  }

  #valuesOf(plan: LogicalPlan, row: number): readonly Value[] {
    const relation = this.#relation(plan);
    return relation.columns.map((_, column) => relation.value(column, row));
  }

  /** The input's rows with these values, by position. */
  #equal(input: LogicalPlan, values: readonly Value[]): readonly number[] {
    return this.#matching(
      input,
      values.map((value, column) => [column, value] as const),
    );
  }

  #matching(input: LogicalPlan, wanted: readonly (readonly [number, Value])[]): readonly number[] {
    const relation = this.#relation(input);
    const keys = wanted.map(([column, value]) => [column, keyOf(value)] as const);
    const found: number[] = [];
    for (let row = 0; row < relation.rowCount; row++)
      if (keys.every(([column, key]) => Object.is(keyOf(relation.value(column, row)), key))) found.push(row);
    return found;
  }

  /**
   * The input's rows that agree in the columns that both have and whose tokens the row has, too: those with
   * most of them first.
   */
  #alike(plan: LogicalPlan, row: number, input: LogicalPlan): readonly number[] {
    const values = this.#valuesOf(plan, row);
    const place = new Map(columnsOf(plan).map((column, i) => [column.id, i]));
    const wanted = columnsOf(input).flatMap((column, i) => {
      const at = place.get(column.id);
      return at === undefined ? [] : [[i, values[at]] as const];
    });
    const rows = this.#matching(input, wanted);
    const tokens = this.#tokensOf(plan, row);
    const within = rows.filter((candidate) => this.#within(input, candidate, tokens));
    if (within.length < 2) return within;
    const sizes = new Map(within.map((candidate) => [candidate, this.#tokensOf(input, candidate).size]));
    return within.sort((a, b) => (sizes.get(b) ?? 0) - (sizes.get(a) ?? 0));
  }

  /** Where equal rows stay in order: the first of the equal ones is the first, the second the second. */
  #sameTurn(plan: LogicalPlan, input: LogicalPlan, row: number): readonly number[] {
    const values = this.#valuesOf(plan, row);
    const turn = this.#equal(plan, values).indexOf(row);
    return this.#equal(input, values).slice(turn, turn + 1);
  }

  #within(input: LogicalPlan, row: number, tokens: ReadonlySet<Token>): boolean {
    for (const token of this.#tokensOf(input, row)) if (!tokens.has(token)) return false;
    return true;
  }

  #tokensOf(plan: LogicalPlan, row: number): ReadonlySet<Token> {
    const node = slice(this.#relation(plan).annotation, [row]);
    return new Set(read(node, lineage, (token) => [token]).at(0) ?? []);
  }
}

/** The tokens of what a row was made from; what a difference took away is no part of it. */
const lineage: typeof Lin = { ...Lin, monus: (kept) => kept };
