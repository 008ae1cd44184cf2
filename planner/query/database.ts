/**
 * The database: tables, SQL, and what tokens mean, in one object. The one thing to know: every statement goes parse →
 * bind → plan → run, with provenance kept unless it is switched off.
 *
 * ```ts
 * const db = new Database();
 * db.load('orders', [{ id: 1, total: 20 }]);
 * const result = await db.query('SELECT id FROM orders WHERE total > $1', [10]);
 * result.showPolynomial(0); // orders[1]
 * ```
 */
import * as aggregateFunctions from '../../engine/aggregates/index.js';
import { from, type Query } from '../../engine/builder.js';
import { Catalog } from '../../engine/catalog.js';
import { type ExecuteOptions, execute, executeAsync, type OperatorStatistics } from '../../engine/execute.js';
import { type AggregateFunction, freshColumn, type ScalarFunction } from '../../engine/expression.js';
import type { LogicalPlan } from '../../engine/plan.js';
import {
  type BoundQuery,
  bindStatement,
  builtinScalars,
  Functions,
  type ParsedStatement,
  parseSql,
  SqlError,
  SqlSource,
  type Statement,
} from '../../engine/sql/index.js';
import { loadCatalog, saveCatalog } from '../../engine/storage/index.js';
import type { CsvOptions, InputRow, Table, TableOptions } from '../../engine/table.js';
import type { Token, Tokens } from '../../engine/token.js';
import { AssayError } from '../../semiring/error.js';
import { bottom, type Label, type Semiring } from '../../semiring/index.js';
import { AskFunctions, type AskFunctionsOptions, runByEngine, showEstimate } from '../../udf/ask/index.js';
import type { Model } from '../../udf/model/index.js';
import { scalarLibrary } from '../../udf/scalar/index.js';
import { decorrelate } from './decorrelate/decorrelate.js';
import { UnsupportedSubquery } from './decorrelate/unsupported-subquery.js';
import { appendRelation, membershipPlan, tableOf } from './derive.js';
import { type Explanation, explain } from './explain.js';
import { type OptimizedPlan, optimize } from './optimize.js';
import { type Parameter, parametersOf, type TypedParameters, valueOfType } from './parameters.js';
import { Result } from './result.js';
import { Valuations } from './valuations.js';
import { type WhyNot, whyNot } from './why-not.js';

export interface DatabaseOptions {
  /** Functions besides the engine's and the scalar library's. */
  readonly functions?: readonly (ScalarFunction | AggregateFunction)[];
  /** Milliseconds since 1970-01-01 00:00 UTC; what `now()` and CURRENT_DATE are. Default: the system's clock. */
  readonly clock?: () => number;
}

/** As the engine's, but a membership token is issued unless it is switched off. */
export type LoadOptions = TableOptions;

export type LoadCsvOptions = CsvOptions & Omit<TableOptions, 'rowTokens' | 'cellTokens'>;

export type RunOptions = Pick<ExecuteOptions, 'capture' | 'keep' | 'signal'>;

/** What one statement did. */
export type Outcome =
  | { readonly kind: 'rows'; readonly result: Result }
  | { readonly kind: 'explained'; readonly explanation: Explanation }
  | { readonly kind: 'inserted'; readonly table: string; readonly rows: number }
  | { readonly kind: 'created'; readonly table: string; readonly rows: number; readonly existed: boolean }
  | { readonly kind: 'dropped'; readonly tables: readonly string[] };

export class Database {
  readonly catalog: Catalog;
  readonly valuations: Valuations;
  readonly functions: Functions;
  readonly #clock: () => number;
  #asks: AskFunctions | undefined;

  constructor(options: DatabaseOptions = {}, catalog = new Catalog()) {
    this.catalog = catalog;
    this.valuations = new Valuations();
    this.#clock = options.clock ?? Date.now;
    this.functions = new Functions([...builtinScalars, ...scalarLibrary], builtinAggregates);
    for (const fn of options.functions ?? []) this.addFunction(fn);
  }

  get tokens(): Tokens {
    return this.catalog.tokens;
  }

  get tables(): readonly Table[] {
    return this.catalog.tables;
  }

  /** Makes a function callable from SQL. */
  addFunction(fn: ScalarFunction | AggregateFunction): void {
    if ('evaluate' in fn) this.functions.addScalar(fn);
    else this.functions.addAggregate(fn);
  }

  /**
   * Makes `ask` and `ask_reason` callable from SQL, answered by a quarantined `model`.
   * @param options `label` is what the model's own word is worth; by default it adds nothing to the label of its inputs
   * @throws AssayError `query/has-model` where there is a model already
   */
  useModel(
    model: Model,
    { label = bottom, ...options }: AskFunctionsOptions & { readonly label?: Label } = {},
  ): AskFunctions {
    if (this.#asks) throw new AssayError('query/has-model', 'this database has a model already');
    const asks = new AskFunctions(model, this.tokens, {
      ...options,
      onAnswer: (token, answered) => {
        this.valuations.label([token], label);
        options.onAnswer?.(token, answered);
      },
    });
    for (const fn of asks.vocabulary.functions) this.functions.addScalar(fn);
    this.#asks = asks;
    return asks;
  }

  /** A new table of JSON rows. @throws AssayError `engine/table-exists`, `engine/type-mismatch` */
  load(name: string, rows: readonly InputRow[], options?: LoadOptions): Table;
  /** A new table of CSV text. @throws AssayError `engine/table-exists`, `engine/csv` */
  load(name: string, source: { readonly csv: string }, options?: LoadCsvOptions): Table;
  load(
    name: string,
    source: readonly InputRow[] | { readonly csv: string },
    options: LoadOptions & LoadCsvOptions = {},
  ): Table {
    const withMembership = { membership: true, ...options };
    return 'csv' in source
      ? this.catalog.createFromCsv(name, source.csv, withMembership)
      : this.catalog.create(name, source, withMembership);
  }

  /** @throws AssayError `engine/unknown-table` */
  table(name: string): Table {
    return this.catalog.table(name);
  }

  /** Starts a query with the builder; run it with {@link execute} of its `plan`. */
  from(name: string): Query {
    return from(this.table(name));
  }

  /** Says what tokens mean in one semiring: a multiplicity, a cost, a confidence, a clearance. */
  value<K>(semiring: Semiring<K>, tokens: Token | Iterable<Token>, value: K): void {
    this.valuations.set(semiring, typeof tokens === 'number' ? [tokens] : tokens, value);
  }

  /** Labels a whole table: its rows, its labelled cells and its membership; or single tokens. */
  label(what: string | Token | Iterable<Token>, label: Label): void {
    if (typeof what === 'string') this.valuations.label(tokensOf(this.table(what)), label);
    else this.valuations.label(typeof what === 'number' ? [what] : what, label);
  }

  /**
   * Runs one statement that gives rows: SELECT, VALUES, or EXPLAIN (one row a line).
   * @throws SqlError, AssayError `query/no-rows` for other statements, which {@link run} takes
   */
  async query(sql: string, parameters: readonly Parameter[] = [], options: RunOptions = {}): Promise<Result> {
    const statements = await parseSql(sql);
    if (statements.length !== 1) {
      throw new AssayError(
        'query/one-statement',
        `query takes one statement, not ${statements.length}: use run for several`,
      );
    }
    const outcome = await this.#runStatement(statements[0], parametersOf(parameters), options);
    if (outcome.kind === 'rows') return outcome.result;
    if (outcome.kind !== 'explained')
      throw new AssayError('query/no-rows', 'this statement gives no rows: use run');
    return this.#lines(outcome.explanation.text);
  }

  /** Runs any number of statements, in order; stops at the first error. */
  async run(
    sql: string,
    parameters: readonly Parameter[] = [],
    options: RunOptions = {},
  ): Promise<readonly Outcome[]> {
    const outcomes: Outcome[] = [];
    const typed = parametersOf(parameters);
    for (const statement of await parseSql(sql))
      outcomes.push(await this.#runStatement(statement, typed, options));
    return outcomes;
  }

  /** Plans and runs a logical plan, as the builder makes it. */
  execute(plan: LogicalPlan, options: ExecuteOptions = {}): Result {
    return this.#result(execute(optimize(plan).plan, { pool: this.catalog.pool, ...options }));
  }

  /** The plan of a query: its tree, the rules that fired, estimates; with `analyze` also what one run took. */
  async explain(
    sql: string,
    parameters: readonly Parameter[] = [],
    { analyze = false } = {},
  ): Promise<Explanation> {
    const typed = parametersOf(parameters);
    const { statement } = await this.#bindOne(sql, typed);
    const parsed = statement.kind === 'explain' ? statement.query : queryOf(statement);
    return this.#explain(
      parsed,
      new SqlSource(sql),
      typed,
      analyze || (statement.kind === 'explain' && statement.analyze),
    );
  }

  /**
   * Why a row is not in a query's answer: the operator that lost it, with its place in the SQL.
   * @param tuple values by column name (others may be anything), or one for each column (`undefined`: anything)
   */
  async whyNot(
    sql: string,
    tuple: readonly unknown[] | { readonly [column: string]: unknown },
    parameters: readonly Parameter[] = [],
  ): Promise<WhyNot & { readonly line?: number; readonly column?: number }> {
    const typed = parametersOf(parameters);
    const source = new SqlSource(sql);
    const { statement } = await this.#bindOne(sql, typed);
    const query = queryOf(statement);
    const values = query.columns.map((column, i) => {
      const given: unknown = Array.isArray(tuple)
        ? tuple[i]
        : Object.hasOwn(tuple, column.name)
          ? (tuple as { readonly [column: string]: unknown })[column.name]
          : undefined;
      return given === undefined ? undefined : valueOfType(given, column.type, column.name);
    });
    const count = (plan: LogicalPlan): number => {
      const relation = execute(optimize(plan).plan, { capture: false, parameters: typed.values });
      const { rowCount } = relation;
      relation.release();
      return rowCount;
    };
    const answer = whyNot(
      placed(source, () => decorrelate(query.plan)),
      values,
      count,
    );
    return answer.place ? { ...answer, ...source.lineAndColumn(answer.place.offset) } : answer;
  }

  /**
   * The tables with their tokens as one file. What tokens mean (values, labels) is not part of it: give it again after
   * loading; until then label readings fail closed.
   * @throws AssayError `query/derived-rows` where rows stand for other rows, whose provenance the file could not keep
   */
  save(): Uint8Array {
    if (this.valuations.hasDefinitions) {
      throw new AssayError(
        'query/derived-rows',
        'a database with rows made by CREATE TABLE AS or INSERT … SELECT cannot be saved with their provenance',
      );
    }
    return saveCatalog(this.catalog);
  }

  /** The database in a file made by {@link save}. @throws AssayError `engine/bad-file`, `engine/file-version` */
  static open(file: Uint8Array, options?: DatabaseOptions): Database {
    return new Database(options, loadCatalog(file));
  }

  async #bindOne(sql: string, parameters: TypedParameters): Promise<{ readonly statement: Statement }> {
    const statements = await parseSql(sql);
    if (statements.length !== 1)
      throw new AssayError('query/one-statement', `one statement is needed, not ${statements.length}`);
    return { statement: this.#bind(statements[0], parameters) };
  }

  #bind(parsed: ParsedStatement, parameters: TypedParameters): Statement {
    const { catalog, functions } = this;
    return bindStatement(parsed, {
      tables: {
        table: (name) => (catalog.has(name) ? catalog.table(name) : undefined),
        names: () => catalog.tables.map((table) => table.name),
      },
      functions,
      parameterTypes: parameters.types,
      now: this.#clock(),
    });
  }

  async #runStatement(
    parsed: ParsedStatement,
    parameters: TypedParameters,
    options: RunOptions,
  ): Promise<Outcome> {
    const statement = this.#bind(parsed, parameters);
    const { source } = parsed;
    const executed = async (plan: LogicalPlan, more: RunOptions = options) => {
      const settings = { ...more, parameters: parameters.values, pool: this.catalog.pool };
      return executeAsync(await this.#answered(this.#optimized(plan, source).plan, settings), settings);
    };
    switch (statement.kind) {
      case 'query':
        return { kind: 'rows', result: this.#result(await executed(statement.query.plan)) };
      case 'explain':
        return {
          kind: 'explained',
          explanation: await this.#explain(statement.query, source, parameters, statement.analyze),
        };
      case 'insert': {
        const { table, columns, query } = statement;
        // Not released: the new rows' tokens are defined by the relation's nodes.
        const relation = await executed(query.plan, { ...options, keep: 'present' });
        await this.#dependOn(table, query.plan, executed);
        appendRelation(table, columns, relation, this.valuations);
        return { kind: 'inserted', table: table.name, rows: relation.rowCount };
      }
      case 'create-table': {
        const { name } = statement;
        const existed = this.catalog.has(name);
        if (!existed) {
          const types = new Map(statement.columns.map((column) => [column.name, column.type]));
          this.load(name, [], { columns: statement.columns.map((column) => column.name), types });
        }
        return { kind: 'created', table: name, rows: 0, existed };
      }
      case 'create-table-as': {
        const { name, query } = statement;
        if (this.catalog.has(name)) return { kind: 'created', table: name, rows: 0, existed: true };
        const relation = await executed(query.plan, { ...options, keep: 'present' });
        const table = tableOf(
          name,
          relation,
          query.columns.map((column) => column.name),
          this.catalog,
        );
        await this.#dependOn(table, query.plan, executed);
        appendRelation(
          table,
          table.columns.map((_, i) => i),
          relation,
          this.valuations,
        );
        return { kind: 'created', table: name, rows: relation.rowCount, existed: false };
      }
      case 'drop-table': {
        const tables = statement.names.filter((name) => this.catalog.has(name));
        for (const name of tables) this.catalog.drop(name);
        return { kind: 'dropped', tables };
      }
    }
  }

  /** Which rows the table has now depends on which rows the query had. */
  async #dependOn(
    table: Table,
    plan: LogicalPlan,
    run: (plan: LogicalPlan) => Promise<Result['relation']>,
  ): Promise<void> {
    if (table.membership === undefined || plan.kind === 'values') return;
    const node = (await run(membershipPlan(plan))).cell(0);
    if (node.kind !== 'one') this.valuations.multiply(table.membership, node);
  }

  /** The plan with the model's answers in place of its `ask` calls. */
  async #answered(plan: LogicalPlan, { capture: _, ...options }: ExecuteOptions): Promise<LogicalPlan> {
    if (!this.#asks) return plan;
    return (await this.#asks.resolve(plan, runByEngine(options), { signal: options.signal })).plan;
  }

  #optimized(plan: LogicalPlan, source: SqlSource): OptimizedPlan {
    return placed(source, () => optimize(plan));
  }

  async #explain(
    query: BoundQuery,
    source: SqlSource,
    parameters: TypedParameters,
    analyze: boolean,
  ): Promise<Explanation> {
    const start = performance.now();
    const optimized = this.#optimized(query.plan, source);
    const planning = performance.now() - start;
    const settings = { parameters: parameters.values, pool: this.catalog.pool };
    if (!analyze) {
      const estimate = await this.#asks?.estimate(optimized.plan, runByEngine(settings));
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

  #result(relation: Result['relation']): Result {
    return new Result(relation, { valuations: this.valuations, tokens: this.tokens, tables: this.tables });
  }

  /** Text as a result: one row a line. */
  #lines(text: string): Result {
    const columns = [freshColumn('query plan', 'text')];
    return this.#result(execute({ kind: 'values', columns, rows: text.split('\n').map((line) => [line]) }));
  }
}

const builtinAggregates: readonly AggregateFunction[] = Object.values(aggregateFunctions).filter(
  (value): value is AggregateFunction => typeof value === 'object' && 'step' in value,
);

function queryOf(statement: Statement): BoundQuery {
  if (statement.kind === 'query' || statement.kind === 'explain') return statement.query;
  throw new AssayError('query/no-rows', `a query is needed, not ${statement.kind}`);
}

/** Every token of a table. */
function* tokensOf(table: Table): Iterable<Token> {
  if (table.membership !== undefined) yield table.membership;
  for (let row = 0; row < table.rowCount; row++) {
    yield table.rowToken(row);
    for (let column = 0; column < table.columns.length; column++) {
      const cell = table.cellToken(column, row);
      if (cell !== undefined) yield cell;
    }
  }
}

/** Adds line and column to what the planner refuses. */
function placed<T>(source: SqlSource, plan: () => T): T {
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
