/** What one execution carries from operator to operator. */
import { AssayError } from '../../semiring/message/error.js';
import type { Arena } from '../memory/pool.js';
import type { LogicalPlan } from '../plan/plan.js';
import type { Token } from '../provenance/token.js';
import type { Value } from '../value/value.js';

export interface OperatorStatistics {
  readonly rows: number;
  /** Own time, inputs not included. */
  readonly milliseconds: number;
  /** Bytes of index vectors that this operator's annotation keeps. */
  readonly provenanceBytes: number;
}

export interface ExecuteOptions {
  /** Values of `$1`, `$2`, … in machine form. */
  readonly parameters?: readonly Value[];
  /** Keep provenance. Default true. */
  readonly capture?: boolean;
  /**
   * `'present'` (default): the rows of SQL's answer. `'possible'`: also rows that some deletion of input rows
   * would bring in, so that what-if readings find them; `Relation.isPresent` tells them apart.
   */
  readonly keep?: 'present' | 'possible';
  /**
   * Says of a token that it is gone: the query runs as if the table had not the row, and where it is a cell's
   * token, as if the cell were NULL. The tables stay as they are.
   */
  readonly isDeleted?: (token: Token) => boolean;
  /** Checked between batches. */
  readonly signal?: AbortSignal;
  /** Filled with one entry for each plan node, for EXPLAIN ANALYZE. */
  readonly statistics?: Map<LogicalPlan, OperatorStatistics>;
  /**
   * Told how long each turn of the event loop between two operators took, in milliseconds: others' time, not
   * the plan's.
   */
  readonly onTurn?: (milliseconds: number) => void;
  /** Where buffers come from. Default: fresh memory. Give a catalog's pool to run in warm memory. */
  readonly pool?: import('../memory/pool.js').BufferPool;
}

export interface Context {
  readonly arena: Arena;
  readonly parameters: readonly Value[];
  readonly capture: boolean;
  readonly possible: boolean;
  readonly isDeleted: ((token: Token) => boolean) | undefined;
  readonly signal: AbortSignal | undefined;
}

/** @throws AssayError `engine/aborted` */
export function checkAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted)
    throw new AssayError('engine/aborted', 'the query was stopped', { cause: signal.reason });
}
