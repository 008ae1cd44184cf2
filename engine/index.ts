/** Relations, plans, execution, provenance circuits. */
export * as aggregates from './aggregates/index.js';
export type { BlindSpot } from './blind-spots.js';
export { from, type OrderKey, Query, values } from './builder.js';
export * from './calendar.js';
export { Catalog } from './catalog.js';
export type { Node } from './circuit.js';
export * as circuit from './circuit.js';
export type { Check, Constraints, Default, Key, Reference, Size } from './constraints/index.js';
export { type ExecuteOptions, execute, executeAsync, type OperatorStatistics } from './execute.js';
export * from './expression.js';
export { external, internal } from './external.js';
export type { Factor, Frame, FrameColumn, TensorInputs, TensorSource } from './frame.js';
export * as operators from './operators/index.js';
export { flatIndex, type Index, indexAt, PackedIndex } from './packed-index.js';
export * from './plan.js';
export { type ExpandedPolynomial, type Expansion, formulaAt, polynomialAt } from './polynomial-at.js';
export { type Arena, BufferPool, type PooledArray } from './pool.js';
export { ReadingLimitError, type ReadOptions, read } from './read.js';
export type { Reading, Valuation } from './reading.js';
export { Relation } from './relation.js';
export type { Selection } from './selection.js';
export { slice } from './slice.js';
export { loadCatalog, saveCatalog } from './storage/index.js';
export {
  type AppendOptions,
  type CsvOptions,
  type InputRow,
  Table,
  type TableColumn,
  type TableOptions,
} from './table.js';
export type { Tensor, TensorOptions, TensorTerm } from './tensor.js';
export * as terms from './term.js';
export * from './token.js';
export * from './value.js';
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
} from './vector.js';
