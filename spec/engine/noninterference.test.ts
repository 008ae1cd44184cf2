/**
 * Noninterference over every operator: twins, two databases that agree on what an observer sees, give answers
 * that agree on what the observer sees. Properties:
 * 1. strict, for labels with + as meet: the seen parts of both answers are the same;
 * 2. one-sided, for labels with + as join: a seen row of either answer is in the other, maybe tainted;
 * both for the engine and for the reference model, and the strict one for SQL text too;
 * 3. the test can fail: each broken way to read labels is found.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { execute } from '../../engine/execute.js';
import { UnsupportedSubquery } from '../../planner/query/decorrelate/unsupported-subquery.js';
import { optimize } from '../../planner/query/optimize/optimize.js';
import { parametersOf } from '../../planner/query/parameters.js';
import type { Semiring } from '../../semiring/contract/semiring.js';
import type { Integrity, Label, Readers } from '../../semiring/label/label.js';
import {
  alternativeIntegrity,
  alternativeLabels,
  alternativeReaders,
  conservativeIntegrity,
  conservativeReaders,
} from '../../semiring/label/label-semiring.js';
import { type AnswerRow, annotatedRows, engineAnswer, modelAnswer, runs } from './answers.js';
import { boundQuery } from './bound-query.js';
import { baseOf, databases } from './generated-database.js';
import { outline, planOf, type Recipe, recipes } from './generated-plan.js';
import { type SqlQuery, sqlQueries } from './generated-sql.js';
import { sqlDatabases } from './generated-sql-schema.js';
import {
  type LabelledDatabase,
  loadLabelled,
  type Observer,
  twins,
  unmatched,
  visiblePart,
} from './generated-twins.js';
import type { Base } from './reference-relation.js';

const trusted: Observer<Integrity> = {
  visible: fc.constant('T'),
  hidden: fc.constant('U'),
  sees: (label) => label === 'T',
};

const people = (...names: string[]): Readers => new Set(names);

const alice: Observer<Readers> = {
  visible: fc.constantFrom<Readers>('everyone', people('alice'), people('alice', 'bob')),
  hidden: fc.constantFrom(people(), people('bob')),
  sees: (readers) => readers === 'everyone' || readers.has('alice'),
};

const integrities = fc.constantFrom<Integrity>('T', 'U');

/** Either observer on pairs of integrity and readers; the other half of a label is anything. */
const trustedPair: Observer<Label> = {
  visible: fc.record({ integrity: trusted.visible, readers: fc.oneof(alice.visible, alice.hidden) }),
  hidden: fc.record({ integrity: trusted.hidden, readers: fc.oneof(alice.visible, alice.hidden) }),
  sees: (label) => trusted.sees(label.integrity),
};
const alicePair: Observer<Label> = {
  visible: fc.record({ integrity: integrities, readers: alice.visible }),
  hidden: fc.record({ integrity: integrities, readers: alice.hidden }),
  sees: (label) => alice.sees(label.readers),
};

/** No observer: (U, everyone) and (T, nobody) are both hidden from it, their meet (T, everyone) is not. */
const conjunction: Observer<Label> = {
  visible: fc.record({ integrity: trusted.visible, readers: alice.visible }),
  hidden: fc.oneof(
    fc.record({ integrity: trusted.hidden, readers: alice.visible }),
    fc.record({ integrity: trusted.visible, readers: alice.hidden }),
  ),
  sees: (label) => trustedPair.sees(label) && alicePair.sees(label),
};

/** How a labelled database is asked: which rows come out, with which labels. */
type Ask<K, L extends K> = (side: LabelledDatabase<L>, recipe: Recipe, semiring: Semiring<K>) => Answered<K>;

interface Answered<K> {
  readonly rows: readonly AnswerRow<K>[];
  readonly ordered: boolean;
  readonly plan: string;
}

function planFor<L>(side: LabelledDatabase<L>, recipe: Recipe) {
  const loaded = loadLabelled(side);
  const plan = planOf(recipe, loaded.tables, { determinate: false });
  return { loaded, plan, ordered: plan.kind === 'sort', outline: outline(plan) };
}

function askEngine<K, L extends K>(
  side: LabelledDatabase<L>,
  recipe: Recipe,
  semiring: Semiring<K>,
): Answered<K> {
  const { loaded, plan, ordered, outline } = planFor(side, recipe);
  return { rows: engineAnswer<K>(plan, loaded.labelOf, semiring), ordered, plan: outline };
}

/** The reference model; `change` breaks how base tables are labelled. */
function askModel<K, L extends K>(change?: (base: Base<K>, one: K) => Base<K>): Ask<K, L> {
  return (side, recipe, semiring) => {
    const { loaded, plan, ordered, outline } = planFor(side, recipe);
    const base = baseOf<K>(side.database, loaded, semiring.one, loaded.labelOf);
    const changed = (table: Parameters<typeof base>[0]) =>
      change ? change(base(table), semiring.one) : base(table);
    return { rows: modelAnswer(plan, changed, semiring), ordered, plan: outline };
  };
}

function strict<K, L extends K>(
  semiring: Semiring<K>,
  observer: Observer<L>,
  sees: (label: K) => boolean,
  ask: Ask<K, L>,
) {
  return fc.property(twins(databases(), observer), recipes(), ([one, other], recipe) => {
    const [a, b] = [ask(one, recipe, semiring), ask(other, recipe, semiring)];
    assert.deepEqual(visiblePart(a.rows, sees, a.ordered), visiblePart(b.rows, sees, b.ordered), a.plan);
  });
}

function oneSided<K, L extends K>(
  semiring: Semiring<K>,
  observer: Observer<L>,
  sees: (label: K) => boolean,
  ask: Ask<K, L>,
) {
  return fc.property(twins(databases(), observer), recipes(), ([one, other], recipe) => {
    const [a, b] = [ask(one, recipe, semiring), ask(other, recipe, semiring)];
    assert.deepEqual(unmatched(a.rows, b.rows, sees), [], a.plan);
    assert.deepEqual(unmatched(b.rows, a.rows, sees), [], a.plan);
  });
}

for (const [who, numRuns] of [
  ['the reference model', 300],
  ['the engine', 400],
] as const) {
  describe(`noninterference of ${who}`, () => {
    const ask = <K, L extends K>(): Ask<K, L> => (who === 'the engine' ? askEngine : askModel());

    it('holds for what is trusted', () => {
      fc.assert(strict(alternativeIntegrity, trusted, trusted.sees, ask()), runs(numRuns, numRuns / 2));
    });
    it('holds for what a principal may read', () => {
      fc.assert(strict(alternativeReaders, alice, alice.sees, ask()), runs(numRuns, numRuns / 2));
    });
    it('holds for each half of a pair of integrity and readers', () => {
      for (const half of [trustedPair, alicePair])
        fc.assert(strict(alternativeLabels, half, half.sees, ask()), runs(numRuns / 2, numRuns / 4));
    });
    it('holds for what is trusted up to tainting, where + is join', () => {
      const sees = (label: Integrity | null) => label === 'T';
      fc.assert(
        oneSided<Integrity | null, Integrity>(conservativeIntegrity, trusted, sees, ask()),
        runs(numRuns, numRuns / 2),
      );
    });
    it('holds for what a principal may read up to tainting, where + is join', () => {
      const sees = (label: Readers | null) => label !== null && alice.sees(label);
      fc.assert(
        oneSided<Readers | null, Readers>(conservativeReaders, alice, sees, ask()),
        runs(numRuns, numRuns / 2),
      );
    });
  });
}

describe('noninterference of SQL text, by front end, optimiser and executor', () => {
  async function askSql<L>(
    side: LabelledDatabase<L>,
    { text, parameters }: SqlQuery,
    semiring: Semiring<L>,
  ): Promise<AnswerRow<L>[]> {
    const { tables, labelOf } = loadLabelled(side);
    const { plan } = await boundQuery(text, tables, parameters);
    const relation = execute(optimize(plan).plan, { parameters: parametersOf(parameters).values });
    const rows = annotatedRows(relation, labelOf, semiring);
    relation.release();
    return rows;
  }

  function holds<L>(semiring: Semiring<L>, observer: Observer<L>) {
    return fc.asyncProperty(twins(sqlDatabases(), observer), sqlQueries(60), async (pair, query) => {
      const parts: (readonly string[])[] = [];
      for (const side of pair) {
        const rows = await askSql(side, query, semiring).catch((error: unknown) => {
          if (!(error instanceof UnsupportedSubquery)) throw error;
        });
        if (!rows) return;
        parts.push(visiblePart(rows, observer.sees, query.ordered));
      }
      assert.deepEqual(parts[0], parts[1], query.text);
    });
  }

  it('holds for what is trusted', async () => {
    await fc.assert(holds(alternativeIntegrity, trusted), runs(400, 200));
  });
  it('holds for what a principal may read', async () => {
    await fc.assert(holds(alternativeReaders, alice), runs(400, 200));
  });
});

describe('the noninterference property finds', () => {
  const seed = 7;
  const finds = (
    semiring: Semiring<Integrity>,
    change?: (base: Base<Integrity>, one: Integrity) => Base<Integrity>,
  ) => {
    const details = fc.check(strict(semiring, trusted, trusted.sees, askModel(change)), {
      numRuns: 4000,
      seed,
    });
    assert.equal(details.failed, true);
  };

  it('labels that forget who may add or remove rows', () => {
    finds(alternativeIntegrity, (base, one) => ({ ...base, membership: one }));
  });
  it('labels that forget the cells', () => {
    finds(alternativeIntegrity, (base, one) => ({
      ...base,
      rows: base.rows.map((row) => ({ ...row, cells: row.cells.map(() => one) })),
    }));
  });
  it('difference read as a derivation: "the label of the left row"', () => {
    finds({ ...alternativeIntegrity, reads: 'derivation', monus: (a) => a });
  });
  it('a join that takes the label of one side', () => {
    finds({ ...alternativeIntegrity, times: (a) => a });
  });
  it('that with + as meet "trusted and readable" is two statements and not one', () => {
    const property = strict(alternativeLabels, conjunction, conjunction.sees, askModel());
    assert.equal(fc.check(property, { numRuns: 4000, seed }).failed, true);
  });
  it('that with + as join the status of a trusted row depends on untrusted duplicates', () => {
    const sees = (label: Integrity | null) => label === 'T';
    const property = strict<Integrity | null, Integrity>(conservativeIntegrity, trusted, sees, askModel());
    assert.equal(fc.check(property, { numRuns: 4000, seed }).failed, true);
  });
});
