/**
 * How often properties run. Each has a full length, and the slow ones a shorter one for every day.
 * `ASSAY_RUNS=1` asks for the full length, `ASSAY_RUNS=20` for twenty times as much.
 */
import './seed.js';

function readFactor(text: string | undefined): number | undefined {
  if (text === undefined || text === '') return undefined;
  const factor = Number(text);
  if (Number.isFinite(factor) && factor > 0) return factor;
  throw new Error(`ASSAY_RUNS is ${JSON.stringify(text)}; it must be a number above 0`);
}

const factor = readFactor(process.env.ASSAY_RUNS);

/** Whether everything is to be tested at full length. */
export const thorough = factor !== undefined && factor >= 1;

/**
 * @param full what `ASSAY_RUNS` multiplies
 * @param everyday without `ASSAY_RUNS`; default: the full length
 */
export function runs(full: number, everyday = full): number {
  return Math.max(1, Math.ceil(factor === undefined ? everyday : full * factor));
}
