/** Decimal rounding of doubles. A double stands for the shortest decimal that reads as it. */

/**
 * Decimals of at most this many digits come back from a double as they were written; of more, some do not. A
 * column `numeric(p, s)` is thus exact up to here.
 */
export const exactDigits = 15;

/** Powers of ten that a double holds exactly. */
const powers = Float64Array.from({ length: 23 }, (_, n) => Number(`1e${n}`));

/** Rounded half away from zero to `scale` decimals (before the point where it is negative). */
export function roundDecimal(value: number, scale: number): number {
  if (isRounded(value, scale)) return value + 0;
  const shifted = shiftedBy(Math.abs(value), scale);
  // Past 2^53 there are no decimals; Infinity and NaN have none either.
  if (!(shifted < 2 ** 53)) return value;
  const rounded = shiftedBy(Math.round(shifted), -scale);
  return value < 0 ? 0 - rounded : rounded;
}

/**
 * The number rounded to `numeric(precision, scale)`; undefined where it has too many digits before the point.
 */
export function fitDecimal(value: number, precision: number, scale: number): number | undefined {
  const rounded = roundDecimal(value, scale);
  const limit = powers[precision - scale] ?? shiftedBy(1, precision - scale);
  return Math.abs(rounded) >= limit ? undefined : rounded;
}

/** Whether it has so few decimals surely: a quotient of exact numbers is the double nearest to it. */
function isRounded(value: number, scale: number): boolean {
  const power = powers[scale];
  if (power === undefined) return false;
  const shifted = Math.round(value * power);
  return Math.abs(shifted) < 2 ** 53 && shifted / power === value;
}

/** value · 10^places, of the decimal that the number reads as. */
function shiftedBy(value: number, places: number): number {
  const [digits, exponent = '0'] = String(value).split('e');
  return Number(`${digits}e${Number(exponent) + places}`);
}
