/**
 * Python's ways of writing values, against a YAML 1.1 reader, against Python itself where it is there, and by
 * example.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import fc from 'fast-check';
import { parse } from 'yaml';
import { float, pythonRepr } from '../../../bench/agentdojo/suites/python-repr.js';
import { parseIsoTime, parseTime } from '../../../bench/agentdojo/suites/python-time.js';
import { safeDump, type YamlNode } from '../../../bench/agentdojo/suites/safe-dump.js';
import { runs } from '../../runs.js';

/** Texts made of what YAML and Python treat in a special way. */
const piece = fc.constantFrom(
  ...[
    'a',
    "it's",
    '-',
    '- x',
    '#no',
    'x #y',
    'key: v',
    'k:',
    '\n',
    '\n\n',
    '  ',
    ' ',
    '\t',
    'é',
    '\u2019',
    '😀',
    '"',
    '\\',
  ],
  ...[
    'yes',
    'null',
    '2024-05-15',
    '12',
    '1.0',
    '0x1f',
    '1:30',
    '~',
    '<<',
    '=',
    '{a}',
    '[b]',
    '%',
    '@',
    '?',
    '---',
    '...',
  ],
  ...[
    'a-long-word-of-thirty-characters',
    '\x85',
    '\u2028',
    '\ufeff',
    '\x07',
    '!',
    '|',
    '>',
    '*',
    '&',
    ',',
    '.5',
    '-.inf',
    '1e+3',
  ],
);
const text = fc
  .tuple(fc.array(piece, { maxLength: 30 }), fc.constantFrom('', ' '))
  .map(([pieces, between]) => pieces.join(between));
const tree = fc.letrec<{ node: unknown }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 2 },
    text,
    fc.array(tie('node'), { maxLength: 3 }),
    fc.dictionary(
      fc.oneof(text, fc.string({ minLength: 120, maxLength: 130, unit: 'grapheme-ascii' })),
      tie('node'),
      {
        maxKeys: 3,
        noNullPrototype: true,
      },
    ),
  ),
}));
const document = fc.oneof(
  fc.array(tree.node, { minLength: 1 }),
  fc.record({ a: tree.node, b: tree.node }, { noNullPrototype: true }),
);

/** All texts and keys of a document. */
function inside(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  return Object.entries(value)
    .flatMap(([key, item]) => [key, inside(item)])
    .join('|');
}

function node(value: unknown): YamlNode {
  if (Array.isArray(value)) return value.map(node);
  if (typeof value === 'object' && value !== null) {
    return new Map(Object.entries(value).map(([key, item]) => [key, node(item)]));
  }
  return String(value);
}

test('what is dumped reads back, by a YAML 1.1 reader', () => {
  // Left out: what the reader and PyYAML take differently (floats without a point, other line breaks).
  const readable = document.filter(
    (value) => !/[\x85\u2028\u2029\ufeff]|\x07|1e\+3|1:30/.test(inside(value)),
  );
  fc.assert(
    fc.property(readable, (value) => {
      const back: unknown = parse(safeDump(node(value)), { version: '1.1', merge: false });
      assert.deepEqual(back, value);
    }),
    { numRuns: runs(200) },
  );
});

const python = spawnSync('python3', ['-c', 'import yaml; print(yaml.__version__)'], { encoding: 'utf8' });
const noPython = python.status === 0 ? false : 'no python3 with PyYAML on this machine';

/** What a Python expression over `value` gives for each value. */
function inPython(expression: string, values: readonly unknown[]): unknown {
  const code = `import json, sys, yaml\nprint(json.dumps([${expression} for value in json.load(sys.stdin)]))`;
  const run = spawnSync('python3', ['-c', code], {
    input: JSON.stringify(values),
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  assert.equal(run.status, 0, run.stderr);
  return JSON.parse(run.stdout);
}

test('documents are dumped byte for byte as PyYAML does', { skip: noPython }, () => {
  const values = fc.sample(document, { numRuns: runs(300) });
  const theirs = inPython('yaml.safe_dump(value, default_flow_style=False)', values);
  assert.deepEqual(
    values.map((value) => safeDump(node(value))),
    theirs,
  );
});

test('texts and numbers are shown as Python does', { skip: noPython }, () => {
  const texts = fc.sample(fc.oneof(text, fc.string({ unit: 'binary-ascii' })), { numRuns: runs(300) });
  assert.deepEqual(
    texts.map((value) => pythonRepr(value)),
    inPython('repr(value)', texts),
  );
  const numbers = fc
    .sample(fc.double({ noNaN: true, noDefaultInfinity: true }), { numRuns: runs(300) })
    .map((number) => number + 0); // JSON has no -0;
  assert.deepEqual(numbers.map(float), inPython('repr(float(value))', numbers));
});

test('long lines fold where PyYAML folds them', () => {
  const dumped = (value: string) => safeDump(new Map([['body', value]]));
  const words = 'word '.repeat(20).trim();
  assert.equal(dumped(words), `body: ${'word '.repeat(16)}\n  word word word word\n`.replace(' \n', '\n'));
  assert.equal(dumped('a\n\nb'), "body: 'a\n\n\n  b'\n");
  assert.equal(dumped('é: "x"'), 'body: "\\xE9: \\"x\\""\n');
  assert.equal(dumped('26'), "body: '26'\n");
  assert.equal(dumped(''), "body: ''\n");
});

test('floats and repr by example', () => {
  assert.deepEqual([1810, 98.7, 0.01, 1e16, 1e-5, -0].map(float), [
    '1810.0',
    '98.7',
    '0.01',
    '1e+16',
    '1e-05',
    '-0.0',
  ]);
  assert.equal(
    pythonRepr({ a: ["it's", 'x'], b: null, c: true }),
    `{'a': ["it's", 'x'], 'b': None, 'c': True}`,
  );
  assert.equal(pythonRepr({ a: 45 }, true), "{'a': 45.0}");
});

test('dates are read and refused in the words of Python', () => {
  assert.equal(parseTime('2024-5-1 9:05', '%Y-%m-%d %H:%M'), '2024-05-01 09:05:00');
  assert.equal(parseIsoTime('2024-02-29T10:00'), '2024-02-29 10:00:00');
  const refused = (read: () => string) => {
    try {
      return read();
    } catch (error) {
      return (error as Error).message;
    }
  };
  assert.deepEqual(
    [
      refused(() => parseTime('2025-01-02', '%Y-%m-%d %H:%M')),
      refused(() => parseTime('2023-10-15 18:00:00Z', '%Y-%m-%d %H:%M')),
      refused(() => parseTime('today', '%Y-%m-%d')),
      refused(() => parseTime('2023-02-29', '%Y-%m-%d')),
      refused(() => parseIsoTime("Emma's day")),
    ],
    [
      "ValueError: time data '2025-01-02' does not match format '%Y-%m-%d %H:%M'",
      'ValueError: unconverted data remains: :00Z',
      "ValueError: time data 'today' does not match format '%Y-%m-%d'",
      'ValueError: day is out of range for month',
      `ValueError: Invalid isoformat string: "Emma's day"`,
    ],
  );
});
