/** Mermaid text. Untrusted names are shown as visible text, with Mermaid's own characters as entities. */
import { shorten } from '../../../semiring/message/visible-text.js';
import type { Gate, Graph } from './graph.js';
import { reached } from './text-tree.js';

export function mermaidFlowchart(graph: Graph): string {
  const lines = ['flowchart TD'];
  const gates = [...reached(graph)];
  for (const at of gates) lines.push(`  g${at}${shape(graph.gates[at])}`);
  for (const at of gates) for (const below of graph.gates[at].below) lines.push(`  g${at} --> g${below}`);
  return lines.join('\n');
}

function shape({ kind, label }: Gate): string {
  const text = mermaidText(shorten(label, 60));
  if (kind === 'token') return `["${text}"]`;
  return kind === 'more' ? `>"${text}"]` : `(("${text}"))`;
}

/** Text inside quotes of Mermaid. */
export function mermaidText(visible: string): string {
  return visible.replace(/[#"<>&;]/g, (mark) => `#${mark.codePointAt(0)};`);
}
