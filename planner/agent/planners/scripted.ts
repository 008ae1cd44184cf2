/** A planner that says what a list says, turn by turn; then it answers. For tests and demonstrations. */
import type { Planner, PlannerTurn } from './planner.js';

export function scriptedPlanner(turns: readonly PlannerTurn[], name = 'scripted'): Planner {
  return {
    name,
    next: async (view) => turns[view.turns.length] ?? { kind: 'answer', text: '' },
  };
}
