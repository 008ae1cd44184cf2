/**
 * A layered layout (Sugiyama, Tagawa, Toda 1981): a gate stands above all that it uses; long lines get a bend
 * in each layer that they cross; the order within a layer is by the mean place of the neighbours, a few
 * sweeps down and up.
 */
import type { Graph } from './graph.js';
import { reached } from './text-tree.js';

/** A place in a layer: a gate, or a bend of a line. */
export interface Spot {
  readonly gate: number | undefined;
  readonly width: number;
  x: number;
  readonly layer: number;
}

export interface Layout {
  readonly layers: readonly (readonly Spot[])[];
  /** For each line from gate to gate, the spots that it goes through. */
  readonly lines: readonly (readonly Spot[])[];
  readonly width: number;
}

const gap = 18;
const bendWidth = 4;
const sweeps = 6;

export function layout(graph: Graph, widthOf: (gate: number) => number): Layout {
  const depths = depthsOf(graph);
  const layers: Spot[][] = [];
  const spots = new Map<number, Spot>();
  const place = (gate: number | undefined, layer: number, width: number): Spot => {
    const spot: Spot = { gate, width, x: 0, layer };
    for (let i = layers.length; i <= layer; i++) layers.push([]);
    layers[layer].push(spot);
    return spot;
  };
  for (const [gate, depth] of depths) spots.set(gate, place(gate, depth, widthOf(gate)));
  const lines: Spot[][] = [];
  for (const [gate, from] of spots) {
    for (const below of graph.gates[gate].below) {
      const to = spots.get(below);
      if (!to) continue;
      const bends = Array.from({ length: to.layer - from.layer - 1 }, (_, i) =>
        place(undefined, from.layer + 1 + i, bendWidth),
      );
      lines.push([from, ...bends, to]);
    }
  }
  const above = new Map<Spot, Spot[]>();
  const beneath = new Map<Spot, Spot[]>();
  for (const line of lines) {
    for (let i = 1; i < line.length; i++) {
      above.set(line[i], [...(above.get(line[i]) ?? []), line[i - 1]]);
      beneath.set(line[i - 1], [...(beneath.get(line[i - 1]) ?? []), line[i]]);
    }
  }
  for (const layer of layers) spread(layer);
  for (let sweep = 0; sweep < sweeps; sweep++) {
    const down = sweep % 2 === 0;
    for (const layer of down ? layers : layers.toReversed()) order(layer, down ? above : beneath);
  }
  const width = Math.max(...layers.map((layer) => layer.reduce((sum, spot) => sum + spot.width + gap, gap)));
  for (const layer of layers) centre(layer, width);
  return { layers, lines, width };
}

/** The longest way from the root to each gate that it needs. */
function depthsOf(graph: Graph): ReadonlyMap<number, number> {
  const depths = new Map<number, number>([[graph.root, 0]]);
  // Gates have greater numbers than those below them.
  for (const gate of [...reached(graph)].sort((a, b) => b - a)) {
    const depth = depths.get(gate) ?? 0;
    for (const below of graph.gates[gate].below)
      depths.set(below, Math.max(depths.get(below) ?? 0, depth + 1));
  }
  return depths;
}

function order(layer: Spot[], neighbours: ReadonlyMap<Spot, readonly Spot[]>): void {
  const mean = new Map(
    layer.map((spot) => {
      const near = neighbours.get(spot) ?? [];
      return [spot, near.length === 0 ? spot.x : near.reduce((sum, other) => sum + other.x, 0) / near.length];
    }),
  );
  layer.sort((a, b) => (mean.get(a) ?? 0) - (mean.get(b) ?? 0));
  spread(layer);
}

/** Side by side from 0, then moved so that the middle is at 0. */
function spread(layer: readonly Spot[]): void {
  const total = layer.reduce((sum, spot) => sum + spot.width + gap, -gap);
  let x = -total / 2;
  for (const spot of layer) {
    spot.x = x + spot.width / 2;
    x += spot.width + gap;
  }
}

function centre(layer: readonly Spot[], width: number): void {
  for (const spot of layer) spot.x += width / 2;
}
