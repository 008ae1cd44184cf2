/**
 * The loop of a guarded agent: the planner writes calls, the session decides them, humans and tools answer.
 * Calls of a turn are decided in order on the context of the turn's beginning and run at the same time; their
 * results are taken in order, so that a run does not depend on which tool was faster.
 */

import type { Planner } from '../planners/planner.js';
import { type Pending, resumeCall, startCall } from './carry-out.js';
import type { Reactions } from './reactions.js';

export interface AgentOptions extends Reactions {
  readonly planner: Planner;
  /** Messages of the planner. Default 50. */
  readonly maxTurns?: number;
}

export type AgentEnd = 'answer' | 'refused' | 'turn limit';

/**
 * Runs the planner on the session's prompts until it answers. A session that was cut off goes on where it
 * was: first with the calls of its last turn that the planner has not been shown.
 * @throws what the planner, or the quarantined model, throws; the session's log then holds all that happened
 *   before
 */
export async function runAgent(options: AgentOptions): Promise<AgentEnd> {
  const { session, planner, signal, maxTurns = 50 } = options;
  if (session.state.answer !== undefined) return session.state.refused ? 'refused' : 'answer';
  await finishTurn(options);
  for (let turn = 0; turn < maxTurns; turn++) {
    signal?.throwIfAborted();
    const said = await planner.next(session.state.view, signal);
    if (said.kind === 'answer') {
      const refused = said.refused === true;
      session.answer(said.text, { refused });
      return refused ? 'refused' : 'answer';
    }
    session.beginTurn(undefined, {
      calls: said.calls,
      ...(said.text === undefined ? {} : { text: said.text }),
    });
    await finishTurn(options);
  }
  return 'turn limit';
}

/** Carries out those calls of the last turn that the planner has not been shown anything of. */
async function finishTurn(options: AgentOptions): Promise<void> {
  const { session, signal } = options;
  const turn = session.state.view.turns.at(-1);
  if (!turn) return;
  const pending = new Map<number, Exclude<Pending, string>>();
  for (const [at, call] of turn.calls.entries()) {
    if (turn.observations[at] !== undefined) continue;
    signal?.throwIfAborted();
    const record = session.state.callAt(at);
    const started = record ? await resumeCall(options, call, record) : await startCall(options, call, at);
    if (typeof started === 'string') session.observed(at, started);
    else pending.set(at, started);
  }
  for (const [at, settle] of pending) session.observed(at, await settle());
}
