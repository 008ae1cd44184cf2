/** A policy file may come from anywhere: no text may crash, hang or confuse the loader. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { PolicyError } from '../../../../planner/agent/policy/diagnostic.js';
import { checkPolicy, loadPolicy } from '../../../../planner/agent/policy/load.js';
import { runs } from '../../../runs.js';
import { example } from './example.js';

const first = (text: string) => checkPolicy(text).find(({ severity }) => severity === 'error')?.message;

describe('hostile policy files', () => {
  const deep: [string, string][] = [
    ['lists in lists', '['.repeat(100_000)],
    ['closed lists in lists', '['.repeat(2000) + ']'.repeat(2000)],
    ['maps in maps', Array.from({ length: 1000 }, (_, depth) => `${' '.repeat(depth)}a:`).join('\n')],
    ['dashes', '- '.repeat(50_000)],
    ['question marks', '? '.repeat(50_000)],
  ];
  for (const [name, text] of deep) {
    it(`refuses ${name} by depth, before they are composed`, () =>
      assert.equal(first(text), 'nested too deeply'));
  }

  it('refuses a file that is too long without reading it', () => {
    assert.match(first(`# ${'x'.repeat(1_000_000)}`) ?? '', /^a policy of 1000002 characters$/);
  });

  it('takes a long file that is right, and one that is wrong all over', () => {
    const tools = (of: string) => Array.from({ length: 5000 }, (_, at) => `  t${at}(): ${of}`).join('\n');
    assert.equal(loadPolicy(`user: a\ntools:\n${tools('trusted')}`).tools.size, 5000);
    assert.equal(checkPolicy(`user: a\ntools:\n${tools('wrong')}`).length, 5000);
  });

  it('refuses aliases, anchors, merge keys and tags: the tree is no larger than the text', () => {
    const bomb = ['user: &a a', 'types:', '  T1: &b [*a, *a]', '  T2: &c [*b, *b]', 'tools: {f: *c}'].join(
      '\n',
    );
    const messages = checkPolicy(bomb).map(({ message }) => message);
    assert.ok(messages.includes('an alias') && messages.includes('an anchor "b"'));
    assert.match(first('user: a\ntools:\n  <<: {f: trusted}') ?? '', /^unknown key "f" in tool "<<"$/);
    assert.match(first('user: !!binary YQ==\ntools: {f: trusted}') ?? '', /^a tag /);
    assert.match(first('user: a\ntools: !x {f: trusted}') ?? '', /^a tag "!x"$/);
  });

  it('refuses keys that are there twice, keys that are no text, and a second document', () => {
    assert.equal(first('user: a\nuser: b\ntools: {f: trusted}'), '"user" is there twice');
    assert.equal(first('user: a\ntools: {f: trusted, "f": untrusted}'), '"f" is there twice');
    assert.equal(first('user: a\ntools: {f(): trusted, f: untrusted}'), '"f" is there twice');
    for (const key of ['1', 'true', 'null', '[a]', '? {a: b} ', '~']) {
      assert.equal(first(`user: a\ntools: {${key}: trusted}`), 'a key that is no text', key);
    }
    assert.equal(first('user: a\n---\ntools: {f: trusted}'), 'a second document');
  });

  it('refuses a number for a name, since 007 would lose its zeros', () => {
    assert.equal(first('user: 007\ntools: {f: trusted}'), 'user must be text');
    assert.equal(loadPolicy('user: "007"\ntools: {f: trusted}').principals.user, '007');
  });

  it('takes names of the object prototype as the names that they are', () => {
    const policy = loadPolicy(`user: a
types: {__proto__: {trusted: [constructor, __proto__]}}
tools: {"toString(hasOwnProperty)": as hasOwnProperty, __proto__: __proto__}`);
    assert.deepEqual([...policy.tools.keys()], ['toString', '__proto__']);
    const value = policy.tools.get('__proto__')?.result.value;
    assert.deepEqual(value?.kind === 'fields' && [...value.fields.keys()], ['constructor', '__proto__']);
    assert.equal(first('user: a\ntools: {f: constructor}'), 'unknown type "constructor"');
    assert.equal(
      first('user: a\n__proto__: {}\ntools: {f: trusted}'),
      'unknown key "__proto__" in the policy',
    );
  });

  it('says that a name holds what cannot be seen, and shows it so that a terminal cannot be fooled', () => {
    const [found] = checkPolicy('user: "ann\u200b@a.example"\ntools: {f: trusted}');
    assert.equal(found.severity, 'warning');
    assert.equal(found.message, 'user holds a character that cannot be seen: "ann\\u{200b}@a.example"');
    const odd = checkPolicy('user: a\ntools: {"f\u001b[2J\u202e": {"retur\u0007ns": trusted}}');
    for (const { message, hint } of odd) assert.doesNotMatch(message + (hint ?? ''), /[\p{Cc}\p{Cf}]/u);
  });

  it('gives a policy or a PolicyError for any text, and places inside the text', () => {
    const piece = fc.constantFrom(
      ...example.split(/(?<=\W)/),
      ...[
        '"',
        "'",
        '{',
        '}',
        '[',
        ']',
        '- ',
        ': ',
        '\n',
        '\t',
        '&a ',
        '*a',
        '!!x ',
        '? ',
        '|\n',
        '>',
        '%',
        '\0',
        '\ud800',
      ],
    );
    const mutated = fc
      .tuple(fc.nat(example.length), fc.nat(40), fc.array(piece, { maxLength: 4 }))
      .map(([at, drop, pieces]) => example.slice(0, at) + pieces.join('') + example.slice(at + drop));
    const any = fc.oneof(
      { weight: 4, arbitrary: mutated },
      fc.array(piece, { maxLength: 40 }).map((all) => all.join('')),
    );
    fc.assert(
      fc.property(any, (text) => {
        const diagnostics = checkPolicy(text);
        const lines = text.split('\n');
        for (const { line, column } of diagnostics) {
          assert.ok(line >= 1 && line <= lines.length && column >= 1, `${line}:${column}`);
          assert.ok(column <= lines[line - 1].length + 1, `${line}:${column}`);
        }
        const failed = diagnostics.some(({ severity }) => severity === 'error');
        if (failed) assert.throws(() => loadPolicy(text), PolicyError);
        else loadPolicy(text);
      }),
      { numRuns: runs(200) },
    );
  });
});
