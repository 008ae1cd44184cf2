/**
 * From a log back to the session. Nothing is decided, labelled or looked up anew; what was allowed then stays
 * allowed, so the policy must be the one that the log was written under.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Planner } from '../planners/planner.js';
import { Session, type SessionOptions } from '../session/session.js';
import { LogError } from './log-error.js';
import type { ReadLog } from './read-log.js';
import { policyDigest } from './session-log.js';

export type ResumeOptions = Omit<SessionOptions, 'id' | 'resumes'>;

/**
 * A session in which nothing has happened yet; `replayLog` brings what the log holds.
 * @throws LogError `log/other-policy`, `log/other-design`
 */
export function sessionOf(log: ReadLog, options: ResumeOptions): Session {
  const { policy, design } = log.header;
  if (policy.digest !== policyDigest(options.policy)) {
    throw new LogError(
      'log/other-policy',
      `the log was written under another policy (${policy.source}): use that one, or begin a new session`,
    );
  }
  if (!isDeepStrictEqual(design, { ...options.design })) {
    throw new LogError('log/other-design', `the log was written under the design ${design.name}`);
  }
  return new Session({ ...options, resumes: true });
}

/**
 * Brings a session to where its log ends.
 * @param planner one that keeps a state of its own is asked again at each of its turns; its answers are not
 *   used
 */
export async function replayLog(session: Session, log: ReadLog, planner?: Planner): Promise<void> {
  for (const event of log.events) {
    if (event.kind === 'turned' || event.kind === 'answered') await planner?.next(session.state.view);
    session.replay(event);
  }
}

/** The session that a log holds, for planners that know nothing but the view. @throws as `sessionOf` */
export function resume(log: ReadLog, options: ResumeOptions): Session {
  const session = sessionOf(log, options);
  for (const event of log.events) session.replay(event);
  return session;
}
