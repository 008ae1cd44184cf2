/** Relations, plans, execution, provenance circuits. */
export * as aggregates from './aggregates/index.js';
export { Relation } from './answer/relation.js';
export type { Tensor, TensorOptions, TensorTerm } from './answer/tensor.js';
export { from, type OrderKey, Query, values } from './builder/query.js';
export * as terms from './builder/term.js';
export type { Check, Constraints, Default, Key, Reference, Size } from './constraints/index.js';
export { type ExecuteOptions, execute, executeAsync, type OperatorStatistics } from './execute.js';
export type { Factor, Frame, FrameColumn, TensorInputs, TensorSource } from './frame/frame.js';
export type { Selection } from './frame/selection.js';
export { flatIndex, type Index, indexAt, PackedIndex } from './memory/packed-index.js';
export { type Arena, BufferPool, type PooledArray } from './memory/pool.js';
export * as operators from './operators/index.js';
export type { BlindSpot } from './plan/blind-spots.js';
export * from './plan/expression.js';
export * from './plan/plan.js';
export type { Node } from './provenance/circuit.js';
export * as circuit from './provenance/circuit.js';
export {
  type ExpandedPolynomial,
  type Expansion,
  formulaAt,
  polynomialAt,
} from './provenance/polynomial-at.js';
export { ReadingLimitError, type ReadOptions, read } from './provenance/read.js';
export type { Reading, Valuation } from './provenance/reading.js';
export { slice } from './provenance/slice.js';
export * from './provenance/token.js';
export { loadCatalog, saveCatalog } from './storage/index.js';
export { Catalog } from './table/catalog.js';
export {
  type AppendOptions,
  type CsvOptions,
  type InputRow,
  Table,
  type TableColumn,
  type TableOptions,
} from './table/table.js';
export * from './value/calendar.js';
export { external, internal } from './value/external.js';
export * from './value/value.js';
export {
  type BooleanVector,
  type Bounds,
  type DictionaryVector,
  type Float64Vector,
  type Int32Vector,
  type Nulls,
  type PlainVector,
  type Vector,
  valueAt,
} from './value/vector.js';
