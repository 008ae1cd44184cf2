/** A subquery in a place where it is not turned into joins. The database adds the text's line and column. */
import type { Place } from '../../../engine/plan/expression.js';
import { AssayError } from '../../../semiring/message/error.js';

export class UnsupportedSubquery extends AssayError {
  readonly place: Place;
  readonly hint: string | undefined;

  constructor(what: string, place: Place | undefined, hint?: string) {
    super('query/unsupported-subquery', `${what} is not supported`);
    this.place = place ?? { offset: 0 };
    this.hint = hint;
  }
}
