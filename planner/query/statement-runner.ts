/**
 * Runs statements: bind → plan → ask → execute. What a statement changes (tables, and what the tokens of new
 * rows mean) is changed here and nowhere else.
 */

import type { Relation } from '../../engine/answer/relation.js';
import { type ExecuteOptions, execute, executeAsync, type OperatorStatistics } from '../../engine/execute.js';
import type { LogicalPlan } from '../../engine/plan/plan.js';
import type { Token } from '../../engine/provenance/token.js';
import {
  type BoundQuery,
  bindStatement,
  type FunctionCatalog,
  inParentheses,
  type ParsedStatement,
  parseSql,
  SqlError,
  type SqlSource,
  type Statement,
} from '../../engine/sql/index.js';
import type { Catalog } from '../../engine/table/catalog.js';
import { Table } from '../../engine/table/table.js';
import type { Value } from '../../engine/value/value.js';
import { AssayError } from '../../semiring/message/error.js';
import { visibleText } from '../../semiring/message/visible-text.js';
import { type AskFunctions, runByEngine, showEstimate } from '../../udf/ask/index.js';
import { decorrelate, type Origins } from './decorrelate/decorrelate.js';
import { UnsupportedSubquery } from './decorrelate/unsupported-subquery.js';
import { checkAnswersStay, deletionOf } from './deletion.js';
import { appendRows, defineRows, tableOf } from './derive.js';
import type { DroppedTables } from './dropped-tables.js';
import { type Explanation, explain } from './explain.js';
import { type OptimizedPlan, optimize } from './optimize/optimize.js';
import type { TypedParameters } from './parameters.js';
import type { SubqueryText } from './show-expression.js';
import { asOf, type Snapshot, snapshotOf, tablesOf } from './snapshot.js';
import type { Valuations } from './valuations.js';
import { allOf } from './why/dependence.js';
import { type Tuple, wantedTuple } from './why/wanted-tuple.js';
import { type PlacedWhyNot, type WhyNot, whyNot } from './why/why-not.js';

export interface RunOptions extends Pick<ExecuteOptions, 'capture' | 'keep' | 'signal'> {
  /** Of a query only: run it as if these rows and cells had been deleted, as `without` of its answer does. */
  readonly without?: Iterable<Token>;
}

/** The answer of a query, and what can be asked of it later. */
export interface Answered {
  readonly kind: 'rows';
  readonly relation: Relation;
  /** Absent where rows are in the answer that are only possible. */
  readonly plan?: LogicalPlan;
  readonly parameters: readonly Value[];
  /** What was not there. */
  readonly isDeleted?: (token: Token) => boolean;
  /** Why a row is not in the answer, of the state that it was made from. */
  readonly whyNot: (tuple: Tuple) => Promise<PlacedWhyNot>;
  /** The query over the same state once more, without these tokens too. */
  readonly without: (tokens: Iterable<Token>, signal?: AbortSignal) => Promise<Answered>;
}

/** What one statement did; of a query, the plan that ran and its answer. */
export type Done =
  | Answered
  | { readonly kind: 'explained'; readonly explanation: Explanation }
  | { readonly kind: 'inserted'; readonly table: string; readonly rows: number }
  | { readonly kind: 'created'; readonly table: string; readonly rows: number }
  /** IF NOT EXISTS: there was a table of this name, whatever its columns, and nothing has changed. */
  | { readonly kind: 'existed'; readonly table: string; readonly notice: string }
  | { readonly kind: 'dropped'; readonly tables: readonly string[] };

/**
 * A query that is ready to run, over one state of the tables; again and again, without some of their rows.
 */
export interface PlannedQuery {
  readonly query: BoundQuery;
  /** Over the state of the snapshot; calls of the model are in it still. */
  readonly optimized: LogicalPlan;
  readonly snapshot: Snapshot;
  readonly parameters: readonly Value[];
  readonly source?: SqlSource;
}

interface Deletion {
  readonly plan: LogicalPlan;
  readonly deleted: ReadonlySet<Token>;
  readonly isDeleted: ((token: Token) => boolean) | undefined;
}

/** The parts of a database that statements read and change. */
export interface Surroundings {
  readonly catalog: Catalog;
  readonly functions: FunctionCatalog;
  /** Those of `functions` that every database has. */
  readonly fixedFunctions: FunctionCatalog;
  readonly valuations: Valuations;
  readonly dropped: DroppedTables;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  /** Answers `ask`, where there is a model. */
  readonly asks: () => AskFunctions | undefined;
}

export class StatementRunner {
  readonly #around: Surroundings;

  constructor(around: Surroundings) {
    this.#around = around;
  }

  /** The only statement of a text, bound. @throws AssayError `query/one-statement` */
  async bindOne(sql: string, parameters: TypedParameters): Promise<Statement> {
    const statements = await parseSql(sql);
    if (statements.length !== 1)
      throw new AssayError('query/one-statement', `one statement is needed, not ${statements.length}`);
    return this.#bind(statements[0], parameters);
  }

  #bind(parsed: ParsedStatement, parameters: TypedParameters): Statement {
    const { catalog, functions, fixedFunctions, clock } = this.#around;
    return bindStatement(parsed, {
      tables: {
        table: (name) => (catalog.has(name) ? catalog.table(name) : undefined),
        names: () => catalog.tables.map((table) => table.name),
      },
      functions,
      fixedFunctions,
      parameterTypes: parameters.types,
      now: clock(),
    });
  }

  async run(parsed: ParsedStatement, parameters: TypedParameters, options: RunOptions): Promise<Done> {
    this.#around.dropped.forget();
    const statement = this.#bind(parsed, parameters);
    const { source } = parsed;
    const { catalog } = this.#around;
    const { without, ...settings } = options;
    if (without !== undefined && statement.kind !== 'query') {
      throw new AssayError('query/without', `only a query is run without some rows, not ${statement.kind}`);
    }
    const planned = (query: BoundQuery): PlannedQuery => {
      const snapshot = snapshotOf(query.plan);
      const optimized = asOf(this.#optimized(query.plan, source).plan, snapshot);
      return { query, optimized, snapshot, parameters: parameters.values, source };
    };
    // New rows' tokens are defined by the relation's nodes.
    const executed = (query: BoundQuery) =>
      this.#execute(planned(query), { ...settings, keep: 'present', capture: true });
    switch (statement.kind) {
      case 'query':
        return this.answer(planned(statement.query), settings, without);
      case 'explain':
        return {
          kind: 'explained',
          explanation: await this.explain(statement.query, source, parameters, statement.analyze),
        };
      case 'insert': {
        const { table, columns, query } = statement;
        // Not released: the new rows' tokens are defined by the relation's nodes.
        const { relation } = await executed(query);
        this.#append(table, columns, query.plan, relation);
        return { kind: 'inserted', table: table.name, rows: relation.rowCount };
      }
      case 'create-table': {
        const { name } = statement;
        if (catalog.has(name)) return existed(name);
        const { columns, constraints } = statement;
        const rules = constraints && { constraints, clock: this.#around.clock };
        const unlabelled = columns.map((column) => ({ ...column, labelled: false }));
        catalog.add(new Table(catalog.tokens, name, unlabelled, true, rules));
        return { kind: 'created', table: name, rows: 0 };
      }
      case 'create-table-as': {
        const { name, query } = statement;
        if (catalog.has(name)) return existed(name);
        const { relation } = await executed(query);
        const table = tableOf(
          name,
          relation,
          query.columns.map((column) => column.name),
          catalog,
        );
        const all = table.columns.map((_, i) => i);
        this.#append(table, all, query.plan, relation);
        return { kind: 'created', table: name, rows: relation.rowCount };
      }
      case 'drop-table': {
        const tables = statement.names.filter((name) => catalog.has(name));
        catalog.drop(...tables);
        return { kind: 'dropped', tables };
      }
    }
  }

  /**
   * @param without tokens of rows and labelled cells that are not there
   * @throws AssayError `engine/unknown-token`, `query/no-row-token`
   */
  async answer(
    planned: PlannedQuery,
    settings: Omit<RunOptions, 'without'>,
    without: Iterable<Token> = [],
  ): Promise<Answered> {
    const deleted = new Set(without);
    const isDeleted = deletionOf(deleted, this.#around);
    const { plan, relation } = await this.#execute(planned, { ...settings, isDeleted });
    return this.answered(planned, relation, settings, { plan, deleted, isDeleted });
  }

  /** An answer that has been made. */
  answered(
    planned: PlannedQuery,
    relation: Relation,
    settings: Omit<RunOptions, 'without'>,
    { plan = planned.optimized, deleted = new Set(), isDeleted }: Partial<Deletion> = {},
  ): Answered {
    const { query, parameters, source, snapshot } = planned;
    return {
      kind: 'rows',
      relation,
      parameters,
      // A row that is only possible is not found again in the plain answer.
      ...(settings.keep === 'possible' ? {} : { plan }),
      ...(isDeleted && { isDeleted }),
      whyNot: (tuple) => this.whyNot(query, tuple, { values: parameters }, source, { snapshot, isDeleted }),
      without: (tokens, signal) => this.answer(planned, { ...settings, signal }, [...deleted, ...tokens]),
    };
  }

  /** All scans see one state, also where rows come in meanwhile or the parts of the plan are run again. */
  async #execute(
    { optimized, snapshot, parameters }: PlannedQuery,
    settings: ExecuteOptions,
  ): Promise<{ readonly plan: LogicalPlan; readonly relation: Relation }> {
    const options = { ...settings, parameters, pool: this.#around.catalog.pool };
    const plan = asOf(await this.#answered(optimized, options), snapshot);
    if (settings.isDeleted) checkAnswersStay(plan, snapshot, settings.isDeleted, this.#around.catalog.tokens);
    return { plan, relation: await executeAsync(plan, options) };
  }

  /** Rows that the table does not take are an error before anything has changed. */
  #append(table: Table, columns: readonly number[], plan: LogicalPlan, relation: Relation): void {
    const start = appendRows(table, columns, relation);
    this.#dependOn(table, plan, relation);
    defineRows(table, start, columns, relation, this.#around.valuations);
  }

  /** Which rows the table has now depends on which rows the query had. */
  #dependOn(table: Table, plan: LogicalPlan, { membership }: Relation): void {
    if (table.membership === undefined || plan.kind === 'values' || membership.kind === 'one') return;
    this.#around.valuations.multiply(table.membership, membership);
  }

  /**
   * Why a row is not in a query's answer.
   * @param state `snapshot`: the state of the tables that is asked about, by default what they are now;
   *   `isDeleted`: what is not there of it
   * @throws AssayError `query/unknown-column`, `query/ambiguous-column`, `query/row-length`,
   *   `query/parameter`
   */
  async whyNot(
    query: BoundQuery,
    tuple: Tuple,
    { values: parameters }: Pick<TypedParameters, 'values'>,
    source?: SqlSource,
    { snapshot = snapshotOf(query.plan), isDeleted }: Partial<Deletion & PlannedQuery> = {},
  ): Promise<PlacedWhyNot> {
    const { pool } = this.#around.catalog;
    const wanted = wantedTuple(tuple, query.columns);
    const origins: Origins = new Map();
    const decorrelated = () => decorrelate(asOf(query.plan, snapshot), origins);
    const joined = source ? placed(source, decorrelated) : decorrelated();
    const plan = await this.#answered(joined, { parameters, pool, isDeleted });
    const count = (part: LogicalPlan): number => {
      const relation = execute(optimize(part).plan, { capture: false, parameters, pool, isDeleted });
      const { rowCount } = relation;
      relation.release();
      return rowCount;
    };
    const subqueryText: SubqueryText = ({ place }) =>
      source && place && inParentheses(source.text, place.offset);
    const answer = whyNot(plan, wanted, { count, parameters, origins, subqueryText });
    const locate = ({ branches, ...one }: WhyNot): PlacedWhyNot => ({
      ...one,
      ...(source && one.place ? source.lineAndColumn(one.place.offset) : {}),
      ...(branches ? { branches: branches.map(locate) } : {}),
    });
    return locate(answer);
  }

  /** The plan with the model's answers in place of its `ask` calls. */
  async #answered(plan: LogicalPlan, { capture: _, ...options }: ExecuteOptions): Promise<LogicalPlan> {
    const asks = this.#around.asks();
    if (!asks) return plan;
    return (await asks.resolve(plan, runByEngine(options), { signal: options.signal })).plan;
  }

  #optimized(plan: LogicalPlan, source: SqlSource): OptimizedPlan {
    return placed(source, () => optimize(plan));
  }

  /** The plan of a query; with `analyze` also what one run took. */
  async explain(
    query: BoundQuery,
    source: SqlSource,
    parameters: TypedParameters,
    analyze: boolean,
  ): Promise<Explanation> {
    const start = performance.now();
    const snapshot = snapshotOf(query.plan);
    const optimized = this.#optimized(query.plan, source);
    const planning = performance.now() - start;
    const scanned = tablesOf(query.plan);
    const settings = { parameters: parameters.values, pool: this.#around.catalog.pool };
    if (!analyze) {
      const estimate = await this.#around.asks()?.estimate(optimized.plan, runByEngine(settings));
      const explanation = explain(optimized, planning, allOf(scanned));
      if (!estimate || estimate.calls + estimate.cached === 0) return explanation;
      return { ...explanation, text: `${explanation.text}\n${showEstimate(estimate)}` };
    }
    const statistics = new Map<LogicalPlan, OperatorStatistics>();
    const began = performance.now();
    const plan = asOf(await this.#answered(asOf(optimized.plan, snapshot), settings), snapshot);
    const answering = this.#around.asks() ? performance.now() - began : 0;
    let waiting = 0;
    const onTurn = (turn: number): void => {
      waiting += turn;
    };
    const relation = await executeAsync(plan, { statistics, onTurn, ...settings });
    const milliseconds = performance.now() - began;
    relation.release();
    const dependsOn = allOf(new Set([...scanned, ...tablesOf(plan)]));
    const analysis = { statistics, milliseconds, answering, waiting };
    return explain({ ...optimized, plan }, planning, dependsOn, analysis);
  }
}

function existed(table: string): Done {
  return {
    kind: 'existed',
    table,
    notice: `table "${visibleText(table)}" was there already: nothing has changed`,
  };
}

/** Adds line and column to what the planner refuses. */
export function placed<T>(source: SqlSource, plan: () => T): T {
  try {
    return plan();
  } catch (error) {
    if (!(error instanceof UnsupportedSubquery)) throw error;
    throw new SqlError('sql/unsupported', error.message, source, error.place, {
      hint: error.hint,
      cause: error,
    });
  }
}
