/**
 * The loop of a guarded agent: the planner writes calls, the session decides them, humans and tools answer. The one
 * thing to know: calls of a turn are decided in order on the context of the turn's beginning and run at the same
 * time; their results are taken in order, so that a run does not depend on which tool was faster.
 */
import { type Pending, type Reactions, startCall } from './carry-out.js';
import type { PlannedCall, Planner } from './planner.js';

export interface AgentOptions extends Reactions {
  readonly planner: Planner;
  /** Messages of the planner. Default 50. */
  readonly maxTurns?: number;
}

export type AgentEnd = 'answer' | 'turn limit';

/**
 * Runs the planner on the session's prompts until it answers.
 * @throws what the planner, or the quarantined model, throws; the session's log then holds all that happened before
 */
export async function runAgent(options: AgentOptions): Promise<AgentEnd> {
  const { session, planner, signal, maxTurns = 50 } = options;
  for (let turn = 0; turn < maxTurns; turn++) {
    signal?.throwIfAborted();
    const said = await planner.next(session.state.view, signal);
    if (said.kind === 'answer') {
      session.answer(said.text);
      return 'answer';
    }
    session.beginTurn(undefined, {
      calls: said.calls,
      ...(said.text === undefined ? {} : { text: said.text }),
    });
    await runTurn(options, said.calls);
  }
  return 'turn limit';
}

async function runTurn(options: AgentOptions, calls: readonly PlannedCall[]): Promise<void> {
  const pending: Pending[] = [];
  for (const call of calls) pending.push(await startCall(options, call));
  for (const [at, settle] of pending.entries()) options.session.observed(at, await settle());
}
