/**
 * What a person sees while tasks run: on a terminal a line for each run under way, redrawn; elsewhere a line
 * for each thing that happens. Names come from models and files, so all of it is made visible text.
 */

import { violationName } from '../../planner/agent/explain/review.js';
import type { Oversight } from '../../planner/agent/oversight/oversight.js';
import type { SessionEvent } from '../../planner/agent/session/event.js';
import type { Session } from '../../planner/agent/session/session.js';
import { type Readers, showReaders } from '../../semiring/label/label.js';
import { visibleText, wrap } from '../../semiring/message/visible-text.js';
import type { Job, RunOutcome } from './run-task.js';

type Output = NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number };

export interface LiveViewOptions {
  /** Default: whether the stream is a terminal. */
  readonly terminal?: boolean;
  readonly colour?: boolean;
  /** Between two drawings, in milliseconds. Default 80. */
  readonly pause?: number;
}

interface Line {
  readonly job: Job;
  readonly session: Session;
  doing: string;
}

export class LiveView {
  readonly #output: Output;
  readonly #terminal: boolean;
  readonly #colour: boolean;
  readonly #pause: number;
  readonly #lines = new Map<Job, Line>();
  /** Lines that stand on the screen. */
  #drawn = 0;
  #at = 0;
  /** Questions to a human that are open. */
  #pending = 0;

  constructor(output: Output, options: LiveViewOptions = {}) {
    this.#output = output;
    this.#terminal = options.terminal ?? output.isTTY === true;
    this.#colour = this.#terminal && (options.colour ?? true);
    this.#pause = options.pause ?? 80;
  }

  event(job: Job, event: SessionEvent, session: Session): void {
    const doing = describe(event, session);
    if (!this.#terminal) {
      const { head, word, tail } = this.#status(session);
      if (doing !== undefined) this.#output.write(`${nameOf(job)}: ${head}${word}${tail}: ${doing}\n`);
      return;
    }
    const line = this.#lines.get(job) ?? { job, session, doing: '' };
    if (doing !== undefined) line.doing = doing;
    this.#lines.set(job, line);
    this.#draw(false);
  }

  /** A run has ended: one line that stays. */
  ended(outcome: RunOutcome): void {
    this.#erase();
    this.#lines.delete(outcome.job);
    const { end, message, success, interventions, turns, resumed, truncated } = outcome;
    const how = success ? 'done' : end === 'answer' ? 'answered, not done' : end;
    const why = message === undefined ? '' : `: ${visibleText(message)}`;
    const cut = truncated > 0 ? ` without ${truncated} bytes of a line that was cut off` : '';
    const counts = `${turns} turns, ${interventions} interventions${resumed ? `, resumed${cut}` : ''}`;
    this.#output.write(`${nameOf(outcome.job)}: ${how}${why} (${counts})\n`);
    this.#draw(true);
  }

  /** Takes the live lines off the screen. */
  clear(): void {
    this.#erase();
  }

  /** Oversight whose questions are counted here, and are not drawn over. */
  around(oversight: Oversight): Oversight {
    return {
      review: async (request, signal) => {
        this.#pending += 1;
        this.#draw(true);
        try {
          return await oversight.review(request, signal);
        } finally {
          this.#pending -= 1;
        }
      },
    };
  }

  /** For a question on the same screen: the live lines make room. */
  asking(oversight: Oversight): Oversight {
    return {
      review: (request, signal) => {
        this.#erase();
        this.#lines.clear();
        return oversight.review(request, signal);
      },
    };
  }

  #draw(now: boolean): void {
    const time = Date.now();
    if (!this.#terminal || (!now && time - this.#at < this.#pause)) return;
    this.#at = time;
    this.#erase();
    const width = Math.max(40, this.#output.columns ?? 80) - 1;
    for (const { job, session, doing } of this.#lines.values()) {
      const { head, word, tail } = this.#status(session);
      this.#output.write(`${this.#fitted(`${nameOf(job)}  ${head}`, word, `${tail}  ${doing}`, width)}\n`);
      this.#drawn += 1;
    }
  }

  /** At most `width` columns of it, with the word in its colour. */
  #fitted(head: string, word: string, tail: string, width: number): string {
    const [line] = wrap(head + word + tail, width);
    const end = head.length + word.length;
    if (!this.#colour || line.length < end) return line;
    return `${head}\x1b[${word === trusted ? 32 : 33}m${word}\x1b[39m${line.slice(end)}`;
  }

  #erase(): void {
    if (this.#drawn > 0) this.#output.write(`\x1b[${this.#drawn}A\x1b[J`);
    this.#drawn = 0;
  }

  /** Turn, context, variables, open questions. */
  #status({ state }: Session) {
    const { integrity, readers } = state.context;
    const hidden = `${state.hidden.size} of ${state.variables.size} variables hidden`;
    const pending = this.#pending > 0 ? `, ${this.#pending} waiting for a human` : '';
    return {
      head: `turn ${state.turn + 1}, context `,
      word: integrity === 'T' ? trusted : 'untrusted',
      tail: ` for ${readersWords(readers)}, ${hidden}${pending}`,
    };
  }
}

const trusted = 'trusted';

/** More readers than these are counted. */
const namedReaders = 3;

function readersWords(readers: Readers): string {
  const many = readers !== 'everyone' && readers.size > namedReaders;
  return many ? `${readers.size} readers` : visibleText(showReaders(readers));
}

function nameOf({ setting, task, design, run }: Job): string {
  return visibleText(`${design.name} ${setting.name}/${task.id}#${run}`);
}

/** Undefined for what is nothing to tell. */
function describe(event: SessionEvent, session: Session): string | undefined {
  const tool = (call: number) => visibleText(session.state.call(call)?.tool ?? '').slice(0, 64);
  switch (event.kind) {
    case 'turned':
      return `the planner calls ${(event.calls ?? []).map((call) => visibleText(call.tool).slice(0, 64)).join(', ')}`;
    case 'decided': {
      const { decision } = event;
      if (decision.verdict === 'allow') return `${tool(event.call)} is allowed: ${decision.grounds}`;
      return `${tool(event.call)} does not comply: ${visibleText(decision.violations.map(violationName).join('; '))}`;
    }
    case 'reviewed':
      return `a human ${event.verdict === 'approve' ? 'approves' : 'denies'} ${tool(event.call)}`;
    case 'dispatched':
      return `${tool(event.call)} runs`;
    case 'returned':
      return `${tool(event.call)} has returned`;
    case 'failed':
      return `${tool(event.call)} has failed`;
    case 'expanded':
      return `${event.variables.length} variables are revealed`;
    case 'endorsed':
      return `a human endorses ${event.variables.length} variables`;
    case 'refused':
      return `a human does not endorse ${event.variables.length} variables`;
    case 'extracted':
      return 'the quarantined model answers';
    case 'planned':
      return 'the planner notes a plan';
    case 'answered':
      return 'the planner answers';
    case 'started':
    case 'prompted':
    case 'observed':
      return undefined;
  }
}
