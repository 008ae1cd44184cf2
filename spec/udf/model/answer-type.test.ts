import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { AssayError } from '../../../semiring/message/error.js';
import { parseAnswerType, showAnswerType } from '../../../udf/model/answer-type.js';

describe('the text of an answer type', () => {
  it('is read', () => {
    assert.deepEqual(parseAnswerType('boolean'), { kind: 'boolean' });
    assert.deepEqual(parseAnswerType(' Integer '), { kind: 'integer' });
    assert.deepEqual(parseAnswerType('enum(low, very high)'), { kind: 'enum', values: ['low', 'very high'] });
    assert.deepEqual(parseAnswerType('{"type":"null"}'), { kind: 'json', schema: { type: 'null' } });
  });

  it('reads back what is shown', () => {
    for (const text of ['boolean', 'integer', 'number', 'date', 'text', 'enum(a, b)', '{"type":"array"}']) {
      assert.equal(showAnswerType(parseAnswerType(text)), text);
    }
  });

  it('is refused with what would be right', () => {
    for (const text of [
      '',
      'bool',
      'enum',
      'enum()',
      'enum(a,)',
      'enum(a, a)',
      '{',
      '[]',
      'toString',
      '__proto__',
    ]) {
      assert.throws(
        () => parseAnswerType(text),
        (error) =>
          error instanceof AssayError &&
          error.code === 'model/bad-answer-type' &&
          /enum\(a, b\)/.test(error.message),
      );
    }
  });
});
