/** A graph as an indented tree. A gate that is used again is drawn once and named at the other places. */
import { shorten } from '../../../semiring/message/visible-text.js';
import type { Gate, Graph } from './graph.js';

export function textTree({ gates, root }: Graph): string {
  const uses = new Map<number, number>();
  for (const gate of reached({ gates, root }))
    for (const below of gates[gate].below) uses.set(below, (uses.get(below) ?? 0) + 1);
  const names = new Map<number, string>();
  for (const [gate, times] of uses)
    if (times > 1 && gates[gate].below.length > 0) names.set(gate, `#${names.size + 1}`);
  const drawn = new Set<number>();
  const lines: string[] = [];
  const visit = (at: number, lead: string, mark: string, inner: string): void => {
    const name = names.get(at);
    const again = name !== undefined && drawn.has(at);
    drawn.add(at);
    lines.push(
      `${lead}${mark}${words(gates[at])}${name === undefined ? '' : again ? ` as ${name}` : ` ${name}`}`,
    );
    if (again) return;
    const { below } = gates[at];
    for (const [i, child] of below.entries()) {
      const last = i === below.length - 1;
      visit(child, lead + inner, last ? '└─ ' : '├─ ', last ? '   ' : '│  ');
    }
  };
  visit(root, '', '', '');
  return lines.join('\n');
}

const meaning: Readonly<Partial<Record<Gate['kind'], string>>> = {
  plus: '+ any of',
  times: '· all of',
  monus: '∸ the first without the second',
  delta: 'δ at least one of',
};

function words({ kind, label }: Gate): string {
  return meaning[kind] ?? shorten(label, 80);
}

/** The gates that the root needs. */
export function reached({ gates, root }: Graph): Set<number> {
  const seen = new Set<number>([root]);
  for (const gate of seen) for (const below of gates[gate].below) seen.add(below);
  return seen;
}
