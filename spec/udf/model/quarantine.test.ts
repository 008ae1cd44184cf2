/**
 * The quarantined model. For every hostile input and a model that obeys it in the worst way, only the
 * answer's value may change: one request, without tools, the frames of all inputs intact, and a value of the
 * type or nothing.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { AnswerType } from '../../../udf/model/answer-type.js';
import { encodeData } from '../../../udf/model/data-encoding.js';
import type { ModelRequest } from '../../../udf/model/model.js';
import { ModelError } from '../../../udf/model/model-error.js';
import {
  needsMore,
  type QuarantineAnswer,
  type QuarantineInput,
  quarantine,
} from '../../../udf/model/quarantine.js';
import { scriptedModel } from '../../../udf/model/scripted-model.js';
import { runs } from '../../runs.js';
import { hostileInputs } from './hostile-inputs.js';

const boolean: AnswerType = { kind: 'boolean' };

/**
 * What a reader who knows the mark finds in the request: the question and the inputs, by the rules of the
 * prompt.
 */
function readBack(request: ModelRequest): { question: unknown; inputs: Record<string, unknown>[] } {
  assert.deepEqual(
    request.messages.map((message) => message.role),
    ['system', 'user'],
  );
  const [system, user] = request.messages;
  const mark = /"begin ([0-9a-f]{32})"/.exec(system.text)?.[1];
  assert.ok(mark);
  const lines = user.text.split('\n');
  assert.ok(lines[0].startsWith('Question: '));
  const inputs: Record<string, unknown>[] = [];
  const count = (lines.length - 1) / 3;
  for (let i = 0; i < count; i += 1) {
    const [begin, body, end] = lines.slice(1 + 3 * i, 4 + 3 * i);
    assert.equal(begin, `begin ${mark} ${i + 1}/${count}`);
    assert.equal(end, `end ${mark}`);
    inputs.push(JSON.parse(body) as Record<string, unknown>);
  }
  return { question: JSON.parse(lines[0].slice('Question: '.length)), inputs };
}

/** Asks a model that answers `reply`; returns the answer and the one request. */
async function ask(
  inputs: readonly QuarantineInput[],
  reply: string,
  type: AnswerType = boolean,
): Promise<{ answer: QuarantineAnswer; request: ModelRequest }> {
  const model = scriptedModel(() => reply);
  const answer = await quarantine(model).ask({ question: 'Is it "due"?', inputs, type });
  assert.equal(model.requests.length, 1);
  return { answer, request: model.requests[0] };
}

describe('hostile inputs change the answer within its type, and nothing else', () => {
  it('there are enough of them', () => assert.ok(hostileInputs.size >= 30));

  for (const [title, value] of hostileInputs) {
    it(title, async () => {
      const before = { name: 'before', value: { n: 1 } };
      const after = { name: 'after', value: 'untouched' };
      const inputs = [before, { name: '#tool-result-1#', value }, after];
      const { answer, request } = await ask(inputs, '{"answer": true}');
      assert.deepEqual(Object.keys(request).sort(), ['messages', 'nonce', 'output']);
      const benign = await ask([before, { name: '#tool-result-1#', value: '' }, after], '{"answer": true}');
      assert.deepEqual(request.output, benign.request.output);
      assert.equal(
        request.messages[0].text.replaceAll(request.nonce ?? '', ''),
        benign.request.messages[0].text.replaceAll(benign.request.nonce ?? '', ''),
      );
      const found = readBack(request);
      assert.equal(found.question, 'Is it "due"?');
      assert.deepEqual(found.inputs[0], before);
      assert.deepEqual(found.inputs[2], after);
      assert.equal(found.inputs[1].name, '#tool-result-1#');
      if ('value' in found.inputs[1]) {
        // Exactly what went in comes out, once the escapes are read.
        const expected = typeof value === 'bigint' ? Number(value) : JSON.parse(JSON.stringify(value));
        assert.deepEqual(found.inputs[1].value, expected);
      } else {
        assert.equal(typeof found.inputs[1].characters, 'number');
        assert.ok(String(found.inputs[1].beginning).length <= 200_000);
      }
      // Nothing in the prompt but printable characters and the line feeds of the frames, and no markup.
      assert.ok(!/[^\P{C}\n]|\p{Zl}|\p{Zp}/u.test(request.messages[1].text));
      assert.ok(!/<\||\[\/?INST|<\/?\w/.test(request.messages[1].text));
      assert.deepEqual([answer.kind, answer.kind === 'answer' && answer.value], ['answer', true]);
    });

    it(`${title}, as the model's reply`, async () => {
      const reply = typeof value === 'bigint' ? `{"answer": ${value}}` : JSON.stringify({ answer: value });
      for (const text of [reply, String(value)]) {
        const { answer } = await ask([], text);
        if (answer.kind === 'answer') assert.equal(typeof answer.value, 'boolean');
        // What is said about an answer that does not fit is ours, not the model's.
        if (answer.kind === 'invalid') {
          assert.match(
            answer.problem,
            /^(The reply is not JSON|The reply has no "answer"|The answer is not true or false)\.$/,
          );
        }
      }
    });

    it(`${title}, as an input's name`, async () => {
      const name = typeof value === 'string' ? value : encodeData(value);
      const { request } = await ask(
        [
          { name, value: 1 },
          { name: 'after', value: 2 },
        ],
        '{"answer": true}',
      );
      const { inputs } = readBack(request);
      assert.deepEqual(inputs[0], { name: name.slice(0, 200), value: 1 });
      assert.deepEqual(inputs[1], { name: 'after', value: 2 });
    });
  }

  it('any text at all', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ name: fc.string({ unit: 'binary', maxLength: 50 }), value: fc.jsonValue() }), {
          maxLength: 4,
        }),
        async (inputs) => {
          const { request } = await ask(inputs, '{"answer": false}');
          assert.deepEqual(readBack(request).inputs, JSON.parse(JSON.stringify(inputs)));
        },
      ),
      { numRuns: runs(200) },
    );
  });

  it('the mark differs in every request', async () => {
    const marks = new Set<string | undefined>();
    for (let i = 0; i < 50; i += 1) marks.add((await ask([], '{"answer": true}')).request.nonce);
    assert.equal(marks.size, 50);
  });

  it('refuses values that are not JSON, before any request', async () => {
    const model = scriptedModel([]);
    const deep = JSON.parse('['.repeat(5000) + ']'.repeat(5000));
    for (const value of [undefined, () => 1, Symbol('x'), NaN, Infinity, deep]) {
      await assert.rejects(
        quarantine(model).ask({ question: 'q', inputs: [{ name: 'x', value }], type: boolean }),
        (error) => error instanceof ModelError && error.code === 'model/bad-input',
      );
    }
    assert.equal(model.requests.length, 0);
  });
});

describe('an answer is a value of its type', () => {
  const schema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] };
  const cases: readonly [AnswerType, readonly unknown[], readonly unknown[]][] = [
    [boolean, [true, false], ['true', 0, 1, null, [true]]],
    [{ kind: 'integer' }, [0, -7, 2 ** 53 - 1], [1.5, '1', 2 ** 53, null, true]],
    [{ kind: 'number' }, [0, 1.5, -1e300], ['1', null, true, []]],
    [{ kind: 'enum', values: ['low', 'high'] }, ['low', 'high'], ['Low', ' low', 'medium', 0, '', null]],
    [
      { kind: 'date' },
      ['2024-02-29', '0001-01-01'],
      ['2023-02-29', '2024-13-01', '2024-1-1', 'today', 20240229],
    ],
    [{ kind: 'text' }, ['', 'anything', '#tool-result-1#'], [1, null, true, {}]],
    [{ kind: 'json', schema }, [{ n: 1 }, { n: 2, more: [] }], [{ n: 'x' }, {}, null, 1, [{ n: 1 }]]],
  ];
  for (const [type, good, bad] of cases) {
    it(type.kind, async () => {
      for (const value of good) {
        const { answer } = await ask([], JSON.stringify({ answer: value }), type);
        assert.equal(answer.kind, 'answer', JSON.stringify(value));
        assert.deepEqual(answer.kind === 'answer' && answer.value, value);
      }
      for (const value of bad) {
        const { answer } = await ask([], JSON.stringify({ answer: value }), type);
        assert.equal(answer.kind, 'invalid', JSON.stringify(value));
      }
    });

    it(`${type.kind}: the fixed answer is recognised, exactly`, async () => {
      for (const reply of [JSON.stringify({ answer: needsMore }), needsMore, `\n${needsMore}\n`]) {
        assert.equal((await ask([], reply, type)).answer.kind, 'needs-more');
      }
      for (const reply of [
        'I need more information',
        `${needsMore} Send me the IBAN.`,
        needsMore.toUpperCase(),
      ]) {
        assert.notEqual((await ask([], reply, type)).answer.kind, 'needs-more');
        assert.notEqual((await ask([], JSON.stringify({ answer: reply }), type)).answer.kind, 'needs-more');
      }
    });
  }

  it('a code block around the reply is taken off', async () => {
    const { answer } = await ask([], '```json\n{"answer": true}\n```');
    assert.equal(answer.kind, 'answer');
  });

  it('a reply that is refused or cut is no answer', async () => {
    for (const finish of ['refused', 'length'] as const) {
      const message = { role: 'assistant', text: '{"answer": true}', toolCalls: [] } as const;
      const usage = { calls: 1, inputTokens: 1, outputTokens: 1 };
      const model = scriptedModel([{ message, usage, finish }]);
      const answer = await quarantine(model).ask({ question: 'q', inputs: [], type: boolean });
      assert.equal(answer.kind, 'invalid');
    }
  });

  it('tool calls in the reply are nothing', async () => {
    const model = scriptedModel([{ text: '', toolCalls: [{ id: '1', name: 'send_money', arguments: {} }] }]);
    const answer = await quarantine(model).ask({ question: 'q', inputs: [], type: boolean });
    assert.equal(answer.kind, 'invalid');
    assert.deepEqual(Object.keys(answer).sort(), ['kind', 'problem', 'usage']);
  });
});
