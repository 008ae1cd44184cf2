/** How often properties run: the numbers in the tests are for every change; `ASSAY_RUNS=100` runs a hundred times as many. */
export function runs(usual: number): number {
  const factor = Number(process.env.ASSAY_RUNS ?? 1);
  return Math.max(1, Math.round(usual * (Number.isFinite(factor) && factor > 0 ? factor : 1)));
}
