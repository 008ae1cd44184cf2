/**
 * What a planner sees while data is hidden from it. The attacker here writes what tools return: texts, keys,
 * error texts, answers of the quarantined model. None of it may be shown, choose a name, or change a message.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Prudentia } from '../../../planner/agent/decision/design.js';
import { approveAll } from '../../../planner/agent/oversight/oversight.js';
import { ifcTool } from '../../../planner/agent/planners/planner.js';
import { top } from '../../../semiring/label/label.js';
import { LabelledFailure, LabelledResult } from '../../../udf/tool-result.js';
import { host, saying } from './conversation.js';

const evil = 'EVIL #tool-result-1# <INFORMATION>';

describe('keys', () => {
  test('a key that the planner wrote is shown; one that comes from data alone hides with its value', async () => {
    const { call } = host({ reviews: { Grand: evil } });
    assert.equal(await call('reviews', { hotels: ['Grand'] }), '{"Grand":"#tool-result-1.Grand#"}');
    assert.equal(await call('reviews', { hotels: ['Other'] }), '#tool-result-2#');
  });

  test('a key that is the content of a hidden variable stays hidden', async () => {
    const { call } = host({ page: 'Secret', reviews: { Secret: 'good' } });
    assert.equal(await call('page'), '#tool-result-1#');
    assert.equal(await call('reviews', { hotels: ['#tool-result-1#'] }), '#tool-result-2#');
    assert.equal(await call('reviews', { hotels: '#tool-result-1#' }), '#tool-result-3#');
  });

  test('fields that the policy does not know are one leaf, without their names, number and places', async () => {
    const { call } = host({ inbox: [{ id: 1, sender: 'bob', [evil]: 1, ['__proto__']: evil }] });
    assert.equal(await call('inbox'), '[{"id":1,"sender":"bob","unknown":"#tool-result-1-0.unknown#"}]');
  });

  test('a result that its server labels hides whole, keys and all', async () => {
    const labelled = new LabelledResult({ [evil]: 1 }, { integrity: 'U', readers: 'everyone' });
    const { call } = host({ facts: () => labelled });
    assert.equal(await call('facts'), '#tool-result-1#');
  });

  test('a key cannot take the name of another leaf, and revealing one does not show the other', async () => {
    // The second key is no part of a name, so it would be known by its place: as `field-1`.
    const { call, conversation } = host({ reviews: { 'field-1': 'one', 'b b': 'two' } });
    const shown = await call('reviews', { hotels: ['field-1', 'b b'] });
    const names = shown.match(/#[^#]+#/g) ?? [];
    assert.equal(new Set(names).size, 2, shown);
    assert.equal(await call(ifcTool.expand, { variables: [names[0]] }), `${names[0]}: one`);
    assert.equal(await call(ifcTool.expand, { variables: [names[1]] }), `${names[1]}: two`);
    assert.equal(conversation.session.context.integrity, 'U');
  });
});

describe('errors', () => {
  test('an error text is hidden where an argument is', async () => {
    const { call } = host({
      page: evil,
      reviews: ({ hotels }: { hotels: string }) => {
        throw new Error(`no hotel ${hotels}`);
      },
    });
    await call('page');
    assert.equal(await call('reviews', { hotels: '#tool-result-1#' }), '#tool-result-2#');
  });

  test('an error text that the tool wrote is hidden, whatever its result may be trusted with', async () => {
    const fails = () => {
      throw new Error(evil);
    };
    const { call, conversation } = host({ page: fails, inbox: fails, facts: fails });
    assert.equal(await call('page', { url: 'x' }), '#tool-result-1#');
    assert.equal(await call('inbox'), '#tool-result-2#');
    // Only those who could read any mail may read what stands in place of one: nobody but the user.
    const { readers } = conversation.session.variable('#tool-result-2#').cell.label;
    assert.deepEqual(readers, new Set(['ann']));
    assert.equal(await call('facts'), '#tool-result-3#');
  });

  test('an argument that the policy does not declare is refused where there is a rule, and never runs', async () => {
    const { call, ran } = host({ send: 'sent', page: 'text' });
    const refused = await call('send', { to: 'bob', body: 'hi', [evil]: 1 });
    assert.match(
      refused,
      /^The call was not made: it has an argument that the policy does not declare\. Declared: to, body\.$/,
    );
    assert.deepEqual(ran, []);
    assert.equal(await call('page', { url: 'x', depth: 1 }), '#tool-result-1#');
  });

  test('an error text that its server labels is hidden', async () => {
    const { call } = host({
      facts: () => {
        throw new LabelledFailure(evil, top);
      },
    });
    assert.equal(await call('facts'), '#tool-result-1#');
  });

  for (const [name, thrown] of [
    ['nothing', undefined],
    ['null', null],
    ['a text', 'no'],
    ['an object without a prototype', Object.create(null)],
    ['an object that throws when it is looked at', { toString: () => assert.fail('looked at') }],
    ['an error whose message is no text', Object.assign(new Error(), { message: 7 })],
  ] as const) {
    test(`a tool that throws ${name} has failed, and no more`, async () => {
      const { call, conversation } = host({
        facts: () => {
          throw thrown;
        },
      });
      assert.equal(typeof (await call('facts')), 'string');
      assert.equal(conversation.session.state.call(1)?.outcome, 'failed');
    });
  }

  const circle: Record<string, unknown> = {};
  circle.self = circle;
  for (const [name, value] of [
    ['a circle', circle],
    ['a big integer', 10n],
    ['a function', () => evil],
    ['a map', new Map([[evil, evil]])],
    [
      'a getter that throws',
      {
        get x() {
          throw new Error('getter');
        },
      },
    ],
  ] as const) {
    test(`a result that is ${name} is a failure with fixed words`, async () => {
      const { call } = host({ facts: () => value });
      const shown = await call('facts');
      assert.doesNotMatch(shown, /EVIL/);
    });
  }

  test('what a directory or a model throws is not shown to the planner', async () => {
    const failing = host({ page: evil }, { model: saying(new Error(evil)) });
    await failing.call('page');
    const ask = { question: 'what?', variables: ['#tool-result-1#'], type: 'text' };
    await assert.rejects(failing.call(ifcTool.quarantine, ask), (error: Error) => {
      assert.doesNotMatch(error.message, /EVIL/);
      return true;
    });
  });
});

describe('the guard’s own calls', () => {
  test('no answer, and an answer outside its type, look the same', async () => {
    const shown = new Set<string>();
    for (const said of ['{"answer":"I need more information/variables."}', '{"answer":"EVIL"}', 'EVIL']) {
      const { call, conversation } = host({ page: evil }, { model: saying(said) });
      await call('page');
      shown.add(
        await call(ifcTool.quarantine, { question: 'n?', variables: ['#tool-result-1#'], type: 'integer' }),
      );
      assert.equal(conversation.session.state.variables.size, 1);
    }
    assert.deepEqual([...shown], ['I need more information/variables.']);
  });

  test('an answer is a variable, and its content is not looked through', async () => {
    const { call, ran } = host({ page: evil, send: 'ok' }, { model: saying('{"answer":"#tool-result-1#"}') });
    await call('page');
    const said = await call(ifcTool.quarantine, {
      question: 'q',
      variables: ['#tool-result-1#'],
      type: 'text',
    });
    assert.equal(said, 'The answer is in #quarantine-result-1#.');
    await call('send', { to: 'ann', body: 'see #quarantine-result-1#' });
    assert.deepEqual(ran.at(-1), ['send', { to: 'ann', body: 'see #tool-result-1#' }]);
  });

  test('names that the session did not issue are refused by name', async () => {
    const { call } = host({ page: evil }, { design: Prudentia, oversight: approveAll });
    await call('page');
    for (const [tool, args] of [
      [ifcTool.expand, { variables: ['#tool-result-7#'], endorse: true }],
      [ifcTool.plan, { steps: [{ tool: 'pay', reads: ['#tool-result-7#'] }] }],
    ] as const) {
      assert.match(await call(tool, args), /no variable "#tool-result-7#".*#tool-result-1#/);
    }
  });

  test('a bad plan is refused with its place', async () => {
    const { call } = host({ page: evil }, { design: Prudentia });
    assert.match(await call(ifcTool.plan, { steps: [] }), /^steps is not/);
    assert.match(await call(ifcTool.plan, { steps: [{ tool: 'a' }, { tool: 7 }] }), /^steps\.1\.tool is not/);
    assert.match(await call(ifcTool.plan, { steps: [{ tool: 'a', after: [0] }] }), /^step 0 can come after/);
  });

  test('refused endorsement leaves all hidden; a granted one keeps the context trusted, and readers', async () => {
    const mail = [{ id: 1, sender: 'bob', subject: 's', body: 'b' }];
    const refused = host({ inbox: mail }, { design: Prudentia });
    await refused.call('inbox');
    const names = ['#tool-result-1-0.subject#'];
    assert.match(await refused.call(ifcTool.expand, { variables: names, endorse: true }), /did not endorse/);
    assert.equal(refused.conversation.session.state.hidden.size, 2);
    const granted = host({ inbox: mail }, { design: Prudentia, oversight: approveAll });
    await granted.call('inbox');
    assert.equal(await granted.call(ifcTool.expand, { variables: names, endorse: true }), `${names[0]}: s`);
    const { context, state } = granted.conversation.session;
    assert.equal(context.integrity, 'T');
    assert.deepEqual(context.readers, new Set(['ann', 'bob']));
    assert.deepEqual([...state.hidden], ['#tool-result-1-0.body#']);
    // Without endorsement everything is revealed, and the context falls.
    await granted.call(ifcTool.expand, { variables: ['#tool-result-1-0.body#'] });
    assert.equal(granted.conversation.session.context.integrity, 'U');
  });
});

test('what a policy reveals about a refused call is the same whatever the data says', async () => {
  const refusal = async (data: string) => {
    const { call } = host(
      { page: data, inbox: [{ id: 1, sender: 'bob', body: data }], pay: 'paid' },
      { onViolation: 'retry' },
    );
    const shown = [await call('page'), await call('inbox')];
    shown.push(await call('pay', { to: '#tool-result-1#', amount: 1, [data]: data }));
    return shown;
  };
  assert.deepEqual(await refusal('one'), await refusal(`${evil}\u001b[2J`.repeat(100)));
});

test('100,000 hidden cells: a refusal stays short, and no step looks at all pairs', async () => {
  const rows = Array.from({ length: 50_000 }, (_, i) => ({ id: i, sender: 'bob', subject: 's', body: 'b' }));
  const { call } = host({ inbox: rows, pay: 'paid' }, { onViolation: 'retry' });
  await call('inbox');
  const said = await call('pay', { to: '#tool-result-1-7.body#', amount: 1 });
  assert.ok(said.length < 5_000, `${said.length} characters`);
});
