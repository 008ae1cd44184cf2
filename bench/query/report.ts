/** Measurements as text. */
import Table from 'cli-table3';
import type { Measurement } from './measure.js';

export function report(
  scale: string,
  results: ReadonlyMap<string, readonly Measurement[]>,
  queries: readonly string[],
): string {
  const lines = [`scale ${scale}, milliseconds\n`];
  for (const figure of ['median', 'best'] as const) {
    const table = new Table({ head: [figure, ...queries, 'geo. mean'], style: { head: [], border: [] } });
    for (const [name, measurements] of results) {
      const times = queries.map(
        (query) => measurements.find((m) => m.query === query)?.[figure] ?? Number.NaN,
      );
      table.push([
        name,
        ...times.map((time) => (Number.isNaN(time) ? 'error' : time.toFixed(2))),
        geometricMean(times).toFixed(2),
      ]);
    }
    lines.push(table.toString());
  }
  lines.push(
    ratio('captured', 'plain', results),
    ratio('plain', 'floor', results),
    bytes(results),
    differences(results, queries),
  );
  return `${lines.filter((line) => line !== '').join('\n')}\n\n`;
}

function geometricMean(values: readonly number[]): number {
  return Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);
}

function ratio(a: string, b: string, results: ReadonlyMap<string, readonly Measurement[]>): string {
  const [first, second] = [results.get(a), results.get(b)];
  if (first === undefined || second === undefined) return '';
  const ratios = first.map((m, i) => m.median / second[i].median);
  return `${a} / ${b}: ${ratios.map((r, i) => `${first[i].query} ${r.toFixed(2)}`).join(', ')}; geometric mean ${geometricMean(ratios).toFixed(2)}`;
}

function bytes(results: ReadonlyMap<string, readonly Measurement[]>): string {
  const captured = results.get('captured');
  if (captured === undefined) return '';
  const parts = captured.flatMap(({ query, figures }) =>
    figures.bytes === undefined
      ? []
      : [
          `${query} ${(figures.bytes / Math.max(1, figures.derivations)).toFixed(1)} (${figures.derivations})`,
        ],
  );
  return `bytes of provenance a derivation (derivations): ${parts.join(', ')}`;
}

function differences(
  results: ReadonlyMap<string, readonly Measurement[]>,
  queries: readonly string[],
): string {
  const lines: string[] = [];
  for (const query of queries) {
    const sums = new Map<string, string[]>();
    for (const [name, measurements] of results) {
      const found = measurements.find((m) => m.query === query);
      if (found?.error !== undefined) lines.push(`${name} ${query}: ${found.error}`);
      if (found?.checksum === undefined) continue;
      sums.set(found.checksum, [...(sums.get(found.checksum) ?? []), name]);
    }
    if (sums.size > 1)
      lines.push(
        `ANSWERS DIFFER on ${query}: ${[...sums].map(([sum, names]) => `${sum} ${names.join('+')}`).join('; ')}`,
      );
  }
  return lines.join('\n');
}
