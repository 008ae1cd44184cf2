/**
 * TCR@k curves as SVG: k across, share of all runs up, one line a design. Lines differ by dash and mark as
 * well as by colour, so that the plot survives print and colour blindness.
 */
import { AssayError } from '../../semiring/message/error.js';
import { tcr } from './autonomy.js';
import type { RunRow } from './report.js';

interface Point {
  readonly design: string;
  readonly k: number;
  readonly share: number;
}

/** The points of every design's curve up to the largest number of interventions of a successful run. */
export function curvePoints(runs: readonly RunRow[]): Point[] {
  const designs = [...new Set(runs.map((row) => row.design))];
  const most = runs.reduce((max, row) => (row.success ? Math.max(max, row.interventions) : max), 0);
  return designs.flatMap((design) => {
    const rows = runs.filter((row) => row.design === design);
    return Array.from({ length: most + 1 }, (_, k) => ({ design, k, share: tcr(rows, k) }));
  });
}

/**
 * @returns a complete SVG document
 * @throws AssayError `plot/not-installed` where the optional packages vega and vega-lite are missing
 */
export async function tcrPlot(runs: readonly RunRow[], title: string): Promise<string> {
  const { View, parse, compile } = await plotLibraries();
  const points = curvePoints(runs);
  const specification = compile({
    title,
    width: 480,
    height: 300,
    background: 'white',
    data: { values: points },
    mark: { type: 'line', interpolate: 'step-after', point: { size: 50 }, strokeWidth: 2 },
    encoding: {
      x: {
        field: 'k',
        type: 'quantitative',
        title: 'interventions allowed (k)',
        axis: { tickMinStep: 1, format: 'd' },
      },
      y: {
        field: 'share',
        type: 'quantitative',
        title: 'share of all runs completed (TCR@k)',
        axis: { format: '%' },
        scale: { domain: [0, 1] },
      },
      color: { field: 'design', type: 'nominal', sort: null, scale: { scheme: 'tableau10' } },
      strokeDash: { field: 'design', type: 'nominal', sort: null },
      shape: { field: 'design', type: 'nominal', sort: null },
    },
  }).spec;
  return new View(parse(specification), { renderer: 'none' }).toSVG();
}

async function plotLibraries() {
  try {
    const [vega, vegaLite] = await Promise.all([import('vega'), import('vega-lite')]);
    return { View: vega.View, parse: vega.parse, compile: vegaLite.compile };
  } catch (cause) {
    const message = 'plots need two more packages: npm install vega@6 vega-lite@6.4.3';
    throw new AssayError('plot/not-installed', message, { cause });
  }
}
