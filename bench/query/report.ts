/** Measurements as text. */
import Table from 'cli-table3';
import { queryNames } from './plans.js';
import { type Figure, geometricMean, type Results } from './results.js';

export function report(results: Results): string {
  const parts = [
    `scale ${results.scale}, milliseconds`,
    timesTable(results, 'median'),
    timesTable(results, 'best'),
    bytes(results),
    ...problems(results),
  ];
  return `${parts.filter((part) => part !== '').join('\n')}\n`;
}

function timesTable(results: Results, figure: Figure): string {
  const table = new Table({ head: [figure, ...queryNames, 'geo. mean'], style: { head: [], border: [] } });
  for (const engine of results.engines) {
    const times = results.times(engine, figure);
    table.push([
      engine,
      ...times.map((time) => (!Number.isFinite(time) ? 'none' : time.toFixed(2))),
      geometricMean(times).toFixed(2),
    ]);
  }
  return table.toString();
}

function bytes(results: Results): string {
  const parts = queryNames.flatMap((query) => {
    const each = results.bytes('captured', query);
    const derivations = results.of('captured', query)?.figures.derivations;
    return each === undefined ? [] : [`${query} ${each.toFixed(1)} (${derivations})`];
  });
  return parts.length === 0 ? '' : `bytes of provenance a derivation (derivations): ${parts.join(', ')}`;
}

/** Errors, and answers that are not the same. */
function problems(results: Results): string[] {
  const lines: string[] = [];
  for (const query of queryNames) {
    const sums = new Map<string, string[]>();
    for (const engine of results.engines) {
      const found = results.of(engine, query);
      if (found?.error !== undefined) lines.push(`${engine} ${query}: ${found.error}`);
      if (found?.checksum === undefined) continue;
      sums.set(found.checksum, [...(sums.get(found.checksum) ?? []), engine]);
    }
    if (sums.size > 1) {
      const sides = [...sums].map(([sum, names]) => `${sum} ${names.join('+')}`);
      lines.push(`ANSWERS DIFFER on ${query}: ${sides.join('; ')}`);
    }
  }
  return lines;
}
