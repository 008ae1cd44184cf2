/** The `Retry-After` header (RFC 9110, 10.2.3): seconds, or a date. */

/**
 * Milliseconds to wait, or undefined where the header is missing or says nothing usable.
 * @param now milliseconds since 1970, to count from where the header is a date
 */
export function retryAfter(headers: Headers | undefined, now: number): number | undefined {
  const exact = headers?.get('retry-after-ms') ?? '';
  if (/^\d{1,12}(\.\d{1,9})?$/.test(exact)) return Number(exact);
  const text = headers?.get('retry-after')?.trim() ?? '';
  if (/^\d{1,9}(\.\d{1,9})?$/.test(text)) return Number(text) * 1000;
  // An HTTP date starts with a day's name; `Date.parse` alone takes far more than that.
  if (!/^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(text)) return undefined;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
