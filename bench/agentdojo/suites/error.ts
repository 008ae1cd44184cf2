/** Errors of the benchmark's own making (a tool's error, which the agent sees, is a `ToolError`). */
import { AssayError } from '../../../semiring/message/error.js';

export class BenchError extends AssayError {}
