/**
 * The search against brute force: every order, every point at which to reveal, every set of roots to endorse
 * at every point, one small action at a time. And literal plans whose price can be counted by hand.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  type Capabilities,
  forecast,
  interventions,
  type Plan,
  type Step,
  search,
  type Variable,
} from '../../../../planner/agent/forecast/index.js';
import {
  endorse,
  hiddenOf,
  labelOf,
  reveal,
  type State,
  startOf,
  take,
} from '../../../../planner/agent/forecast/state.js';
import { bottom, type Label } from '../../../../semiring/label/label.js';
import { runs } from '../../../runs.js';

const numRuns = runs(150);
const everything = { endorse: true, quarantine: true, reorder: true };
const untrusted: Label = { integrity: 'U', readers: 'everyone' };
const prudentia: Capabilities = { hides: true, quarantine: true, expand: 'all', endorse: true };

/** Dijkstra over single actions: reveal some, endorse some, do a step. */
function bruteForce(plan: Plan): number {
  const prices = plan.prices ?? interventions;
  const can = plan.capabilities;
  const text = (label: Label) =>
    `${label.integrity}${label.readers === 'everyone' ? '*' : [...label.readers].sort()}`;
  const keyOf = (state: State, done: readonly string[]) =>
    JSON.stringify([
      [...done].sort(),
      text(state.context),
      [...state.endorsed].sort(),
      [...state.visible].sort(),
      [...state.variables.values()].map((v) => [v.name, text(v.label), v.witnesses]).sort(),
    ]);
  const subsets = <T>(items: readonly T[]) =>
    Array.from({ length: 2 ** items.length }, (_, mask) => items.filter((_, i) => mask & (1 << i)));
  const roots = new Set([
    ...plan.variables.flatMap(({ witnesses }) => witnesses.flat()),
    ...plan.steps.flatMap(({ result }) => (result ? [result.name] : [])),
  ]);
  let frontier = [{ state: startOf(plan), done: [] as string[], price: 0 }];
  const seen = new Map<string, number>();
  let best = Number.POSITIVE_INFINITY;
  while (frontier.length > 0) {
    const next: typeof frontier = [];
    for (const { state, done, price } of frontier) {
      const key = keyOf(state, done);
      if ((seen.get(key) ?? Number.POSITIVE_INFINITY) <= price) continue;
      seen.set(key, price);
      if (done.length === plan.steps.length) {
        best = Math.min(best, price);
        continue;
      }
      const hidden = hiddenOf(state);
      const trusted = (name: string) => labelOf(state.variables.get(name)!, state.endorsed).integrity === 'T';
      for (const name of hidden) {
        if (
          can.expand === 'one' ||
          (can.expand === 'all' && trusted(name)) ||
          (can.endorse && trusted(name))
        ) {
          next.push({ state: reveal(state, [name]), done, price });
        }
      }
      if (can.expand === 'all' && hidden.length > 0) next.push({ state: reveal(state, hidden), done, price });
      if (can.endorse) {
        const open = [...roots].filter((root) => state.variables.has(root) && !state.endorsed.has(root));
        for (const set of subsets(open)) {
          if (set.length === 0) continue;
          const cost = prices.endorse + set.length * prices.endorseRoot;
          next.push({ state: endorse(state, set), done, price: price + cost });
        }
      }
      for (const step of plan.steps) {
        if (done.includes(step.id) || !step.after.every((id) => done.includes(id))) continue;
        const extractable = can.quarantine
          ? step.arguments.filter((a) => a.extractable).map((a) => a.name)
          : [];
        for (const quarantines of subsets(extractable)) {
          // A step never reveals here: that is an action of its own.
          const move = take(
            state,
            step,
            { endorses: [], quarantines },
            { ...can, expand: 'none', endorse: false },
            prices,
          );
          if (move === undefined) continue;
          next.push({ state: move.state, done: [...done, step.id], price: price + move.price });
        }
      }
    }
    frontier = next;
  }
  return best;
}

const readers = fc.constantFrom<Label['readers']>(
  'everyone',
  'everyone',
  new Set(['a']),
  new Set(['a', 'b']),
);
const label = fc.record({ integrity: fc.constantFrom<'T' | 'U'>('U', 'U', 'T'), readers });

function plans(steps: number): fc.Arbitrary<Plan> {
  const names = ['v0', 'v1', 'r0', 'r1', 'r2', 'r3', 'r4', 'r5'];
  const variables = fc.tuple(label, label, fc.boolean()).map(([a, b, derived]): Variable[] => [
    { name: 'v0', label: a, witnesses: a.integrity === 'T' ? [[]] : [['v0']] },
    {
      name: 'v1',
      label: b,
      witnesses:
        b.integrity === 'T' ? [[]] : derived ? [['v0', 'v1'], ['v1']].slice(derived ? 1 : 0) : [['v1']],
    },
  ]);
  const step = (index: number): fc.Arbitrary<Step> => {
    const some = fc.subarray(names.slice(0, 2 + index), { maxLength: 2 });
    return fc
      .record({
        rule: fc.constantFrom<Step['rule']>(
          'none',
          'trusted-action',
          'trusted-action',
          'permitted-flow',
          'either',
          'both',
        ),
        recipients: fc.constantFrom<Step['recipients']>('unknown', new Set(), new Set(['b']), 'everyone'),
        passes: some,
        reads: some,
        extractable: fc.boolean(),
        needs: fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, some),
        trusted: fc.boolean(),
        result: fc.option(label, { nil: undefined }),
        echoes: fc.boolean(),
        after: fc.boolean(),
      })
      .map((r) => ({
        id: `s${index}`,
        tool: 't',
        rule: r.rule,
        trustedArguments: r.trusted ? ['x'] : [],
        data: ['x', 'y'],
        recipients: r.recipients,
        arguments: [
          { name: 'x', variables: r.passes, reads: [], extractable: false },
          { name: 'y', variables: [], reads: r.reads, extractable: r.extractable },
        ],
        reads: r.needs,
        after: r.after && index > 0 ? [`s${index - 1}`] : [],
        ...(r.result && { result: { name: `r${index}`, label: r.result, echoes: r.echoes ? ['x'] : [] } }),
      }));
  };
  const capabilities = fc.record<Capabilities>({
    hides: fc.boolean(),
    quarantine: fc.boolean(),
    expand: fc.constantFrom('none', 'one', 'all'),
    endorse: fc.boolean(),
  });
  return fc
    .tuple(
      label,
      variables,
      fc.tuple(...Array.from({ length: steps }, (_, i) => step(i))),
      capabilities,
      fc.boolean(),
      fc.boolean(),
    )
    .map(([context, given, all, can, fresh, dear]) => ({
      context: fresh ? bottom : context,
      variables: given,
      // Names of results that no step gives are dropped.
      steps: all.map((one) => keepKnown(one, all)),
      capabilities: can,
      ...(dear && { prices: { approve: 1, endorse: 1, endorseRoot: 0.25, quarantine: 0.125 } }),
    }));
}

function keepKnown(step: Step, all: readonly Step[]): Step {
  const known = new Set(['v0', 'v1', ...all.flatMap(({ result }) => (result ? [result.name] : []))]);
  const keep = (list: readonly string[]) => list.filter((name) => known.has(name));
  return {
    ...step,
    reads: keep(step.reads),
    arguments: step.arguments.map((a) => ({ ...a, variables: keep(a.variables), reads: keep(a.reads) })),
  };
}

describe('search', () => {
  for (const steps of [1, 2, 3]) {
    it(`finds the least price of plans of ${steps} steps`, () => {
      fc.assert(
        fc.property(plans(steps), (plan) => {
          const { price, exact } = search(plan, everything);
          assert.ok(exact);
          assert.equal(price, bruteForce(plan));
        }),
        { numRuns: steps === 3 ? numRuns / 3 : numRuns },
      );
    });
  }

  it('never pays more with more freedom, and the steps it names cost what it says', () => {
    fc.assert(
      fc.property(plans(4), (plan) => {
        const { best, cheapest, ...others } = forecast(plan);
        for (const outlook of [others.approve, others.endorse, others.quarantine, others.reorder]) {
          assert.ok(best.price <= outlook.price);
        }
        assert.equal(
          { best, ...others }[cheapest].price,
          best.price < others.approve.price
            ? Math.min(best.price, others.quarantine.price, others.reorder.price, others.endorse.price)
            : others.approve.price,
        );
        const prices = plan.prices ?? interventions;
        for (const { price, steps } of [best, ...Object.values(others)]) {
          if (price === Number.POSITIVE_INFINITY) continue;
          const sum = steps.reduce(
            (total, { decision, endorses, quarantines }) =>
              total +
              (decision === 'asks' ? prices.approve : 0) +
              (endorses.length > 0 ? prices.endorse + endorses.length * prices.endorseRoot : 0) +
              quarantines.length * prices.quarantine,
            0,
          );
          assert.equal(sum, price);
          assert.equal(new Set(steps.map(({ id }) => id)).size, plan.steps.length);
        }
      }),
      { numRuns },
    );
  });
});

const bill: Variable = { name: '#read_file-1#', label: untrusted, witnesses: [['#read_file-1#']] };
const act = (id: string, more: Partial<Step> = {}): Step => ({
  id,
  tool: 'send_money',
  rule: 'trusted-action',
  trustedArguments: [],
  data: [],
  recipients: new Set(),
  arguments: [],
  reads: [],
  after: [],
  ...more,
});

describe('forecast', () => {
  it('does the trusted call before the expansion', () => {
    const read = act('read', { rule: 'none', reads: [bill.name] });
    const plan: Plan = {
      context: bottom,
      variables: [bill],
      steps: [read, act('pay')],
      capabilities: { ...prudentia, endorse: false },
    };
    const result = forecast(plan);
    assert.deepEqual([result.approve.price, result.reorder.price, result.cheapest], [1, 0, 'reorder']);
    assert.deepEqual(
      result.reorder.steps.map(({ id }) => id),
      ['pay', 'read'],
    );
  });

  it('endorses once where it would be asked twice', () => {
    const read = act('read', { rule: 'none', reads: [bill.name] });
    const steps = [read, act('pay', { after: ['read'] }), act('pay again', { after: ['read'] })];
    const result = forecast({ context: bottom, variables: [bill], steps, capabilities: prudentia });
    assert.deepEqual([result.approve.price, result.reorder.price, result.endorse.price], [2, 2, 1]);
    assert.equal(result.cheapest, 'endorse');
    assert.deepEqual(result.endorse.steps[0].endorses, [bill.name]);
  });

  it('asks a quarantined model for a value rather than read it', () => {
    const argument = { name: 'amount', variables: [], reads: [bill.name], extractable: true };
    const result = forecast({
      context: bottom,
      variables: [bill],
      steps: [act('pay', { arguments: [argument] })],
      capabilities: prudentia,
    });
    assert.deepEqual([result.approve.price, result.quarantine.price, result.cheapest], [1, 0, 'quarantine']);
  });

  it('takes an untrusted value in an argument that must be trusted as one intervention either way', () => {
    const argument = { name: 'recipient', variables: [bill.name], reads: [], extractable: false };
    const pay = act('pay', { trustedArguments: ['recipient'], arguments: [argument] });
    const result = forecast({ context: bottom, variables: [bill], steps: [pay], capabilities: prudentia });
    assert.deepEqual(
      [result.approve.price, result.endorse.price, result.best.price, result.cheapest],
      [1, 1, 1, 'approve'],
    );
  });

  it('says that a plan cannot be done where the design cannot show what must be seen', () => {
    const steps = [act('read', { rule: 'none', reads: [bill.name] })];
    const result = forecast({
      context: bottom,
      variables: [bill],
      steps,
      capabilities: { ...prudentia, expand: 'none', endorse: false },
    });
    assert.deepEqual([result.best.price, result.best.steps], [Number.POSITIVE_INFINITY, []]);
  });

  it('does not show as certified what also depends on an uncertified root', () => {
    const derived: Variable = { name: '#sum#', label: untrusted, witnesses: [['#read_file-1#', '#sum#']] };
    const state = startOf({
      context: bottom,
      variables: [bill, derived],
      steps: [],
      capabilities: prudentia,
    });
    const half = endorse(state, [derived.name]);
    assert.deepEqual([half.context, [...half.visible]], [bottom, []]);
    assert.deepEqual([...endorse(half, [bill.name]).visible], [bill.name]);
    assert.equal(labelOf(derived, endorse(half, [bill.name]).endorsed).integrity, 'T');
  });

  it('is exact for twelve steps and gives an upper bound, and says so, beyond', () => {
    const steps = (count: number) =>
      Array.from({ length: count }, (_, i) =>
        act(`s${i}`, i % 3 === 0 ? { rule: 'none', reads: [bill.name] } : {}),
      );
    const twelve = search(
      { context: bottom, variables: [bill], steps: steps(12), capabilities: prudentia },
      everything,
    );
    assert.deepEqual([twelve.price, twelve.exact], [0, true]);
    const read = act('read', { rule: 'none', reads: [bill.name] });
    const calls = Array.from({ length: 15 }, (_, i) => act(`s${i}`, { after: ['read'] }));
    const capabilities = { ...prudentia, endorse: false };
    const many = search(
      { context: bottom, variables: [bill], steps: [read, ...calls], capabilities },
      everything,
    );
    assert.deepEqual([many.price, many.exact, many.steps.length], [15, false, 16]);
  });

  it('refuses two steps of one name', () => {
    assert.throws(
      () =>
        forecast({ context: bottom, variables: [], steps: [act('a'), act('a')], capabilities: prudentia }),
      { code: 'forecast/step-repeats' },
    );
  });
});
