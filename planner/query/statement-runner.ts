/**
 * Runs statements: bind → plan → ask → execute. The one thing to know: what a statement changes (tables, and what the
 * tokens of new rows mean) is changed here and nowhere else.
 */
import type { Catalog } from '../../engine/catalog.js';
import { type ExecuteOptions, executeAsync, type OperatorStatistics } from '../../engine/execute.js';
import type { LogicalPlan } from '../../engine/plan.js';
import type { Relation } from '../../engine/relation.js';
import {
  type BoundQuery,
  bindStatement,
  type FunctionCatalog,
  type ParsedStatement,
  parseSql,
  SqlError,
  type SqlSource,
  type Statement,
} from '../../engine/sql/index.js';
import type { Table } from '../../engine/table.js';
import type { Value } from '../../engine/value.js';
import { AssayError } from '../../semiring/error.js';
import { type AskFunctions, runByEngine, showEstimate } from '../../udf/ask/index.js';
import { UnsupportedSubquery } from './decorrelate/unsupported-subquery.js';
import { appendRelation, tableOf } from './derive.js';
import { type Explanation, explain } from './explain.js';
import { type OptimizedPlan, optimize } from './optimize.js';
import type { TypedParameters } from './parameters.js';
import type { Valuations } from './valuations.js';

export type RunOptions = Pick<ExecuteOptions, 'capture' | 'keep' | 'signal'>;

/** What one statement did; of a query, the plan that ran and its answer. */
export type Done =
  | {
      readonly kind: 'rows';
      readonly relation: Relation;
      /** Absent where rows are in the answer that are only possible. */
      readonly plan?: LogicalPlan;
      readonly parameters: readonly Value[];
    }
  | { readonly kind: 'explained'; readonly explanation: Explanation }
  | { readonly kind: 'inserted'; readonly table: string; readonly rows: number }
  | { readonly kind: 'created'; readonly table: string; readonly rows: number; readonly existed: boolean }
  | { readonly kind: 'dropped'; readonly tables: readonly string[] };

/** The parts of a database that statements read and change. */
export interface Surroundings {
  readonly catalog: Catalog;
  readonly functions: FunctionCatalog;
  readonly valuations: Valuations;
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
    const { catalog, functions, clock } = this.#around;
    return bindStatement(parsed, {
      tables: {
        table: (name) => (catalog.has(name) ? catalog.table(name) : undefined),
        names: () => catalog.tables.map((table) => table.name),
      },
      functions,
      parameterTypes: parameters.types,
      now: clock(),
    });
  }

  async run(parsed: ParsedStatement, parameters: TypedParameters, options: RunOptions): Promise<Done> {
    const statement = this.#bind(parsed, parameters);
    const { source } = parsed;
    const { catalog, valuations } = this.#around;
    const executed = async (query: BoundQuery, more: RunOptions = options) => {
      const settings = { ...more, parameters: parameters.values, pool: catalog.pool };
      const plan = await this.#answered(this.#optimized(query.plan, source).plan, settings);
      return { plan, relation: await executeAsync(plan, settings) };
    };
    // New rows' tokens are defined by the relation's nodes.
    const kept: RunOptions = { ...options, keep: 'present', capture: true };
    switch (statement.kind) {
      case 'query': {
        const { plan, relation } = await executed(statement.query);
        const found = options.keep === 'possible' ? {} : { plan };
        return { kind: 'rows', relation, parameters: parameters.values, ...found };
      }
      case 'explain':
        return {
          kind: 'explained',
          explanation: await this.explain(statement.query, source, parameters, statement.analyze),
        };
      case 'insert': {
        const { table, columns, query } = statement;
        // Not released: the new rows' tokens are defined by the relation's nodes.
        const { relation } = await executed(query, kept);
        this.#dependOn(table, query.plan, relation);
        appendRelation(table, columns, relation, valuations);
        return { kind: 'inserted', table: table.name, rows: relation.rowCount };
      }
      case 'create-table': {
        const { name } = statement;
        const existed = catalog.has(name);
        if (!existed) {
          const types = new Map(statement.columns.map((column) => [column.name, column.type]));
          catalog.create(name, [], {
            columns: statement.columns.map((column) => column.name),
            types,
            membership: true,
          });
        }
        return { kind: 'created', table: name, rows: 0, existed };
      }
      case 'create-table-as': {
        const { name, query } = statement;
        if (catalog.has(name)) return { kind: 'created', table: name, rows: 0, existed: true };
        const { relation } = await executed(query, kept);
        const table = tableOf(
          name,
          relation,
          query.columns.map((column) => column.name),
          catalog,
        );
        this.#dependOn(table, query.plan, relation);
        appendRelation(
          table,
          table.columns.map((_, i) => i),
          relation,
          valuations,
        );
        return { kind: 'created', table: name, rows: relation.rowCount, existed: false };
      }
      case 'drop-table': {
        const tables = statement.names.filter((name) => catalog.has(name));
        for (const name of tables) catalog.drop(name);
        return { kind: 'dropped', tables };
      }
    }
  }

  /** Which rows the table has now depends on which rows the query had. */
  #dependOn(table: Table, plan: LogicalPlan, { membership }: Relation): void {
    if (table.membership === undefined || plan.kind === 'values' || membership.kind === 'one') return;
    this.#around.valuations.multiply(table.membership, membership);
  }

  /** A decorrelated plan with the model's answers in place of its `ask` calls. */
  answered(plan: LogicalPlan, parameters: TypedParameters): Promise<LogicalPlan> {
    return this.#answered(plan, { parameters: parameters.values, pool: this.#around.catalog.pool });
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
    const optimized = this.#optimized(query.plan, source);
    const planning = performance.now() - start;
    const settings = { parameters: parameters.values, pool: this.#around.catalog.pool };
    if (!analyze) {
      const estimate = await this.#around.asks()?.estimate(optimized.plan, runByEngine(settings));
      const explanation = explain(optimized, planning);
      if (!estimate || estimate.calls + estimate.cached === 0) return explanation;
      return { ...explanation, text: `${explanation.text}\n${showEstimate(estimate)}` };
    }
    const statistics = new Map<LogicalPlan, OperatorStatistics>();
    const began = performance.now();
    const plan = await this.#answered(optimized.plan, settings);
    const relation = await executeAsync(plan, { statistics, ...settings });
    const milliseconds = performance.now() - began;
    relation.release();
    return explain({ ...optimized, plan }, planning, { statistics, milliseconds });
  }
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
