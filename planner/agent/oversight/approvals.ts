/**
 * The registry of approvals. The one thing to know: an approval is a statement about one exact call, answered
 * with an unguessable token, redeemed once by that very call, before it expires. Whatever else is presented
 * is refused and recorded, and burns the approval, so that an edited call is decided afresh.
 */
import { createHash, randomBytes } from 'node:crypto';
import { AssayError } from '../../../semiring/message/error.js';
import { digestOf, type Subject } from './request.js';

/** What a human answered. */
export type Verdict = 'approve' | 'deny';

/** Why an answer or a call was refused. */
export type Refusal =
  /** No such token: forged, dropped, or from another registry. */
  | 'unknown'
  | 'expired'
  /** Answered before; the first answer stands. */
  | 'answered'
  | 'unanswered'
  | 'denied'
  /** Redeemed before. */
  | 'used'
  /** The call is not the one that was approved. */
  | 'different'
  /** Withdrawn by `invalidate`. */
  | 'withdrawn';

export type ApprovalOutcome = { readonly ok: true } | { readonly ok: false; readonly reason: Refusal };

/**
 * What is handed out for a request. Who holds `token` may answer: keep it out of logs and of what a model
 * sees.
 */
export interface Ticket {
  readonly id: string;
  readonly token: string;
  readonly digest: string;
  readonly expires: number;
}

export interface ApprovalEvent {
  readonly at: number;
  readonly event: 'requested' | 'answered' | 'redeemed' | 'refused' | 'withdrawn';
  /** Absent where a token is unknown. */
  readonly id?: string;
  readonly decision?: Verdict;
  /** Of `refused`: what was tried, and why not. */
  readonly tried?: 'answer' | 'redeem';
  readonly reason?: Refusal;
}

/** Where an approval stands. */
export type ApprovalState = 'pending' | 'approved' | 'denied' | 'used' | 'burnt' | 'withdrawn';

/** One approval as data, for a session that is stored and resumed. The token itself is not in it. */
export interface SavedApproval {
  readonly id: string;
  /** SHA-256 of the token. */
  readonly key: string;
  readonly digest: string;
  readonly expires: number;
  readonly state: ApprovalState;
}

export interface ApprovalsOptions {
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
  /** How long a request may be answered and redeemed, in milliseconds. Default: ten minutes. */
  readonly lifetime?: number;
  /** How many may be open (unanswered or not yet redeemed) at once. Default 100. */
  readonly limit?: number;
  /** A fresh unguessable token; default: 32 random bytes. */
  readonly random?: () => string;
  readonly record?: (event: ApprovalEvent) => void;
  /** Approvals of a stored session, from `save`. */
  readonly saved?: readonly SavedApproval[];
}

export class Approvals {
  /** Milliseconds from request to expiry. */
  readonly lifetime: number;
  readonly #now: () => number;
  readonly #limit: number;
  readonly #random: () => string;
  readonly #record: (event: ApprovalEvent) => void;
  /** By SHA-256 of the token, oldest first. */
  readonly #all = new Map<string, SavedApproval>();
  #issued = 0;

  constructor(options: ApprovalsOptions = {}) {
    this.#now = options.now ?? Date.now;
    this.lifetime = options.lifetime ?? 600_000;
    this.#limit = options.limit ?? 100;
    this.#random = options.random ?? (() => randomBytes(32).toString('base64url'));
    this.#record = options.record ?? (() => {});
    for (const approval of options.saved ?? []) {
      this.#all.set(approval.key, approval);
      this.#issued = Math.max(this.#issued, Number(/\d+$/.exec(approval.id)?.[0] ?? 0));
    }
  }

  /** @throws AssayError `oversight/too-many-open` past the limit: fail closed, ask nobody */
  request(subject: Subject): Ticket {
    const digest = digestOf(subject);
    this.#sweep();
    if (this.open >= this.#limit) {
      throw new AssayError('oversight/too-many-open', `${this.#limit} approvals are open: answer some first`);
    }
    const token = this.#random();
    const key = keyOf(token);
    if (this.#all.has(key))
      throw new AssayError('oversight/token-repeats', 'the source of tokens repeats itself');
    this.#issued += 1;
    const ticket = { id: `approval-${this.#issued}`, digest, expires: this.#now() + this.lifetime };
    this.#all.set(key, { ...ticket, key, state: 'pending' });
    this.#record({ at: this.#now(), event: 'requested', id: ticket.id });
    return { ...ticket, token };
  }

  /** The first answer stands, also where it came late: nothing is approved by trying again. */
  answer(token: string, decision: Verdict): ApprovalOutcome {
    const approval = this.#all.get(keyOf(token));
    if (approval === undefined) return this.#refuse('answer', 'unknown');
    if (approval.state === 'withdrawn') return this.#refuse('answer', 'withdrawn', approval);
    if (approval.state !== 'pending') return this.#refuse('answer', 'answered', approval);
    if (this.#expired(approval)) return this.#refuse('answer', 'expired', approval);
    // Only the exact word approves; a value from outside the types denies.
    const state = decision === 'approve' ? 'approved' : 'denied';
    this.#set(approval, state);
    this.#record({
      at: this.#now(),
      event: 'answered',
      id: approval.id,
      decision: state === 'approved' ? 'approve' : 'deny',
    });
    return { ok: true };
  }

  /**
   * Uses up an approval for the call that is about to run. To be asked right before it runs, with what runs.
   */
  redeem(token: string, subject: Subject): ApprovalOutcome {
    const approval = this.#all.get(keyOf(token));
    if (approval === undefined) return this.#refuse('redeem', 'unknown');
    const reason = this.#whyNot(approval, subject);
    if (reason === undefined) {
      this.#set(approval, 'used');
      this.#record({ at: this.#now(), event: 'redeemed', id: approval.id });
      return { ok: true };
    }
    if (reason === 'different') this.#set(approval, 'burnt');
    return this.#refuse('redeem', reason, approval);
  }

  /** Voids every open approval, answered or not: for when a plan or a tool's definition has changed. */
  invalidate(): void {
    for (const approval of this.#all.values()) {
      if (!isOpen(approval)) continue;
      this.#set(approval, 'withdrawn');
      this.#record({ at: this.#now(), event: 'withdrawn', id: approval.id });
    }
  }

  /** How many wait for an answer or for their call. */
  get open(): number {
    let count = 0;
    for (const approval of this.#all.values()) if (isOpen(approval) && !this.#expired(approval)) count += 1;
    return count;
  }

  /** All that must survive a restart, as JSON data. */
  save(): readonly SavedApproval[] {
    return [...this.#all.values()];
  }

  #whyNot(approval: SavedApproval, subject: Subject): Refusal | undefined {
    switch (approval.state) {
      case 'denied':
      case 'used':
      case 'withdrawn':
        return approval.state;
      case 'burnt':
        return 'different';
    }
    if (this.#expired(approval)) return 'expired';
    if (approval.state === 'pending') return 'unanswered';
    return digestOf(subject) === approval.digest ? undefined : 'different';
  }

  #expired(approval: SavedApproval): boolean {
    // Written so that a clock that answers NaN expires everything.
    return !(this.#now() < approval.expires);
  }

  #set(approval: SavedApproval, state: ApprovalState): void {
    this.#all.set(approval.key, { ...approval, state });
  }

  #refuse(tried: 'answer' | 'redeem', reason: Refusal, approval?: SavedApproval): ApprovalOutcome {
    const at = this.#now();
    this.#record({ at, event: 'refused', ...(approval && { id: approval.id }), tried, reason });
    return { ok: false, reason };
  }

  /**
   * Closed approvals are remembered, to name the reason for a refusal, but no more of them than may be open.
   */
  #sweep(): void {
    let spare = this.#all.size - 2 * this.#limit;
    for (const [key, approval] of this.#all) {
      if (spare < 0) return;
      if (isOpen(approval) && !this.#expired(approval)) continue;
      this.#all.delete(key);
      spare -= 1;
    }
  }
}

function isOpen(approval: SavedApproval): boolean {
  return approval.state === 'pending' || approval.state === 'approved';
}

function keyOf(token: string): string {
  return createHash('sha256').update(String(token), 'utf8').digest('hex');
}
