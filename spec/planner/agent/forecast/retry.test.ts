/**
 * Properties: the message is equivariant in names (so it can hold nothing but fixed text, prices and the
 * names given, none of which is data), deterministic, and its ways are in order of price. And literal
 * messages.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { retryMessage, type Violation, waysOn } from '../../../../planner/agent/forecast/index.js';
import { runs } from '../../../runs.js';

const numRuns = runs(300);

const base: Violation = {
  tool: 'send_money',
  rule: 'trusted-action',
  trustedArguments: ['recipient'],
  data: [],
  refusesLinks: false,
  context: 'T',
  contextFrom: [],
  arguments: [
    { name: 'recipient', integrity: 'U', variables: ['#read_file-1#'], witnesses: [['#read_file-1#']] },
    { name: 'amount', integrity: 'T', variables: [], witnesses: [[]] },
  ],
  hidden: ['#read_file-1#'],
  capabilities: { hides: true, quarantine: true, expand: 'all', endorse: true },
  mayAsk: true,
};

describe('retryMessage', () => {
  it('tells of an untrusted argument', () => {
    assert.equal(
      retryMessage(base),
      `The call of send_money was not made: it does not comply with the policy.
Rule: trusted action: the call must be made in a trusted context, and \`recipient\` must be trusted.
In the way: \`recipient\` is untrusted: it holds \`#read_file-1#\`.
What would comply, cheapest first (price in human interventions):
1. [0] Write \`recipient\` from what the user asked for, without a variable.
2. [1] Have \`#read_file-1#\` endorsed by expanding with endorsement, then call again.
3. [1] Make the same call again and ask for approval: a human decides on this one call.`,
    );
  });

  it('tells of an untrusted context', () => {
    const violation: Violation = {
      ...base,
      context: 'U',
      contextFrom: ['#read_file-1#'],
      trustedArguments: [],
      arguments: [],
    };
    assert.equal(
      retryMessage(violation),
      `The call of send_money was not made: it does not comply with the policy.
Rule: trusted action: the call must be made in a trusted context.
In the way: your context is untrusted since it holds what came from \`#read_file-1#\`.
What would comply, cheapest first (price in human interventions):
1. [0] In another run, make this call before you expand or read untrusted data.
2. [1] In another run, have \`#read_file-1#\` endorsed instead of expanding without endorsement.
3. [1] Make the same call again and ask for approval: a human decides on this one call.`,
    );
  });

  it('tells of a flow to those who may not read', () => {
    const violation: Violation = {
      ...base,
      tool: 'send_email',
      rule: 'permitted-flow',
      trustedArguments: [],
      data: ['body'],
      refusesLinks: true,
      arguments: [{ name: 'body', integrity: 'T', variables: [], witnesses: [[]] }],
    };
    assert.equal(
      retryMessage(violation),
      `The call of send_email was not made: it does not comply with the policy.
Rule: permitted flow: every recipient must be allowed to read \`body\`, and untrusted data in it may hold no link.
In the way: not every recipient is known to be allowed to read the data, or a check on links failed.
What would comply, cheapest first (price in human interventions):
1. [0] Pass a variable (you have \`#read_file-1#\`) in \`body\` instead of literal text: a variable brings its own readers, a literal those of all you have seen.
2. [0] Ask the quarantined model for \`body\` as a typed value and pass the variable that it gives.
3. [1] Make the same call again and ask for approval: a human decides on this one call.`,
    );
  });

  it('names a smallest set of roots that makes every such argument trusted', () => {
    const violation: Violation = {
      ...base,
      trustedArguments: ['a', 'b'],
      arguments: [
        { name: 'a', integrity: 'U', variables: ['#x#'], witnesses: [['#p#', '#q#'], ['#r#']] },
        {
          name: 'b',
          integrity: 'U',
          variables: ['#y#'],
          witnesses: [
            ['#p#', '#q#'],
            ['#r#', '#s#', '#t#'],
          ],
        },
      ],
    };
    assert.match(retryMessage(violation), /Have `#p#` and `#q#` endorsed/);
    const hopeless = { ...violation, arguments: [{ ...violation.arguments[0], witnesses: [] }] };
    assert.doesNotMatch(retryMessage(hopeless), /endorsed/);
  });

  it('says that nothing is left where nothing is', () => {
    const violation: Violation = {
      ...base,
      rule: 'permitted-flow',
      arguments: [],
      capabilities: { hides: false, quarantine: false, expand: 'none', endorse: false },
      mayAsk: false,
    };
    assert.match(retryMessage(violation), /No way to comply is left/);
  });

  const word = fc.constantFrom('n0', 'n1', 'n2', 'n3', 'n4');
  const words = fc.uniqueArray(word, { maxLength: 3 });
  const integrity = fc.constantFrom<'T' | 'U'>('T', 'U');
  const violation: fc.Arbitrary<Violation> = fc.record({
    tool: fc.constant('n9'),
    rule: fc.constantFrom<Violation['rule']>('none', 'trusted-action', 'permitted-flow', 'either', 'both'),
    trustedArguments: words,
    data: words,
    refusesLinks: fc.boolean(),
    context: integrity,
    contextFrom: words,
    arguments: fc.uniqueArray(
      fc.record({ name: word, integrity, variables: words, witnesses: fc.array(words, { maxLength: 2 }) }),
      { maxLength: 3, selector: ({ name }) => name },
    ),
    hidden: words,
    capabilities: fc.record({
      hides: fc.boolean(),
      quarantine: fc.boolean(),
      expand: fc.constantFrom<'none' | 'one' | 'all'>('none', 'one', 'all'),
      endorse: fc.boolean(),
    }),
    mayAsk: fc.boolean(),
  });

  it('holds nothing but fixed text, prices and names', () => {
    fc.assert(
      fc.property(violation, (one) => {
        // Renaming keeps the order of names, by which ties are broken.
        const rename = (text: string) => text.replace(/\bn(\d)\b/g, '#other-$1#');
        const other: Violation = JSON.parse(rename(JSON.stringify(one)));
        assert.equal(retryMessage(other), rename(retryMessage(one)));
        assert.equal(retryMessage(structuredClone(one)), retryMessage(one));
      }),
      { numRuns },
    );
  });

  it('puts the cheapest way first', () => {
    fc.assert(
      fc.property(violation, (one) => {
        const prices = waysOn(one).map(({ price }) => price);
        assert.deepEqual(
          prices,
          [...prices].sort((a, b) => a - b),
        );
      }),
      { numRuns },
    );
  });
});
