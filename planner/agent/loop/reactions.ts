/** Who and what answers a session: tools, humans, the quarantined model. */
import type { Quarantine } from '../../../udf/model/quarantine.js';
import type { Tool } from '../../../udf/tool.js';
import type { Approvals } from '../oversight/approvals.js';
import type { Oversight } from '../oversight/oversight.js';
import type { Session } from '../session/session.js';

/** A session, and all that it may call upon. */
export interface Reactions {
  readonly session: Session;
  readonly tools: ReadonlyMap<string, Tool>;
  readonly oversight: Oversight;
  readonly approvals: Approvals;
  /** Answers `ifc_quarantined_llm`; a design with quarantine needs one. */
  readonly quarantine?: Quarantine;
  /**
   * What happens to a call that does not comply: a human is asked, or the planner is told why. Default `ask`.
   */
  readonly onViolation?: 'ask' | 'deny' | 'retry';
  readonly signal?: AbortSignal;
}
