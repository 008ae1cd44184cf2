/**
 * One replayed run as a table for a person: each call, the context's label before it, the decision, and for
 * each violation the results that caused it. All text from the record is shortened and made safe for a
 * terminal.
 */

import type { Decision, Violation } from '../../planner/agent/decision/decide.js';
import { culprits } from '../../planner/agent/explain/culprits.js';
import type { DecidedCall } from '../../planner/agent/session/session.js';
import { SessionRelations } from '../../planner/agent/session/session-relations.js';
import { textOf } from '../../planner/agent/session/variables.js';
import type { Label, Readers } from '../../semiring/label/label.js';
import { shorten, visibleText } from '../../semiring/message/visible-text.js';
import { runName } from './recorded-run.js';
import type { ReplayedRun, ReplayedStep } from './replay.js';
import { layOut } from './table.js';

export function explainRun(replayed: ReplayedRun): string {
  const { run, session } = replayed;
  const lines = [
    `${visibleText(runName(run))} under ${session.design.name}`,
    `prompt: ${shorten(run.prompt, 100)}`,
    '',
    layOut(
      ['step', 'turn', 'call', 'context before', 'decision'],
      replayed.steps.map((step) => stepCells(replayed, step)),
      5,
    ),
  ];
  const relations = new SessionRelations(session.state);
  for (const step of replayed.steps) lines.push(...explainStep(replayed, relations, step));
  const { asked } = replayed;
  const times = asked.length === 1 ? '1 intervention' : `${asked.length} interventions`;
  lines.push('', `${times}; the task was ${run.utility ? 'done' : 'not done'}${attackWords(replayed)}`, '');
  return lines.join('\n');
}

function stepCells(replayed: ReplayedRun, { step, decided, fate }: ReplayedStep): string[] {
  const { call, turn } = replayed.run.steps[step];
  const args = Object.entries(call.args).map(([name, value]) => `${name}: ${textOf(value)}`);
  const attack = replayed.run.attackSteps.includes(step) ? ' (attack)' : '';
  const shown = `${shorten(call.function, 40)}(${shorten(args.join(', '), 60)})${attack}`;
  if (!decided) return [`${step}`, `${turn ?? step}`, shown, '', 'never run'];
  const end = fate === 'failed' ? ', failed' : '';
  return [
    `${step}`,
    `${turn ?? step}`,
    shown,
    labelWords(decided.label),
    `${decisionWords(decided.decision)}${end}`,
  ];
}

function decisionWords(decision: Decision): string {
  return decision.verdict === 'allow' ? `allow: ${decision.grounds}` : 'ask a human';
}

function labelWords(label: Label): string {
  return `${label.integrity === 'T' ? 'trusted' : 'untrusted'}, ${readerWords(label.readers)}`;
}

/** The user is always among the readers. */
function readerWords(readers: Readers): string {
  if (readers === 'everyone') return 'public';
  return readers.size <= 1 ? 'for the user alone' : `for ${readers.size} readers`;
}

function explainStep(
  replayed: ReplayedRun,
  relations: SessionRelations,
  { step, decided }: ReplayedStep,
): string[] {
  if (decided?.decision.verdict !== 'violation') return [];
  const lines = ['', `step ${step}, ${shorten(decided.tool, 40)}:`];
  for (const violation of decided.decision.violations) {
    lines.push(`  ${violationWords(violation)}`, ...culpritLines(replayed, relations, decided, violation));
  }
  return lines;
}

function violationWords(violation: Violation): string {
  switch (violation.kind) {
    case 'consequential':
      return 'it is consequential, and this design knows no labels';
    case 'untrusted':
      return violation.argument === undefined
        ? 'it must be a trusted action, and the context is untrusted'
        : `the argument ${shorten(violation.argument, 40)} must be trusted`;
    case 'unreadable': {
      const { recipients } = violation;
      const who = recipients === 'everyone' ? 'everyone' : shorten(recipients.join(', '), 60);
      return `${shorten(violation.argument, 40)} would go to ${who}, who may not read it`;
    }
    case 'link':
      return `${shorten(violation.argument, 40)} is untrusted and holds a link`;
    case 'unresolved':
      return 'it cannot be told who would receive the data';
  }
}

/** At most this many results, and values of one result, are listed; the rest is counted. */
const most = 5;

function culpritLines(
  replayed: ReplayedRun,
  relations: SessionRelations,
  decided: DecidedCall,
  violation: Violation,
): string[] {
  const { state, policy } = replayed.session;
  const turn = state.call(decided.call)?.turn ?? 0;
  const found = culprits(state, relations, turn, violation, policy.principals.user);
  const lines = found.slice(0, most).flatMap(({ source, call, field, cells }) => {
    const where = `${shorten(source, 50)}${field === '' || call === 0 ? '' : `, ${shorten(field, 40)}`}`;
    const values = cells.slice(0, most).map((cell) => {
      const row = cell.row < 0 ? '' : ` [${cell.row}]`;
      return `      ${labelWords(cell.label)}${row}: ${shorten(textOf(cell.value), 70)}`;
    });
    const rest = cells.length > most ? [`      and ${cells.length - most} more values`] : [];
    return [`    because of ${where}`, ...values, ...rest];
  });
  if (found.length > most) lines.push(`    and ${found.length - most} more results`);
  return lines;
}

function attackWords({ run }: ReplayedRun): string {
  if (run.injectionTask === null) return '';
  if (run.security === null) return '; the attack was not judged';
  return run.security
    ? '; the attack succeeded when it was recorded'
    : '; the attack failed when it was recorded';
}
