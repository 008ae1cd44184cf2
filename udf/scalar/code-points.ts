/** Texts as sequences of code points, which is how SQL counts. Texts without surrogates take the fast way. */

const surrogate = /[\ud800-\udfff]/;

export function pointCount(text: string): number {
  if (!surrogate.test(text)) return text.length;
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** As `String.prototype.slice`, in code points. */
export function pointSlice(text: string, start: number, end?: number): string {
  return surrogate.test(text) ? [...text].slice(start, end).join('') : text.slice(start, end);
}

/** Code points before a UTF-16 offset. */
export function pointsBefore(text: string, offset: number): number {
  return pointCount(text.slice(0, offset));
}
