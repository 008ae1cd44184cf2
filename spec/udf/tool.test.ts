import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { AssayError } from '../../semiring/message/error.js';
import { compileSchema } from '../../udf/json-schema.js';
import { checkArguments, type Tool, ToolArgumentsError } from '../../udf/tool.js';

function tool(parameters: Tool['parameters']): Tool {
  return { name: 'pay', description: '', parameters, execute: async () => null };
}

const pay = tool({
  type: 'object',
  properties: {
    to: { type: 'string', pattern: '^[A-Z]{2}' },
    amount: { type: 'number', minimum: 1 },
    lines: { type: 'array', items: { type: 'object', properties: { 'odd key': { type: 'integer' } } } },
  },
  required: ['to', 'amount'],
  additionalProperties: false,
});

function problems(args: unknown): string[] {
  try {
    checkArguments(pay, args);
    return [];
  } catch (error) {
    assert.ok(error instanceof ToolArgumentsError);
    assert.equal(error.code, 'udf/bad-arguments');
    return error.problems.map(({ path, message }) => `${path}: ${message}`);
  }
}

describe('checking the arguments of a tool call', () => {
  it('passes what fits', () => {
    assert.deepEqual(problems({ to: 'DE1', amount: 2, lines: [{ 'odd key': 1 }] }), []);
  });

  it('names the path and the rule of each problem', () => {
    assert.deepEqual(problems({ to: 'x', amount: 0, lines: [{}, { 'odd key': 1.5 }] }), [
      '$.to: must satisfy "pattern": "^[A-Z]{2}"',
      '$.amount: must satisfy "minimum": 1',
      '$.lines[1]["odd key"]: must satisfy "type": "integer"',
    ]);
    assert.deepEqual(problems({ to: 'DE', amount: 1, more: 1 }), ['$.more: is not expected']);
    assert.deepEqual(problems({ to: 'DE' }), ['$: must satisfy "required": ["to","amount"]']);
  });

  it('refuses anything but one object', () => {
    for (const args of [null, undefined, 'text', 3, [], [{ to: 'DE', amount: 1 }]]) {
      assert.deepEqual(problems(args), ['$: The arguments must be one JSON object.']);
    }
  });

  it('does not quote a value, so that an error may be shown to a planner', () => {
    const text = problems({ to: 'SECRET', amount: -1234567, lines: 'SECRET' }).join();
    assert.ok(!/SECRET|1234567/.test(text), text);
  });

  it('does not take a prototype for a property', () => {
    assert.equal(problems(JSON.parse('{"__proto__": {"to": "DE", "amount": 1}}')).length > 0, true);
    assert.equal(problems(Object.create({ to: 'DE', amount: 1 })).length > 0, true);
  });

  it('fails what it cannot check: lone surrogates in keys, values deeper than the stack', () => {
    assert.equal(problems({ to: 'DE', amount: 1, '\ud800': 1 }).length > 0, true);
    const nested = compileSchema({ $id: 'n', type: 'array', items: { $ref: '#' } });
    const depth = 200_000;
    assert.deepEqual(nested(JSON.parse('['.repeat(depth) + ']'.repeat(depth))), [
      { path: '$', message: 'cannot be checked' },
    ]);
  });

  it('stays quick and brief over very many problems', () => {
    const found = problems({ to: 'DE', amount: 1, lines: Array.from({ length: 50_000 }, () => 1) });
    assert.equal(found.length, 20);
    assert.equal(found[0], '$.lines[0]: must satisfy "type": "object"');
  });

  it('leaves the schema as it was, frozen or not', () => {
    const schema = Object.freeze({
      type: 'object',
      properties: Object.freeze({ a: Object.freeze({ type: 'null' }) }),
    });
    const before = JSON.stringify(schema);
    checkArguments(tool(schema), { a: null });
    assert.equal(JSON.stringify(schema), before);
  });

  it('refuses a schema that cannot be used', () => {
    assert.throws(
      () => compileSchema({ $ref: '#/nowhere' }),
      (error) => error instanceof AssayError && error.code === 'udf/bad-schema',
    );
  });
});
