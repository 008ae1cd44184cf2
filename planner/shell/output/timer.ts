/** What a statement took, part by part, in milliseconds. */
export interface Times {
  readonly parse: number;
  readonly plan: number;
  readonly run: number;
  /** Reading the annotations. */
  readonly provenance: number;
}

export function showTimes({ parse, plan, run, provenance }: Times): string {
  const show = (milliseconds: number): string => `${milliseconds.toFixed(milliseconds < 10 ? 2 : 0)} ms`;
  return `time: parse ${show(parse)}, plan ${show(plan)}, run ${show(run)}, provenance ${show(provenance)}`;
}
