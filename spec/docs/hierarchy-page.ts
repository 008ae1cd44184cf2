/**
 * The page of the hierarchy: which semiring's reading follows from which, as a Mermaid figure and as a table.
 */
import { hierarchy } from '../../semiring/hierarchy.js';
import { semirings } from '../../semiring/registry.js';
import { code, linkTo, markdownTable, type Page } from './page.js';

export function hierarchyPage(): Page {
  const text = `
# The semirings

An answer's annotation in N[X] holds all that can be asked about how its rows came about. Each step of the figure is a
homomorphism: it forgets one thing, and what is above answers whatever is below.

\`\`\`mermaid
${figure()}
\`\`\`

${markdownTable(
  ['from', 'to', 'adds', 'forgets'],
  hierarchy.map(({ from, to, adds, forgets }) => [link(from), link(to), adds, forgets]),
)}

## All of them

${markdownTable(
  ['semiring', 'reads'],
  [...semirings].map(([name, { reads }]) => [link(name), reads]),
)}
`;
  return { file: 'semirings.md', title: 'The semirings', text: text.trimStart() };
}

/** A Mermaid flowchart; text stands in quotes, so that brackets and dots are only text. */
export function figure(): string {
  const nodes = [...new Set(hierarchy.flatMap(({ from, to }) => [from, to]))];
  const id = (name: string) => `s${nodes.indexOf(name)}`;
  return [
    'flowchart TD',
    ...nodes.map((name) => `  ${id(name)}["${name}"]`),
    ...hierarchy.map(({ from, to, adds }) => `  ${id(from)} -->|"${adds}"| ${id(to)}`),
  ].join('\n');
}

function link(name: string): string {
  return semirings.has(name) ? linkTo(name) : code(name);
}
