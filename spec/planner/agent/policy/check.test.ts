import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { PolicyError, showDiagnostic } from '../../../../planner/agent/policy/diagnostic.js';
import { checkPolicy, loadPolicy } from '../../../../planner/agent/policy/load.js';
import { runs } from '../../../runs.js';
import { example } from './example.js';

const found = (text: string) => checkPolicy(text).map((one) => showDiagnostic('p', one));

/** What is found in `text`, which is put under a head that is right. */
function foundIn(text: string): string[] {
  return found(`user: ann@a.example\ngroups: {board: [bob@a.example]}\n${text}`).filter(
    (line) => !line.endsWith('warning: group "board" is never used'),
  );
}

describe('checking a policy', () => {
  it('finds nothing in one that is right', () => {
    assert.deepEqual(found(example), []);
  });

  it('throws everything at once when it loads', () => {
    const text = 'usr: a\ntools:\n  f(x): trustd\n  g: {rule: trusted acton}\n';
    assert.throws(
      () => loadPolicy(text, { source: 'p.yaml' }),
      (error: unknown) => {
        assert.ok(error instanceof PolicyError);
        assert.equal(error.code, 'policy/invalid');
        assert.equal(error.diagnostics.length, 3);
        assert.match(
          error.message,
          /^p\.yaml:1:1: error: unknown key "usr" in the policy; did you mean "user"\?$/m,
        );
        return true;
      },
    );
  });

  const cases: [name: string, text: string, expected: string[]][] = [
    [
      'an unknown key, with the nearest right one',
      'tools:\n  f: {retruns: trusted}',
      ['p:4:7: error: unknown key "retruns" in tool "f"; did you mean "returns"?'],
    ],
    [
      'an unknown rule',
      'tools:\n  f(x): trusted acton -> trusted',
      ['p:4:9: error: tool "f": unknown rule "trusted acton"; did you mean "trusted action"?'],
    ],
    [
      'an unknown type',
      'types: {Mail: {trusted: id}}\ntools:\n  f: Mial\n  g: Mail',
      ['p:5:6: error: unknown type "Mial"; did you mean "Mail"?'],
    ],
    [
      'brackets on a type',
      'types: {Mail: {trusted: id}}\ntools:\n  f: Mail[]\n  g: Mail',
      [
        'p:5:6: error: tool "f": "Mail[]" is no label and no type; a list is labelled item by item: write Mail',
      ],
    ],
    [
      'an unknown argument, field or group among readers',
      'types: {Mail: {trusted: [sender, to], readers: sendr}}\ntools:\n  f(x): Mail',
      [
        'p:3:48: error: tool "f": unknown field, argument, group or principal "sendr"; did you mean "sender"?',
      ],
    ],
    [
      'an unknown argument in each place where one is named',
      `tools:
  f(body, to):
    rule: trusted action or permitted flow
    trusted arguments: [too]
    sends: boddy
    to: ot
    returns: as bodi`,
      [
        'p:6:25: error: tool "f" has no argument "too"; did you mean "to"?',
        'p:7:12: error: tool "f" has no argument "boddy"; did you mean "body"?',
        'p:8:9: error: tool "f": unknown argument, group or principal "ot"; did you mean "to"?',
        'p:9:14: error: tool "f" has no argument "bodi"; did you mean "body"?',
      ],
    ],
    [
      'a field label that copies an argument which the tool does not have',
      'tools:\n  f(body): {returns: {trusted: id, as argument: subject}}',
      ['p:4:49: error: tool "f" has no argument "subject"; known: body'],
    ],
    [
      'an unknown directory',
      'directories: [members]\ntools:\n  f(c): trusted for membres(c)\n  g(c): trusted for members(c)',
      ['p:5:21: error: tool "f": unknown directory "membres"; did you mean "members"?'],
    ],
    [
      'an unknown principal',
      'tools:\n  f: trusted for bbo@a.example + board',
      [
        'p:4:18: error: tool "f": unknown argument, group or principal "bbo@a.example"; did you mean "bob@a.example"?',
      ].map((line) => line.replace('unknown argument, group', 'unknown field, argument, group')),
    ],
    [
      'an argument of a tool that declares none, which cannot be checked',
      'tools:\n  f: as x\n  g: {rule: trusted action, trusted arguments: y}\n  h: trusted for z',
      [
        'p:4:6: warning: tool "f" declares no arguments, so "x" is not checked; write its arguments behind its name: tool(argument, argument)',
        'p:5:48: warning: tool "g" declares no arguments, so "y" is not checked; write its arguments behind its name: tool(argument, argument)',
        'p:6:18: warning: tool "h" declares no arguments, so "z" is not checked; write its arguments behind its name: tool(argument, argument)',
      ],
    ],
    [
      'an unknown object',
      'objects: {file: File}\ntypes: {File: {trusted: id}}\ntools:\n  f(id): {rule: trusted action, sends: fiel(id), to: user}\n  g(x): {objects: {x: file}, returns: trusted}',
      ['p:6:40: error: unknown object "fiel"; did you mean "file"?'],
    ],
    [
      'a tool, type or group of a profile that the base does not have',
      'types: {Mail: {trusted: id}}\ntools:\n  send(x): Mail\nprofiles:\n  strict:\n    types: {Mial: {untrusted: id}}\n    tools: {sned: untrusted}\n    groups: {bord: [a]}\n  other: {tools: {send: untrusted}}',
      [
        'p:7:3: error: profile "strict" changes nothing; say what differs, or drop it',
        'p:8:13: error: profile "strict": unknown type "Mial"; did you mean "Mail"?',
        'p:9:13: error: profile "strict": unknown tool "sned"; did you mean "send"?',
        'p:10:14: error: profile "strict": unknown group "bord"; did you mean "board"?',
      ],
    ],
    [
      'a field of a profile that the type does not have',
      'types: {Mail: {trusted: [id, sender]}}\ntools:\n  f: Mail\nprofiles:\n  strict:\n    types: {Mail: {untrusted: [sendr, id]}}',
      ['p:8:32: error: unknown field "sendr"; did you mean "sender"?'],
    ],
    [
      'a profile that changes nothing, and an entry that does not',
      'tools:\n  f: trusted\n  g: trusted\nprofiles:\n  same: {tools: {f: trusted}}\n  part: {tools: {f: untrusted, g: trusted}}',
      ['p:7:3: error: profile "same" changes nothing; say what differs, or drop it'],
    ],
    [
      'an entry of a profile that says what holds anyway',
      'tools:\n  f: trusted\n  g: trusted\nprofiles:\n  part: {tools: {f: untrusted, g: trusted}}',
      ['p:7:32: warning: "g" changes nothing; it says what holds anyway'],
    ],
    [
      'a flow without data, without recipients, or without both',
      'tools:\n  f(x): {rule: permitted flow, to: x}\n  g(x): {rule: trusted action or permitted flow, sends: x}\n  h: permitted flow -> trusted',
      [
        'p:4:16: error: tool "f": permitted flow without `sends` would always hold; add `sends`',
        'p:5:16: error: tool "g": permitted flow without `to` would always hold; add `to`',
        'p:6:6: error: tool "h": permitted flow without `sends` and `to` would always hold; add `sends` and `to`',
      ],
    ],
    [
      'demands that the rule never looks at',
      'tools:\n  f(x): {trusted arguments: x, returns: trusted}\n  g(x): {rule: trusted action, links: refuse}\n  h(x): {rule: permitted flow, sends: x, to: x, trusted arguments: x}',
      [
        'p:4:29: error: tool "f": trusted arguments without a rule that asks for trust; let the rule name trusted action, or drop this',
        'p:5:39: error: tool "g": links without a rule that looks at them; let the rule name permitted flow, or drop this',
        'p:6:68: error: tool "h": trusted arguments without a rule that asks for trust; let the rule name trusted action, or drop this',
      ],
    ],
    [
      'a rule on a tool that is not consequential; recipients without egress; data for nobody',
      'tools:\n  f: {rule: trusted action, consequential: no}\n  g(x): {rule: trusted action, to: x, egress: no}\n  h(x): {rule: trusted action, sends: x}',
      [
        'p:4:44: error: tool "f": a rule on a tool that is not consequential; drop one of them',
        'p:5:47: error: tool "g": it has recipients, and no egress; drop one of them',
        'p:6:39: error: tool "h": it sends data to nobody; add `to`',
      ],
    ],
    [
      'a tool that sends and has no rule, unless that is said',
      'tools:\n  f(x): {sends: x, to: x}\n  g(x): {rule: none, sends: x, to: x}',
      ['p:4:24: warning: tool "f": it sends data and has no rule; if that is meant, write `rule: none`'],
    ],
    [
      'a field that is labelled twice, as a whole and by its fields too',
      'tools:\n  f: {returns: {trusted: [id, a], untrusted: [id, a.b]}}\n  g: {returns: {trusted: [a.b], untrusted: [a]}}',
      [
        'p:4:47: error: field "id" is labelled twice; keep one',
        'p:4:51: error: field "a" has one label and no fields; label it once',
        'p:5:45: error: field "a" is labelled twice; once as a whole and once by its fields',
      ],
    ],
    [
      'a type that is made of itself',
      'types:\n  A: {fields: {b: B}}\n  B: {fields: {a: A}}\n  C: C\ntools: {f: A, g: C}',
      ['p:5:19: error: type "A" is made of itself', 'p:6:6: error: type "C" is made of itself'],
    ],
    [
      'names that are declared and never used',
      'directories: [members]\nobjects: {file: A}\ntypes: {A: trusted, B: untrusted}\ngroups: {}\ntools: {f: A}'.replace(
        'groups: {}\n',
        '',
      ),
      [
        'p:3:15: warning: directory "members" is never used',
        'p:4:11: warning: object "file" is never used',
        'p:5:21: warning: type "B" is never used',
      ],
    ],
    [
      'a word that may mean two things',
      'tools:\n  f(board): trusted for board',
      ['p:4:25: error: tool "f": "board" may mean several things; write argument(board) or group(board)'],
    ],
    [
      'words that have a meaning already',
      'types: {joined: trusted}\ntools: {f: joined}',
      [
        'p:3:9: error: a type cannot be called "joined"; the word has a meaning',
        'p:3:9: warning: type "joined" is never used',
      ],
    ],
    [
      'a group in a group, in a profile too',
      'tools: {f: trusted for board}\nprofiles:\n  small: {groups: {board: [board, "c@a.example"]}}',
      ['p:5:28: error: group "board" holds a group; list its members'],
    ],
    [
      'a term that is broken off, or joined by something else',
      'tools:\n  f(a, b): trusted for a +\n  g(a, b): {rule: trusted action, to: "a, b"}\n  h(a): trusted for keys(a\n',
      [
        'p:4:26: error: readers of tool "f": it ends too early; a name, a quoted principal or a look-up such as `members(channel)` is expected',
        'p:5:41: error: to of tool "g": unexpected ","; terms are joined by `+`',
        'p:6:26: error: readers of tool "h": it ends too early; a look-up has one term in parentheses',
      ],
    ],
    [
      'a signature that is none',
      'tools:\n  "f(a": trusted\n  "g(a,,b)": trusted\n  "h(a, a)": trusted',
      [
        'p:4:4: error: "f(a" is no tool; write `name` or `name(argument, argument)`',
        'p:5:8: error: an argument of "g" has no name',
        'p:6:9: error: argument "a" is there twice',
      ],
    ],
  ];
  for (const [name, text, expected] of cases) {
    it(`finds ${name}`, () => assert.deepEqual(foundIn(text), expected));
  }

  it('finds a profile that is not there, and names those that are', () => {
    assert.throws(
      () => loadPolicy(example, { profile: 'strikt' }),
      /no profile "strikt"; did you mean "strict"\?/,
    );
  });
});

describe('one wrong letter in a name', () => {
  /** Places in the example where a name is used; its declaration is elsewhere. */
  const uses = [
    ...example.matchAll(
      /(?<=: )(?:Person|Mail|Page)(?=$| )|(?<=^ +)(?:returns|readers|trusted|untrusted|sends|objects|rule|links)(?=:)|(?<=sends: )subject|(?<=to: )recipients|(?<=for )members|(?<=like: )File|(?<=readers: )sender|(?<=^ {6})today|(?<=keys\()shared/gm,
    ),
  ].map(({ 0: name, index }) => ({ name, index }));

  it('is an error at that place which names the right one', () => {
    assert.ok(uses.length > 20);
    fc.assert(
      fc.property(
        fc.constantFrom(...uses),
        fc.nat(),
        fc.constantFrom(...'xqz'),
        ({ name, index }, pick, letter) => {
          const at = 1 + (pick % (name.length - 1));
          const wrong = name.slice(0, at) + letter + name.slice(at + 1);
          const text = example.slice(0, index) + wrong + example.slice(index + name.length);
          const before = text.slice(0, index).split('\n');
          const place = { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
          const there = checkPolicy(text).find(
            (one) => one.severity === 'error' && one.line === place.line && one.column === place.column,
          );
          assert.ok(there, `${wrong} at ${place.line}:${place.column}: ${JSON.stringify(checkPolicy(text))}`);
          assert.ok(there.hint?.includes(`"${name}"`) || there.hint?.includes(name), JSON.stringify(there));
        },
      ),
      { numRuns: runs(100) },
    );
  });
});
