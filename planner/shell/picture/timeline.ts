/**
 * A session as a timeline: what happened, the label of the context after it, what is hidden, and where a
 * human was asked. It is a fold of the log's events, the same fold that the session itself is.
 */

import { type Label, showReaders } from '../../../semiring/label/label.js';
import { shorten } from '../../../semiring/message/visible-text.js';
import type { Design } from '../../agent/decision/design.js';
import { LabelSpace } from '../../agent/label/label-space.js';
import { mapLabels, type SessionEvent } from '../../agent/session/event.js';
import { SessionState } from '../../agent/session/session-state.js';
import { textOf } from '../../agent/session/variables.js';

export type StepKind = 'prompt' | 'call' | 'result' | 'human' | 'reveal' | 'note' | 'answer';

export interface TimelineStep {
  readonly turn: number;
  readonly kind: StepKind;
  /** Not made safe for a screen. */
  readonly text: string;
  /** The context after it. */
  readonly context: Label;
  /** Variables hidden after it. */
  readonly hidden: number;
  /** A human was asked. */
  readonly intervention: boolean;
}

export function timelineOf(design: Design, events: readonly SessionEvent[]): TimelineStep[] {
  const space = new LabelSpace();
  const state = new SessionState(space, design);
  const steps: TimelineStep[] = [];
  for (const event of events) {
    const before = state.hidden.size;
    state.apply(mapLabels(event, (label) => space.intern(label)));
    const described = describe(event, state, state.hidden.size - before);
    if (!described) continue;
    const [kind, text] = described;
    steps.push({
      turn: Math.max(0, state.turn),
      kind,
      text,
      context: state.context,
      hidden: state.hidden.size,
      intervention: kind === 'human',
    });
  }
  return steps;
}

/** Undefined for events that are no step of their own. */
function describe(
  event: SessionEvent,
  state: SessionState,
  newlyHidden: number,
): readonly [StepKind, string] | undefined {
  switch (event.kind) {
    case 'prompted':
      return ['prompt', event.text];
    case 'decided': {
      const args = event.arguments.map(({ name, value }) => `${name}: ${textOf(value)}`).join(', ');
      const verdict = event.decision.verdict === 'allow' ? event.decision.grounds : 'does not comply';
      return ['call', `#${event.call} ${event.tool}(${args}): ${verdict}`];
    }
    case 'reviewed':
      return ['human', `${event.verdict === 'approve' ? 'approves' : 'denies'} call #${event.call}`];
    case 'endorsed':
      return ['human', `endorses ${event.variables.join(', ')}`];
    case 'refused':
      return ['human', `does not endorse ${event.variables.join(', ')}`];
    case 'returned':
    case 'failed': {
      const tool = state.call(event.call)?.tool ?? '';
      const hides = newlyHidden > 0 ? `, ${newlyHidden} hidden` : '';
      return [
        'result',
        event.kind === 'failed'
          ? `#${event.call} ${tool} failed${hides}`
          : `#${event.call} ${tool} returned ${event.leaves.length} ${event.leaves.length === 1 ? 'value' : 'values'}${hides}`,
      ];
    }
    case 'expanded':
      return ['reveal', `shows ${event.variables.join(', ')}`];
    case 'extracted':
      return ['note', `${event.name} from ${event.variables.join(', ')}: ${event.question}`];
    case 'planned':
      return ['note', `plans: ${event.text}`];
    case 'answered':
      return ['answer', event.text];
    default:
      return undefined;
  }
}

export function contextWords({ integrity, readers }: Label): string {
  const who =
    readers === 'everyone'
      ? 'public'
      : readers.size > 3
        ? `${readers.size} readers`
        : shorten(showReaders(readers), 60);
  return `${integrity === 'T' ? 'trusted' : 'untrusted'}, ${who}`;
}
