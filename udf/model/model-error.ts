/**
 * Why a model gave no answer. `retryable` says whether the same request may succeed later; a message never
 * holds a key or a whole response.
 */
import { AssayError } from '../../semiring/message/error.js';

export type ModelErrorCode =
  /** The optional client package is not installed. */
  | 'model/no-client'
  /** A setting is missing or wrong. */
  | 'model/bad-setting'
  /** The endpoint said "too many" (429). */
  | 'model/rate-limited'
  /** The endpoint failed (5xx, 408, 409). */
  | 'model/server'
  /** The endpoint did not accept the request (other 4xx). */
  | 'model/rejected'
  /** No connection, or it was cut before the answer was whole. */
  | 'model/connection'
  /** No whole answer within the time limit. */
  | 'model/timeout'
  /** The caller's signal was aborted. */
  | 'model/cancelled'
  /** The answer does not follow the protocol. */
  | 'model/malformed'
  /** The answer is larger than the limit. */
  | 'model/too-large'
  /** What is to be sent is not plain JSON. */
  | 'model/bad-input'
  /** A token or cost limit would be passed. */
  | 'model/limit'
  /** A scripted model was asked more often than it has replies. */
  | 'model/script-over'
  /** A request differs from the recorded one. */
  | 'model/drift'
  /** A cassette file cannot be read. */
  | 'model/bad-cassette';

export interface ModelErrorDetails extends ErrorOptions {
  readonly retryable?: boolean;
  /** In milliseconds, from `Retry-After`. */
  readonly retryAfter?: number;
  /** HTTP status. */
  readonly status?: number;
}

export class ModelError extends AssayError {
  declare readonly code: ModelErrorCode;
  readonly retryable: boolean;
  readonly retryAfter: number | undefined;
  readonly status: number | undefined;

  constructor(code: ModelErrorCode, message: string, details: ModelErrorDetails = {}) {
    super(code, message, details.cause === undefined ? undefined : { cause: details.cause });
    this.retryable = details.retryable ?? false;
    this.retryAfter = details.retryAfter;
    this.status = details.status;
  }
}
