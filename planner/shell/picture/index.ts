/** Pictures of a row's provenance. */
import { nearest } from '../../../semiring/message/nearest.js';
import { ShellError } from '../shell-error.js';
import { dotGraph } from './dot.js';
import type { Graph } from './graph.js';
import { mermaidFlowchart } from './mermaid.js';
import { svgGraph } from './svg.js';
import { textTree } from './text-tree.js';

export { type Gate, type Graph, type GraphOptions, graphOf } from './graph.js';
export { dotGraph, mermaidFlowchart, svgGraph, textTree };

export const pictureFormats = ['tree', 'mermaid', 'dot', 'svg'] as const;
export type PictureFormat = (typeof pictureFormats)[number];

export function isPictureFormat(name: string): name is PictureFormat {
  return (pictureFormats as readonly string[]).includes(name);
}

/** @throws ShellError `shell/unknown-format` */
export function pictureFormat(name: string, offset = 0): PictureFormat {
  if (isPictureFormat(name)) return name;
  throw new ShellError(
    'shell/unknown-format',
    `there is no picture format ${JSON.stringify(name.slice(0, 64))}`,
    { offset, hint: nearest(name, pictureFormats) },
  );
}

export function draw(graph: Graph, format: PictureFormat, title: string): string {
  switch (format) {
    case 'tree':
      return textTree(graph);
    case 'mermaid':
      return mermaidFlowchart(graph);
    case 'dot':
      return dotGraph(graph);
    case 'svg':
      return svgGraph(graph, title);
  }
}
