/**
 * The example of every semiring's page: the table and the query of Green, Karvounarakis and Tannen (PODS
 * 2007), run by the database and read in the semiring. Nothing here is typed in but the table, the query and
 * what its three tokens mean; all else is computed when the pages are made.
 */
import type { Token } from '../../engine/provenance/token.js';
import { Database, type Result } from '../../planner/query/index.js';
import { show } from '../../semiring/contract/semiring.js';
import { intervals } from '../../semiring/instances/intervals.js';
import type { Label } from '../../semiring/label/label.js';
import type { RegisteredSemiring } from '../../semiring/registry.js';

/** Rows of `r`, each after its token's name. */
export const table: readonly (readonly [token: string, a: string, b: string, c: string])[] = [
  ['p', 'a', 'b', 'c'],
  ['r', 'd', 'b', 'e'],
  ['s', 'f', 'g', 'e'],
];

export const query = `SELECT x.a, y.c FROM r x JOIN r y ON x.b = y.b
UNION
SELECT x.a, y.c FROM r x JOIN r y ON x.c = y.c`;

const people = (...names: string[]): ReadonlySet<string> => new Set(names);

const labels: readonly Label[] = [
  { integrity: 'T', readers: people('alice', 'bob') },
  { integrity: 'T', readers: people('bob', 'carol') },
  { integrity: 'U', readers: people('carol') },
];

/** What p, r and s mean, by semiring; where a semiring is absent, what the registry starts from. */
const meanings: ReadonlyMap<string, readonly unknown[]> = new Map<string, readonly unknown[]>([
  ['Boolean', [true, true, false]],
  ['N', [2, 5, 1]],
  ['Z', [2, -1, 1]],
  ['tropical', [1, 0, 2]],
  ['max-plus', [3, 0, -1]],
  ['Viterbi', [0.5, 0.75, 0.25]],
  ['fuzzy', [0.5, 0.75, 0.25]],
  ['Lukasiewicz', [0.5, 0.875, 0.75]],
  ['access control', ['confidential', 'public', 'secret']],
  ['intervals', [intervals([0, 10]), intervals([5, 15]), intervals([20, 30])]],
  ['integrity', ['T', 'T', 'U']],
  ['integrity-alternative', ['T', 'T', 'U']],
  ['confidentiality', ['L', 'L', 'H']],
  ['confidentiality-alternative', ['L', 'L', 'H']],
  ['readers', labels.map((label) => label.readers)],
  ['readers-alternative', labels.map((label) => label.readers)],
  ['labels', labels],
  ['labels-alternative', labels],
]);

/** A row of the answer with its annotation. */
export interface AnnotatedRow {
  readonly a: string;
  readonly c: string;
  readonly annotation: unknown;
}

export interface WorkedExample {
  /** Of p, r and s. */
  readonly meaning: readonly unknown[];
  /** In order of a, then c. */
  readonly rows: readonly AnnotatedRow[];
  /** A value of the semiring as text, with p, r and s for tokens. */
  show(value: unknown): string;
}

export async function workedExample({ semiring, valuation }: RegisteredSemiring): Promise<WorkedExample> {
  const { answer, tokens } = await runQuery();
  const meaning = meanings.get(semiring.name) ?? tokens.map(valuation);
  const reading = answer.annotate(semiring, (token) => meaning[tokens.indexOf(token)]);
  const rows = answer
    .rows()
    .map(([a, c], row): AnnotatedRow => ({ a: String(a), c: String(c), annotation: reading.at(row) }));
  return {
    meaning,
    // Sorted here: ORDER BY would be one more thing that a label depends on.
    rows: rows.sort((one, other) => (one.a + one.c < other.a + other.c ? -1 : 1)),
    show: (value) =>
      show(semiring, value).replace(/\bx(\d+)\b/g, (text, token: string) => {
        const index = tokens.indexOf(Number(token));
        return index < 0 ? text : table[index][0];
      }),
  };
}

async function runQuery(): Promise<{ readonly answer: Result; readonly tokens: readonly Token[] }> {
  const db = new Database();
  const tokens = table.map(([name]) => db.tokens.issue(1, () => name));
  db.load(
    'r',
    table.map(([, a, b, c]) => ({ a, b, c })),
    { rowTokens: tokens },
  );
  return { answer: await db.query(query), tokens };
}
