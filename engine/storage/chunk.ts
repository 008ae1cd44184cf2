/**
 * Lists cut into JSON texts. JavaScript has no text of 2^29 characters or more, so a column is as many
 * sections as it needs; only a single value of that size is refused.
 */
import { AssayError } from '../../semiring/message/error.js';

/** About how many characters a section has. */
const goal = 2 ** 24;
/** The least that an item is counted as. */
const leastWeight = 16;

/**
 * The list in pieces, each as the JSON text that `json` makes of the items from `from` to `to - 1`; at least
 * one.
 * @param weigh about how many characters an item takes
 * @param place what the item is, for the message
 * @throws AssayError `engine/too-large` for an item whose JSON is longer than a text can be
 */
export function* chunks(
  count: number,
  weigh: (item: number) => number,
  json: (from: number, to: number) => unknown,
  place: (item: number) => string,
): Generator<Uint8Array> {
  let from = 0;
  do {
    let to = from;
    for (let weight = 0; to < count && (to === from || weight < goal); to++)
      weight += leastWeight + weigh(to);
    yield* encodeOrHalve(from, to, json, place);
    from = to;
  } while (from < count);
}

function* encodeOrHalve(
  from: number,
  to: number,
  json: (from: number, to: number) => unknown,
  place: (item: number) => string,
): Generator<Uint8Array> {
  let encoded: Uint8Array;
  try {
    encoded = encode(json(from, to));
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    if (to - from < 2) throw tooLarge(place(from), error);
    const middle = (from + to) >> 1;
    yield* encodeOrHalve(from, middle, json, place);
    yield* encodeOrHalve(middle, to, json, place);
    return;
  }
  yield encoded;
}

/** One JSON text. @throws AssayError `engine/too-large` */
export function whole(value: unknown, what: string): Uint8Array {
  try {
    return encode(value);
  } catch (error) {
    if (error instanceof RangeError) throw tooLarge(what, error);
    throw error;
  }
}

function encode(value: unknown): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(value));
}

/** The engine says the same of a text that is too long and of a structure that is too deep for its stack. */
function tooLarge(what: string, cause: RangeError): AssayError {
  const limit = /call stack/.test(cause.message)
    ? 'is nested too deeply to be written as JSON'
    : 'is longer, written as JSON, than a text can be (2^29 characters)';
  return new AssayError('engine/too-large', `the database cannot be saved: ${what} ${limit}`, { cause });
}
