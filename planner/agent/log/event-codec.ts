/** Events to and from the lines of a log. `decode(encode(event))` equals `event`, maps included. */

import type { Label } from '../../../semiring/label/label.js';
import { AssayError } from '../../../semiring/message/error.js';
import type { Decision, LabelledArgument, Violation } from '../decision/decide.js';
import type { Leaf } from '../label/labelling.js';
import { isRecord } from '../label/principals.js';
import type { PlannedCall } from '../planners/planner.js';
import type { SessionEvent } from '../session/event.js';
import { decodeValue, encodeValue } from './value.js';
import type { WrittenEvent } from './written-event.js';

type Written<K extends WrittenEvent['kind']> = Extract<WrittenEvent, { kind: K }>;

/** @param number the label's number in the log's table @param hide takes secrets out of a text */
export function encodeEvent(
  event: SessionEvent,
  number: (label: Label) => number,
  hide: (text: string) => string,
): WrittenEvent {
  const value = (data: unknown) => encodeValue(data, hide);
  switch (event.kind) {
    case 'prompted':
    case 'planned':
    case 'answered':
    case 'observed':
      return { ...event, text: hide(event.text) };
    case 'failed':
      return { ...event, text: hide(event.text), label: number(event.label) };
    case 'turned':
      return {
        kind: 'turned',
        turn: event.turn,
        ...(event.text !== undefined && { text: hide(event.text) }),
        ...(event.calls && {
          calls: event.calls.map((call) => ({
            ...call,
            arguments: value(call.arguments),
            ...(call.malformed !== undefined && { malformed: hide(call.malformed) }),
          })),
        }),
      };
    case 'decided':
      return {
        ...event,
        arguments: event.arguments.map(({ name, value: data, label, stored }) => ({
          name,
          value: value(data),
          label: number(label),
          ...(stored && { stored: number(stored) }),
        })),
        variables: Array.from(event.variables, ([name, used]): [string, string[]] => [name, [...used]]),
        label: number(event.label),
        decision: encodeDecision(event.decision, number),
      };
    case 'returned':
      return {
        ...event,
        value: value(event.value),
        leaves: event.leaves.map(({ row, field, value: data, label }) => ({
          row,
          field,
          ...(!Object.is(valueIn(event.value, row, field), data) && { value: value(data) }),
          label: number(label),
        })),
      };
    case 'extracted':
      return {
        ...event,
        question: hide(event.question),
        variables: [...event.variables],
        value: value(event.value),
      };
    case 'expanded':
    case 'endorsed':
    case 'refused':
      return { ...event, variables: [...event.variables] };
    case 'started':
    case 'reviewed':
    case 'dispatched':
      return { ...event };
  }
}

function encodeDecision(
  decision: Decision,
  number: (label: Label) => number,
): Written<'decided'>['decision'] {
  if (decision.verdict === 'allow') return { ...decision };
  const violations = decision.violations.map((violation) => {
    switch (violation.kind) {
      case 'unreadable': {
        const { recipients, label } = violation;
        return {
          ...violation,
          label: number(label),
          recipients: recipients === 'everyone' ? recipients : [...recipients],
        };
      }
      case 'untrusted':
      case 'link':
        return { ...violation, label: number(violation.label) };
      default:
        return { ...violation };
    }
  });
  return { verdict: 'violation', violations };
}

/** @throws AssayError `log/bad-label`, `log/bad-value` */
export function decodeEvent(
  written: WrittenEvent,
  labelOf: (number: number) => Label | undefined,
): SessionEvent {
  const label = (number: number): Label => {
    const found = labelOf(number);
    if (found) return found;
    throw new AssayError('log/bad-label', `no line has declared the label ${number}`);
  };
  switch (written.kind) {
    case 'failed':
      return { ...written, label: label(written.label) };
    case 'turned': {
      const { calls, ...rest } = written;
      return calls ? { ...rest, calls: calls.map(decodeCall) } : rest;
    }
    case 'decided':
      return {
        ...written,
        arguments: written.arguments.map(
          (argument): LabelledArgument => ({
            name: argument.name,
            value: decodeValue(argument.value),
            label: label(argument.label),
            ...(argument.stored !== undefined && { stored: label(argument.stored) }),
          }),
        ),
        variables: new Map(written.variables),
        label: label(written.label),
        decision: decodeDecision(written.decision, label),
      };
    case 'returned': {
      const value = decodeValue(written.value);
      const leaves = written.leaves.map(
        (leaf): Leaf => ({
          row: leaf.row,
          field: leaf.field,
          value: 'value' in leaf ? decodeValue(leaf.value) : valueIn(value, leaf.row, leaf.field),
          label: label(leaf.label),
        }),
      );
      return { ...written, value, leaves };
    }
    case 'extracted':
      return { ...written, value: decodeValue(written.value) };
    default:
      return written;
  }
}

function decodeCall(call: NonNullable<Written<'turned'>['calls']>[number]): PlannedCall {
  const args = decodeValue(call.arguments);
  if (!isRecord(args)) throw new AssayError('log/bad-value', 'the arguments of a call are no object');
  return { ...call, arguments: args };
}

function decodeDecision(written: Written<'decided'>['decision'], label: (number: number) => Label): Decision {
  if (written.verdict === 'allow') return written;
  const violations = written.violations.map(
    (violation): Violation =>
      'label' in violation ? { ...violation, label: label(violation.label) } : violation,
  );
  return { verdict: 'violation', violations };
}

/** What stands in a result at a row and a field of it, where the field is a plain key. */
function valueIn(result: unknown, row: number, field: string): unknown {
  const item = row < 0 ? result : Array.isArray(result) ? result[row] : undefined;
  if (field === '') return item;
  return isRecord(item) && Object.hasOwn(item, field) ? item[field] : undefined;
}
