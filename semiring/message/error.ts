/**
 * The root of every error that assay throws on purpose. `code` is stable and documented, `message` is for
 * people and says what would be right.
 */
export class AssayError extends Error {
  /** Stable, machine-readable: `area/what`, for example `semiring/no-monus`. */
  readonly code: string;

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
    this.code = code;
  }
}

/** A reading needs a law or an operation that the semiring does not declare. */
export class SemiringError extends AssayError {}
