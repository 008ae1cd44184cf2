/**
 * A planner: whatever decides the next calls, a language model or not. It sees the view and nothing else, so
 * what a design hides from the view is hidden from the planner.
 */

/** A tool call as the planner writes it; names of variables stand in its arguments as text. */
export interface PlannedCall {
  /** The planner model's own id of the call, if it has one. */
  readonly id?: string;
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  /**
   * What the planner wrote where arguments should be and is no JSON object, or its beginning: such a call is
   * not made.
   */
  readonly malformed?: string;
}

/** One message of the planner: calls that are made in parallel, or its last words. */
export type PlannerTurn =
  | { readonly kind: 'calls'; readonly calls: readonly PlannedCall[]; readonly text?: string }
  /** `refused`: the planner will not do the task; the text says why, if anything. */
  | { readonly kind: 'answer'; readonly text: string; readonly refused?: boolean };

/** A turn that has been carried out: `observations[i]` is what the planner was shown of `calls[i]`. */
export interface PastTurn {
  /** How many of the user's prompts came before it. */
  readonly prompts: number;
  readonly calls: readonly PlannedCall[];
  readonly text: string;
  readonly observations: readonly string[];
}

export interface PlannerView {
  /** The user's words. */
  readonly prompts: readonly string[];
  readonly turns: readonly PastTurn[];
}

export interface Planner {
  readonly name: string;
  next(view: PlannerView, signal?: AbortSignal): Promise<PlannerTurn>;
}

/** The calls of the guard itself: they run no tool, and are offered where a design has them. */
export const ifcTool = {
  expand: 'ifc_expand_variables',
  quarantine: 'ifc_quarantined_llm',
  plan: 'ifc_plan',
} as const;
