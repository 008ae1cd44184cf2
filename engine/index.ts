/**
 * Relations, plans, execution, provenance circuits, SQL.
 *
 * - `value/`, `memory/`: types and column vectors; buffers and packed row numbers
 * - `table/`, `format/`: tables, their tokens and the catalog; files that they are read from
 * - `plan/`, `builder/`: logical plans and expressions as data; a query built by calls
 * - `sql/`: text to checked syntax to a bound plan
 * - `execute/`, `evaluate/`, `operators/`, `aggregates/`, `regexp/`: how plans and expressions run
 * - `frame/`, `provenance/`: the operators' own index vectors, and reading them in a semiring
 * - `answer/`: an answer and its aggregates' tensors
 * - `constraints/`, `storage/`: what tables demand of their rows; saving and loading
 */

export * as aggregates from './aggregates/index.js';
export type { Relation } from './answer/relation.js';
export type { Tensor, TensorOptions, TensorTerm } from './answer/tensor.js';
export { from, type OrderKey, Query, values } from './builder/query.js';
export * as terms from './builder/term.js';
export type { Check, Constraints, Default, Key, Reference, Size } from './constraints/definition.js';
export type { ExecuteOptions, OperatorStatistics } from './execute/context.js';
export { execute, executeAsync } from './execute.js';
export type { CsvOptions } from './format/csv.js';
export * as operators from './operators/index.js';
export type { BlindSpot } from './plan/blind-spots.js';
export type {
  AggregateFunction,
  Column,
  ColumnId,
  Expression,
  Place,
  ScalarFunction,
} from './plan/expression.js';
export {
  type Aggregate,
  type AggregateCall,
  type Contains,
  columnsOf,
  type Distinct,
  type Except,
  type Filter,
  type Intersect,
  type Join,
  type Limit,
  type LogicalPlan,
  type Project,
  type Scan,
  type SingleRow,
  type Sort,
  type SortKey,
  type Union,
  type Values,
} from './plan/plan.js';
export type { Node } from './provenance/circuit.js';
export type { ExpandedPolynomial } from './provenance/polynomial-at.js';
export { ReadingLimitError, type ReadOptions, read } from './provenance/read.js';
export type { Reading, Valuation } from './provenance/reading.js';
export type { Token, Tokens } from './provenance/token.js';
export type { Functions } from './sql/function-catalog.js';
export { SqlError, type SqlErrorOptions } from './sql/parse/sql-error.js';
export { loadCatalog, saveCatalog } from './storage/save.js';
export { Catalog } from './table/catalog.js';
export type { InputRow } from './table/input-row.js';
export type { AppendOptions, Table, TableColumn, TableOptions } from './table/table.js';
export {
  formatDate,
  formatInterval,
  formatTimestamp,
  parseDate,
  parseInterval,
  parseTimestamp,
} from './value/calendar.js';
export { columnTypes, type Interval, type Json, type Type, type Value } from './value/value.js';
