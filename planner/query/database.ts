/**
 * The database: tables, SQL, and what tokens mean, in one object. The one thing to know: every statement goes
 * parse → bind → plan → run, with provenance kept unless it is switched off.
 *
 * ```ts
 * const db = new Database();
 * db.load('orders', [{ id: 1, total: 20 }]);
 * const result = await db.query('SELECT id FROM orders WHERE total > $1', [10]);
 * result.showPolynomial(0); // orders[1]
 * ```
 */
import * as aggregateFunctions from '../../engine/aggregates/index.js';
import type { Relation } from '../../engine/answer/relation.js';
import { from, type Query } from '../../engine/builder/query.js';
import { type ExecuteOptions, execute } from '../../engine/execute.js';
import type { AggregateFunction, ScalarFunction } from '../../engine/plan/expression.js';
import { columnsOf, type LogicalPlan } from '../../engine/plan/plan.js';
import type { Token, Tokens } from '../../engine/provenance/token.js';
import {
  type BoundQuery,
  builtinScalars,
  Functions,
  parseSql,
  SqlSource,
  type Statement,
} from '../../engine/sql/index.js';
import { loadSaved, saveCatalog } from '../../engine/storage/index.js';
import { Catalog } from '../../engine/table/catalog.js';
import type { CsvOptions, InputRow, Table, TableOptions } from '../../engine/table/table.js';
import { bottom, type Label, type Semiring } from '../../semiring/index.js';
import { checkLabel } from '../../semiring/label/check-label.js';
import { AssayError } from '../../semiring/message/error.js';
import { AskFunctions, type AskFunctionsOptions } from '../../udf/ask/index.js';
import type { Model } from '../../udf/model/index.js';
import { scalarLibrary } from '../../udf/scalar/index.js';
import { DroppedTables } from './dropped-tables.js';
import type { Explanation } from './explain.js';
import { optimize } from './optimize/optimize.js';
import { type Parameter, parametersOf } from './parameters.js';
import { type Origin, Result } from './result.js';
import { asOf, snapshotOf } from './snapshot.js';
import { type Answered, type Done, type RunOptions, StatementRunner } from './statement-runner.js';
import { tokensOf } from './table-tokens.js';
import { Valuations } from './valuations.js';
import { linesOf } from './why/dependence.js';
import type { Tuple } from './why/wanted-tuple.js';
import type { PlacedWhyNot } from './why/why-not.js';

export interface DatabaseOptions {
  /** Functions besides the engine's and the scalar library's. */
  readonly functions?: readonly (ScalarFunction | AggregateFunction)[];
  /**
   * Milliseconds since 1970-01-01 00:00 UTC; what `now()` and CURRENT_DATE are. Default: the system's clock.
   */
  readonly clock?: () => number;
}

/** How a file is opened. */
export interface OpenOptions extends DatabaseOptions {
  /** Semirings that the file has values in and that are not assay's own. */
  readonly semirings?: readonly Semiring<unknown>[];
}

/** As the engine's, but a membership token is issued unless it is switched off. */
export type LoadOptions = TableOptions;

export type LoadCsvOptions = CsvOptions & Omit<TableOptions, 'rowTokens' | 'cellTokens'>;

export type { RunOptions } from './statement-runner.js';

/** What one statement did. */
export type Outcome =
  | { readonly kind: 'rows'; readonly result: Result }
  | Exclude<Done, { readonly kind: 'rows' }>;

export class Database {
  readonly catalog: Catalog;
  readonly valuations: Valuations;
  readonly functions: Functions;
  readonly #statements: StatementRunner;
  readonly #dropped: DroppedTables;
  /** An answer keeps its tables, so that what its tokens mean is not forgotten. */
  readonly #tablesOf = new WeakMap<Relation, readonly Table[]>();
  #asks: AskFunctions | undefined;

  /** @param valuations what the tokens of `catalog` mean already */
  constructor(options: DatabaseOptions = {}, catalog = new Catalog(), valuations = new Valuations()) {
    this.catalog = catalog;
    this.valuations = valuations;
    this.#dropped = new DroppedTables(catalog, valuations);
    this.functions = fixedFunctions();
    for (const fn of options.functions ?? []) this.addFunction(fn);
    this.#statements = new StatementRunner({
      catalog,
      functions: this.functions,
      fixedFunctions: fixedFunctions(),
      valuations,
      dropped: this.#dropped,
      clock: options.clock ?? Date.now,
      asks: () => this.#asks,
    });
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
   * @param options `label` is what the model's own word is worth; by default it adds nothing to the label of
   *   its inputs
   * @throws AssayError `query/has-model` where there is a model already; SemiringError `semiring/bad-label`
   */
  useModel(
    model: Model,
    { label = bottom, ...options }: AskFunctionsOptions & { readonly label?: Label } = {},
  ): AskFunctions {
    checkLabel(label, 'the label of what the model answers');
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

  /**
   * Says what tokens mean in one semiring: a multiplicity, a cost, a confidence, a clearance.
   * @throws SemiringError `semiring/not-a-semiring`, `semiring/not-in-carrier`; AssayError
   *   `engine/unknown-token`
   */
  value<K>(semiring: Semiring<K>, tokens: Token | Iterable<Token>, value: K): void {
    this.valuations.set(semiring, this.#issued(tokens), value);
  }

  /**
   * Labels a whole table: its rows, its labelled cells and its membership; or single tokens.
   * @throws SemiringError `semiring/bad-label`; AssayError `engine/unknown-table`, `engine/unknown-token`
   */
  label(what: string | Token | Iterable<Token>, label: Label): void {
    if (typeof what === 'string') {
      const place = `the label of table ${JSON.stringify(what)}`;
      this.valuations.label(tokensOf(this.table(what)), label, place);
    } else this.valuations.label(this.#issued(what), label);
  }

  /**
   * Runs one statement that gives rows: SELECT, VALUES, or EXPLAIN (one row a line, which depends on all rows
   * of the tables that it speaks of).
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
    const outcome = this.#outcome(
      await this.#statements.run(statements[0], parametersOf(parameters), options),
    );
    if (outcome.kind === 'rows') return outcome.result;
    if (outcome.kind !== 'explained')
      throw new AssayError('query/no-rows', 'this statement gives no rows: use run');
    const { text, dependsOn } = outcome.explanation;
    return this.#result(linesOf(text, 'query plan', dependsOn, this.catalog.pool));
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
      outcomes.push(this.#outcome(await this.#statements.run(statement, typed, options)));
    return outcomes;
  }

  /**
   * Plans and runs a logical plan, as the builder makes it; `without` of its answer runs it without some
   * rows.
   */
  execute(plan: LogicalPlan, options: Omit<ExecuteOptions, 'isDeleted'> = {}): Result {
    const snapshot = snapshotOf(plan);
    const optimized = asOf(optimize(plan).plan, snapshot);
    const relation = execute(optimized, { pool: this.catalog.pool, ...options });
    const { parameters = [], capture, keep } = options;
    const query = { plan, columns: columnsOf(plan) };
    const planned = { query, optimized, snapshot, parameters };
    return this.#result(relation, this.#statements.answered(planned, relation, { capture, keep }));
  }

  /**
   * The plan of a query: its tree, the rules that fired, estimates; with `analyze` also what one run took.
   */
  async explain(
    sql: string,
    parameters: readonly Parameter[] = [],
    { analyze = false } = {},
  ): Promise<Explanation> {
    const typed = parametersOf(parameters);
    const statement = await this.#statements.bindOne(sql, typed);
    const parsed = statement.kind === 'explain' ? statement.query : queryOf(statement);
    return this.#statements.explain(
      parsed,
      new SqlSource(sql),
      typed,
      analyze || (statement.kind === 'explain' && statement.analyze),
    );
  }

  /**
   * Why a row is not in a query's answer as it is now: the operator that lost it, with its place in the SQL.
   * {@link Result.whyNot} asks the same of an answer that is there.
   * @param tuple values by column name (others may be anything), or one for each column (`undefined`:
   *   anything)
   * @throws AssayError `query/unknown-column`, `query/ambiguous-column`, `query/row-length`,
   *   `query/parameter`
   */
  async whyNot(sql: string, tuple: Tuple, parameters: readonly Parameter[] = []): Promise<PlacedWhyNot> {
    const typed = parametersOf(parameters);
    const statement = await this.#statements.bindOne(sql, typed);
    return this.#statements.whyNot(queryOf(statement), tuple, typed, new SqlSource(sql));
  }

  /**
   * The tables with their tokens, and what these mean (values, labels, rows made from other rows), as one
   * file. Functions and the model are not part of it.
   * @throws AssayError `query/not-saved` for a semiring value that is no plain data
   */
  save(): Uint8Array {
    const live = this.#dropped.saved();
    return saveCatalog(this.catalog, this.valuations.save(live), live);
  }

  /**
   * The database in a file made by {@link save}.
   * @throws AssayError `engine/bad-file` (also where rows do not keep a constraint of their table),
   * `engine/file-version`; `query/unknown-semiring` where the file has values in
   * a semiring that is not assay's and is not among `semirings`
   */
  static open(file: Uint8Array, { semirings, ...options }: OpenOptions = {}): Database {
    const { clock = Date.now } = options;
    const { catalog, meaning } = loadSaved(file, { functions: fixedFunctions(), clock });
    const valuations =
      meaning === null ? new Valuations() : Valuations.load(meaning, catalog.tokens.count, semirings);
    return new Database(options, catalog, valuations);
  }

  /**
   * The tokens, of which each must have been issued: what a later row is worth cannot be said before it is
   * there.
   */
  #issued(tokens: Token | Iterable<Token>): readonly Token[] {
    const list = typeof tokens === 'number' ? [tokens] : [...tokens];
    for (const token of list) this.tokens.checkIssued(token);
    return list;
  }

  #outcome(done: Done): Outcome {
    return done.kind === 'rows' ? { kind: 'rows', result: this.#result(done.relation, done) } : done;
  }

  #result(relation: Relation, from?: Answered): Result {
    const { valuations, tokens, tables, catalog } = this;
    this.#tablesOf.set(relation, tables);
    const origin: Origin | undefined = from && {
      ...from,
      pool: catalog.pool,
      without: async (deleted, signal) => {
        const left = await from.without(deleted, signal);
        return this.#result(left.relation, left);
      },
    };
    return new Result(relation, { valuations, tokens, tables }, origin);
  }
}

const builtinAggregates: readonly AggregateFunction[] = Object.values(aggregateFunctions).filter(
  (value): value is AggregateFunction => typeof value === 'object' && 'step' in value,
);

/** The functions that every database has. */
function fixedFunctions(): Functions {
  return new Functions([...builtinScalars, ...scalarLibrary], builtinAggregates);
}

function queryOf(statement: Statement): BoundQuery {
  if (statement.kind === 'query' || statement.kind === 'explain') return statement.query;
  throw new AssayError('query/no-rows', `a query is needed, not ${statement.kind}`);
}
