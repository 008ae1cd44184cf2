/** Variables: names in, values out, in one pass. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { safeField, splitText, substitute, variableName } from '../../../planner/agent/session/variables.js';

const values = new Map<string, unknown>([
  ['#tool-result-1#', 'one'],
  ['#tool-result-2.body#', 'say #tool-result-1# and #tool-result-3#'],
  ['#tool-result-3#', { amount: 5, list: [1] }],
  ['#tool-result-4-0.id#', 7],
  ['#tool-result-5#', '#tool-'],
  ['#quarantine-result-1#', null],
]);

function fill(written: unknown) {
  return substitute(written, (name) => (values.has(name) ? { value: values.get(name) } : undefined));
}

describe('substitution', () => {
  for (const [written, expected, used] of [
    ['no name', 'no name', []],
    ['a #tool-result-1# b', 'a one b', ['#tool-result-1#']],
    ['#tool-result-1##tool-result-1#', 'oneone', ['#tool-result-1#']],
    ['##tool-result-1#', '#one', ['#tool-result-1#']],
    ['#tool-result-9#tool-result-1#', '#tool-result-9one', ['#tool-result-1#']],
    ['#tool-result-9# #tool-result-1#', '#tool-result-9# one', ['#tool-result-1#']],
    ['#tool-result-1', '#tool-result-1', []],
    ['# tool-result-1#', '# tool-result-1#', []],
    ['#TOOL-RESULT-1#', '#TOOL-RESULT-1#', []],
    ['x #tool-result-3#', 'x {"amount":5,"list":[1]}', ['#tool-result-3#']],
    ['x #quarantine-result-1#', 'x null', ['#quarantine-result-1#']],
    ['#tool-result-4-0.id#', 7, ['#tool-result-4-0.id#']],
    [' #tool-result-4-0.id#', ' 7', ['#tool-result-4-0.id#']],
    ['#quarantine-result-1#', null, ['#quarantine-result-1#']],
    [7, 7, []],
    [null, null, []],
  ] as const) {
    test(`${JSON.stringify(written)} becomes ${JSON.stringify(expected)}`, () => {
      assert.deepEqual(fill(written), { value: expected, used });
    });
  }

  test('text that came out of a variable is not looked through', () => {
    assert.equal(fill('#tool-result-2.body#').value, 'say #tool-result-1# and #tool-result-3#');
    assert.equal(fill('- #tool-result-2.body#').value, '- say #tool-result-1# and #tool-result-3#');
    // Nor do the ends of a value and of the text around it make a name.
    assert.equal(fill('#tool-result-5#result-1#').value, '#tool-result-1#');
    assert.deepEqual(fill('#tool-result-5#result-1#').used, ['#tool-result-5#']);
  });

  test('lists and objects are walked, keys are not read, a key __proto__ stays a key', () => {
    const written = JSON.parse(
      '{"#tool-result-1#": ["#tool-result-1#"], "__proto__": "#tool-result-4-0.id#"}',
    );
    const { value } = fill(written);
    assert.equal(JSON.stringify(value), '{"#tool-result-1#":["one"],"__proto__":7}');
    assert.equal(Object.getPrototypeOf(value), Object.prototype);
  });

  test('arguments in a circle, or nested without end, are refused', () => {
    const circle: Record<string, unknown> = {};
    circle.self = circle;
    assert.throws(() => fill(circle), { code: 'session/too-deep' });
  });

  test('the work is linear: look-ups grow with the text', () => {
    const lookUps = (text: string) => {
      let count = 0;
      splitText(text, () => {
        count += 1;
        return undefined;
      });
      return count;
    };
    // Each name is looked up once, and an opening # with no name after it not at all.
    assert.equal(lookUps('#tool-result-1#x'.repeat(1000)), 1000);
    assert.equal(lookUps('#tool-result-'.repeat(800_000)), 0);
    assert.equal(lookUps(`#tool-result-${'x'.repeat(10_000_000)}#`), 0);
  });
});

describe('names', () => {
  for (const [call, row, field, name] of [
    [1, -1, '', '#tool-result-1#'],
    [2, -1, 'body', '#tool-result-2.body#'],
    [3, 0, '', '#tool-result-3-0#'],
    [12, 4, 'from.name', '#tool-result-12-4.from.name#'],
  ] as const) {
    test(name, () => assert.equal(variableName(call, { row, field }), name));
  }

  test('a field that could break out of its name is known by its place', () => {
    for (const field of ['a#b', 'a b', 'a\nb', '\u202e', 'x'.repeat(201), '"', '`']) {
      assert.equal(safeField(field, 3), 'field-3');
    }
    for (const field of ['body', 'größe', 'a.b[2]', 'unknown-1']) assert.equal(safeField(field, 3), field);
  });
});
