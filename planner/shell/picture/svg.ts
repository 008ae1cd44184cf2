/**
 * A graph as SVG: tokens are boxes, operations circles, lines go down from a result to what it is made of.
 */
import { shorten } from '../../../semiring/message/visible-text.js';
import type { Gate, Graph } from './graph.js';
import { layout, type Spot } from './layers.js';
import { svgDocument, svgText, textWidth } from './svg-text.js';

const layerHeight = 64;
const margin = 24;
const radius = 13;
const boxHeight = 24;

export function svgGraph(graph: Graph, title: string): string {
  const { layers, lines, width } = layout(graph, (gate) => widthOf(graph.gates[gate]));
  const y = (spot: Spot): number => margin + spot.layer * layerHeight;
  const body: string[] = [];
  for (const line of lines) {
    const points = line.map((spot) => `${round(spot.x)},${round(y(spot))}`).join(' ');
    body.push(`<polyline points="${points}" fill="none" stroke="#555" stroke-width="1.2"/>`);
  }
  for (const spot of layers.flat()) {
    if (spot.gate !== undefined) body.push(...drawn(graph.gates[spot.gate], round(spot.x), round(y(spot))));
  }
  return svgDocument(width, 2 * margin + (layers.length - 1) * layerHeight, title, body);
}

function drawn(gate: Gate, x: number, y: number): string[] {
  const text = `<text x="${x}" y="${y + 4}" text-anchor="middle">${svgText(gate.label)}</text>`;
  if (gate.kind !== 'token' && gate.kind !== 'more') {
    return [`<circle cx="${x}" cy="${y}" r="${radius}" fill="#eee" stroke="black"/>`, text];
  }
  const width = widthOf(gate);
  const dashes = gate.kind === 'more' ? ' stroke-dasharray="4 3"' : '';
  return [
    `<rect x="${round(x - width / 2)}" y="${y - boxHeight / 2}" width="${round(width)}" height="${boxHeight}" rx="3" fill="white" stroke="black"${dashes}/>`,
    text,
  ];
}

function widthOf({ kind, label }: Gate): number {
  return kind === 'token' || kind === 'more' ? textWidth(shorten(label, 60)) + 16 : 2 * radius;
}

function round(n: number): number {
  return Math.round(n * 10) / 10;
}
