/** Graphviz DOT. */
import { shorten } from '../../../semiring/message/visible-text.js';
import type { Gate, Graph } from './graph.js';
import { reached } from './text-tree.js';

export function dotGraph(graph: Graph): string {
  const lines = ['digraph provenance {', '  node [fontname="sans-serif"];'];
  const gates = [...reached(graph)];
  for (const at of gates)
    lines.push(
      `  g${at} [label=${quoted(shorten(graph.gates[at].label, 60))}, shape=${shapes[graph.gates[at].kind] ?? 'circle'}];`,
    );
  for (const at of gates) for (const below of graph.gates[at].below) lines.push(`  g${at} -> g${below};`);
  lines.push('}');
  return lines.join('\n');
}

const shapes: Readonly<Partial<Record<Gate['kind'], string>>> = { token: 'box', more: 'note' };

function quoted(visible: string): string {
  return `"${visible.replace(/[\\"]/g, (mark) => `\\${mark}`)}"`;
}
