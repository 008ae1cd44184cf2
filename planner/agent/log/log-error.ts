/** Errors of logs. A message names the file, the line and the field. */
import { AssayError } from '../../../semiring/message/error.js';

export class LogError extends AssayError {}
