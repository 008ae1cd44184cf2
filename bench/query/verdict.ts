/** The bars: what each figure has to be, and whether it is. Decided on medians; bests stand beside them. */
import Table from 'cli-table3';
import { type QueryName, queryNames } from './plans.js';
import { type Figure, geometricMean, type Results } from './results.js';

interface Bar {
  readonly what: string;
  readonly limit: string;
  readonly median: string;
  readonly best: string;
  readonly met: boolean;
}

export function verdict(results: Results): string {
  const table = new Table({
    head: [`scale ${results.scale}`, 'bar', 'by medians', 'by bests', 'met'],
    style: { head: [], border: [] },
  });
  for (const bar of bars(results))
    table.push([bar.what, bar.limit, bar.median, bar.best, bar.met ? 'yes' : 'NO']);
  return `${table.toString()}\n`;
}

function bars(results: Results): Bar[] {
  const { scale } = results;
  return [
    mean(results, 'captured', 'plain', 1.3, 'at most 1.3 times'),
    worst(results, 'captured', 'plain', 2, 'no query over 2'),
    mean(results, 'plain', 'floor', 3, 'at most 3 times'),
    ...['better-sqlite3', 'sql.js', 'alasql', 'arquero'].map((peer) =>
      faster(results, 'captured', peer, queryNames),
    ),
    mean(
      results,
      'captured',
      'duckdb-inside',
      scale < 0.1 ? 1 : 2,
      scale < 0.1 ? 'faster' : 'within 2 times',
    ),
    faster(results, 'captured-rows', 'duckdb-rows', ['j2', 'path', 'j2d']),
    within(results, 'captured', 'j2', scale < 0.1 ? 20 : 250),
    within(results, 'read-N', 'j2', 20),
    within(results, 'read-integrity', 'j2', 20),
    ...memory(results),
  ].flatMap((bar) => (bar === undefined ? [] : [bar]));
}

function both(figure: (figure: Figure) => string): Pick<Bar, 'median' | 'best'> {
  return { median: figure('median'), best: figure('best') };
}

function mean(results: Results, a: string, b: string, limit: number, bar: string): Bar | undefined {
  const of = (figure: Figure): number => geometricMean(results.ratios(a, b, figure) ?? []);
  if (results.ratios(a, b, 'median') === undefined) return undefined;
  return {
    what: `${a} / ${b}, geometric mean`,
    limit: bar,
    ...both((figure) => of(figure).toFixed(2)),
    met: of('median') <= limit,
  };
}

function worst(results: Results, a: string, b: string, limit: number, bar: string): Bar | undefined {
  if (results.ratios(a, b, 'median') === undefined) return undefined;
  const of = (figure: Figure): number => Math.max(...(results.ratios(a, b, figure) ?? []));
  return {
    what: `${a} / ${b}, worst query`,
    limit: bar,
    ...both((figure) => {
      const at = results.ratios(a, b, figure)?.indexOf(of(figure)) ?? 0;
      return `${of(figure).toFixed(2)} (${queryNames[at]})`;
    }),
    met: of('median') <= limit,
  };
}

/** Shown: how many times faster, at the least. */
function faster(results: Results, a: string, b: string, queries: readonly QueryName[]): Bar | undefined {
  if (results.ratios(a, b, 'median') === undefined) return undefined;
  const of = (figure: Figure): (readonly [QueryName, number])[] =>
    queries.map((query) => [query, results.time(b, query, figure) / results.time(a, query, figure)]);
  const slower = (figure: Figure): (readonly [QueryName, number])[] =>
    of(figure).filter(([, times]) => !(times > 1));
  return {
    what: `${a} against ${b}`,
    limit: queries.length === queryNames.length ? 'faster on all' : `faster on ${queries.join(', ')}`,
    ...both((figure) =>
      of(figure)
        .map(([query, times]) => `${query} ${shownTimes(times)}`)
        .join(' '),
    ),
    met: slower('median').length === 0,
  };
}

function shownTimes(times: number): string {
  if (Number.isNaN(times)) return 'not measured';
  return times === Number.POSITIVE_INFINITY ? '(it did not finish)' : `${times.toFixed(times < 10 ? 1 : 0)}x`;
}

function within(results: Results, engine: string, query: QueryName, limit: number): Bar | undefined {
  if (results.of(engine, query) === undefined) return undefined;
  return {
    what: `${engine} ${query}`,
    limit: `under ${limit} ms`,
    ...both((figure) => `${results.time(engine, query, figure).toFixed(2)} ms`),
    met: results.time(engine, query, 'median') < limit,
  };
}

/** Over the queries that have derivations in the hundreds or more; a handful has constant costs. */
function memory(results: Results): Bar[] {
  const each = queryNames.flatMap((query) => {
    const bytes = results.bytes('captured', query);
    return bytes === undefined ? [] : [[query, bytes] as const];
  });
  if (each.length === 0) return [];
  const shown = each.map(([query, bytes]) => `${query} ${bytes.toFixed(1)}`).join(' ');
  return [
    {
      what: 'bytes of provenance a derivation',
      limit: 'at most 12',
      median: shown,
      best: '',
      met: each.every(([, bytes]) => bytes <= 12),
    },
  ];
}
