/** A timeline as rows for a table, as a Mermaid sequence diagram, and as SVG. */
import { shorten } from '../../../semiring/message/visible-text.js';
import { mermaidText } from './mermaid.js';
import { svgDocument, svgText, textWidth } from './svg-text.js';
import { contextWords, type StepKind, type TimelineStep } from './timeline.js';

export { timelineOf } from './timeline.js';

export const timelineColumns = [
  { name: 'turn', align: 'right' as const },
  'what',
  'step',
  'context after',
  { name: 'hidden', align: 'right' as const },
];

export function timelineRows(steps: readonly TimelineStep[]): unknown[][] {
  return steps.map(({ turn, kind, text, context, hidden }) => [
    turn,
    kind === 'human' ? 'HUMAN' : kind,
    shorten(text, 120),
    contextWords(context),
    hidden,
  ]);
}

const lanes: Readonly<Record<StepKind, readonly [string, string]>> = {
  prompt: ['User', 'Agent'],
  call: ['Agent', 'Guard'],
  result: ['Guard', 'Agent'],
  human: ['Human', 'Guard'],
  reveal: ['Guard', 'Agent'],
  note: ['Agent', 'Agent'],
  answer: ['Agent', 'User'],
};

export function mermaidTimeline(steps: readonly TimelineStep[]): string {
  const lines = [
    'sequenceDiagram',
    ...['User', 'Agent', 'Guard', 'Human'].map((lane) => `  participant ${lane}`),
  ];
  let before = '';
  for (const { kind, text, context, hidden } of steps) {
    const [from, to] = lanes[kind];
    lines.push(
      `  ${from}${kind === 'human' ? '-->>' : '->>'}${to}: ${mermaidText(shorten(text, 90)).replaceAll(':', '#58;')}`,
    );
    const label = `${contextWords(context)}; ${hidden} hidden`;
    if (label !== before) lines.push(`  Note over Agent,Guard: ${mermaidText(label)}`);
    before = label;
  }
  return lines.join('\n');
}

const rowHeight = 30;
const margin = 24;
const textMost = 90;

/** A mark a step on a line down the page; where a human was asked the mark is a filled diamond. */
export function svgTimeline(steps: readonly TimelineStep[], title: string): string {
  const axis = 150;
  const textAt = axis + 24;
  const contextAt =
    textAt + Math.max(120, ...steps.map((step) => textWidth(shorten(step.text, textMost)))) + 24;
  const width = contextAt + Math.max(160, ...steps.map((step) => textWidth(labelText(step)))) + margin;
  const height = 2 * margin + steps.length * rowHeight;
  const body = [`<line x1="${axis}" y1="${margin}" x2="${axis}" y2="${height - margin}" stroke="#555"/>`];
  let turn = -1;
  for (const [i, step] of steps.entries()) {
    const y = margin + i * rowHeight + rowHeight / 2;
    if (step.turn !== turn) body.push(`<text x="${margin}" y="${y + 4}">turn ${step.turn}</text>`);
    turn = step.turn;
    body.push(
      `<text x="${axis - 14}" y="${y + 4}" text-anchor="end">${step.kind}</text>`,
      mark(step, axis, y),
    );
    body.push(`<text x="${textAt}" y="${y + 4}">${svgText(step.text, textMost)}</text>`);
    // Untrusted contexts are told apart by a frame, not by a colour.
    if (step.context.integrity === 'U') {
      body.push(
        `<rect x="${contextAt - 6}" y="${y - 11}" width="${Math.ceil(textWidth(labelText(step))) + 12}" height="22" fill="none" stroke="black" stroke-dasharray="4 3"/>`,
      );
    }
    body.push(`<text x="${contextAt}" y="${y + 4}">${svgText(labelText(step), 200)}</text>`);
  }
  return svgDocument(width, height, title, body);
}

function labelText({ context, hidden }: TimelineStep): string {
  return `${contextWords(context)}${hidden > 0 ? `; ${hidden} hidden` : ''}`;
}

function mark({ intervention }: TimelineStep, x: number, y: number): string {
  if (!intervention) return `<circle cx="${x}" cy="${y}" r="5" fill="white" stroke="black"/>`;
  return `<path d="M${x} ${y - 8} L${x + 8} ${y} L${x} ${y + 8} L${x - 8} ${y} Z" fill="black"/>`;
}
