import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { loadPolicy, policyFor, profilesOf } from '../../../../planner/agent/policy/load.js';
import type { FieldRule, LeafRule, PolicyRule } from '../../../../planner/agent/policy/policy.js';
import { runs } from '../../../runs.js';
import { example } from './example.js';

/** Words that mean something in terms, or that YAML reads as no text. */
const reservedWords = new Set(['everyone', 'user', 'joined', 'null', 'true', 'false', 'me']);
const trusted: FieldRule = { kind: 'trusted' };
const untrusted: FieldRule = { kind: 'untrusted' };
const fields = (entries: Record<string, FieldRule>): FieldRule => ({
  kind: 'fields',
  fields: new Map(Object.entries(entries)),
});
const field = (name: string) => ({ kind: 'field', path: [name], keys: false });
const argument = (name: string) => ({ kind: 'argument', name });

describe('loading a policy', () => {
  const policy = loadPolicy(example, { source: 'example.yaml' });
  const tool = (name: string) => policyFor(policy, name);

  it('knows the user, the aliases, the groups and the directories', () => {
    assert.equal(policy.source, 'example.yaml');
    assert.equal(policy.profile, 'open');
    assert.deepEqual(policy.principals, {
      user: 'ann@office.example',
      aliases: ['ann', '0042'],
      groups: new Map([['board', ['bob@office.example', 'cy@office.example']]]),
      directories: new Set(['members', 'staff']),
    });
  });

  it('reads a one-line tool: label, readers, a rule before the arrow', () => {
    const everyone = { kind: 'terms', terms: [{ kind: 'everyone' }] };
    assert.deepEqual(tool('today').result, { value: trusted, readers: everyone });
    assert.equal(tool('today').rule, 'none');
    assert.equal(tool('today').consequential, false);
    assert.deepEqual(tool('fetch').result, { value: untrusted, readers: everyone });
    assert.equal(tool('fetch').rule, 'trusted-action');
    assert.equal(tool('fetch').consequential, true);
    assert.equal(tool('fetch').egress, false);
  });

  it('labels a result with the join of all arguments, or as one of them', () => {
    assert.deepEqual(tool('erase').result, { value: { kind: 'arguments' }, readers: { kind: 'arguments' } });
    assert.deepEqual(tool('echo').result.value, { kind: 'argument', name: 'text' });
  });

  it('takes readers from the fields of the row, from groups, and from look-ups over arguments', () => {
    assert.deepEqual(tool('inbox').result.readers, {
      kind: 'terms',
      terms: [field('sender'), field('recipients'), { kind: 'group', name: 'board' }],
    });
    assert.deepEqual(tool('messages').result.readers, {
      kind: 'terms',
      terms: [{ kind: 'lookup', directory: 'members', of: argument('channel') }],
    });
    assert.deepEqual(tool('messages').result.otherwise, trusted);
  });

  it('labels fields one by one, deeper where a field is a record', () => {
    const mail = { id: trusted, sender: trusted, recipients: trusted, subject: untrusted, body: untrusted };
    const author = fields({ id: trusted, name: untrusted });
    assert.deepEqual(tool('inbox').result.value, fields({ ...mail, author }));
    assert.deepEqual(
      tool('send').result.value,
      fields({
        ...mail,
        recipients: { kind: 'argument', name: 'recipients' },
        subject: { kind: 'argument', name: 'subject' },
        body: { kind: 'argument', name: 'body' },
        author: fields({ id: untrusted, name: untrusted }),
      }),
    );
  });

  it('reads a flow: what is sent, to whom, which arguments must be trusted, what they name', () => {
    const send = tool('send');
    assert.equal(send.rule, 'either');
    assert.equal(send.egress, true);
    assert.equal(send.links, 'refuse');
    assert.deepEqual(send.trustedArguments, ['recipients']);
    assert.deepEqual(send.data, [{ argument: 'subject' }, { argument: 'body' }, { argument: 'attachment' }]);
    assert.deepEqual(send.recipients, [argument('recipients'), { kind: 'group', name: 'board' }]);
    const file = {
      directory: 'file',
      result: {
        value: fields({ owner: trusted, shared: trusted, text: untrusted }),
        readers: { kind: 'terms', terms: [field('owner'), { ...field('shared'), keys: true }] },
      },
    };
    assert.deepEqual(send.objects, new Map([['attachment', file]]));
    assert.deepEqual(tool('share').data, [{ argument: 'file_id', stored: file }]);
    assert.equal(tool('share').links, 'allow');
    assert.equal(tool('notify').rule, 'both');
    assert.deepEqual(tool('notify').recipients, [{ kind: 'lookup', directory: 'staff' }]);
  });

  it('knows the readers of the final answer', () => {
    assert.equal(policy.answer?.rule, 'permitted-flow');
    assert.deepEqual(policy.answer?.data, [{ argument: 'text' }]);
    assert.deepEqual(policy.answer?.recipients, [{ kind: 'user' }, { kind: 'group', name: 'board' }]);
    assert.equal(policy.answer?.links, 'refuse');
  });

  it('lays a profile over the base: what it does not say stays', () => {
    assert.deepEqual(profilesOf(example), ['open', 'strict']);
    const strict = loadPolicy(example, { profile: 'strict' });
    assert.equal(strict.profile, 'strict');
    const changed = ['today', 'inbox', 'messages', 'erase', 'echo', 'send'];
    for (const [name, rule] of strict.tools) {
      if (changed.includes(name)) assert.notDeepEqual(rule, policy.tools.get(name), name);
      else assert.deepEqual(rule, policy.tools.get(name), name);
    }
    assert.deepEqual(strict.tools.get('today')?.result, { ...tool('today').result, value: untrusted });
    assert.deepEqual(strict.tools.get('erase'), { ...tool('erase'), trustedArguments: ['id'] });
    assert.deepEqual(
      strict.tools.get('inbox')?.result.value,
      fields({
        id: trusted,
        sender: untrusted,
        recipients: trusted,
        subject: untrusted,
        body: untrusted,
        author: fields({ id: untrusted, name: untrusted }),
      }),
    );
    assert.deepEqual(strict.tools.get('inbox')?.result.readers, tool('inbox').result.readers);
    assert.deepEqual(strict.principals.groups, new Map([['board', ['bob@office.example']]]));
    assert.equal(strict.answer?.links, 'allow');
    assert.deepEqual(loadPolicy(example, { profile: 'open' }), loadPolicy(example));
  });

  it('fails closed for a tool that it does not name, and for a result that nothing is said about', () => {
    const unknown = policyFor(policy, 'rm');
    assert.deepEqual(
      [unknown.declared, unknown.consequential, unknown.rule, unknown.result],
      [
        false,
        true,
        'trusted-action',
        { value: untrusted, readers: { kind: 'terms', terms: [{ kind: 'user' }] } },
      ],
    );
    assert.deepEqual(tool('notify').result, unknown.result);
    const bare = loadPolicy(
      'user: a\ntools:\n  f(): trusted\n  g(): {rule: trusted action}\n  h(): trusted action',
    );
    assert.deepEqual(bare.tools.get('f')?.result.readers, unknown.result.readers);
    assert.deepEqual(bare.tools.get('g')?.result, unknown.result);
    assert.deepEqual(bare.tools.get('h')?.result, unknown.result);
  });

  it('reads JSON as well, indented by tabs or not', () => {
    const json = {
      user: 'a',
      tools: { 'f(x)': 'trusted action -> as x', g: { returns: { trusted: ['id'] } } },
    };
    const yaml = 'user: a\ntools:\n  f(x): trusted action -> as x\n  g: {returns: {trusted: id}}';
    assert.deepEqual(loadPolicy(JSON.stringify(json, undefined, '\t')), loadPolicy(yaml));
    assert.deepEqual(loadPolicy(JSON.stringify(json)), loadPolicy(yaml));
  });

  it('lets a field be read before an argument of the same name, and a quoted name be a principal', () => {
    const text = (readers: string) => `user: ann\naliases: [sender]\ntools:
  f(sender): {returns: {trusted: [sender], readers: ${readers}}}`;
    const readers = (terms: string) => loadPolicy(text(terms)).tools.get('f')?.result.readers;
    assert.deepEqual(readers('sender'), { kind: 'terms', terms: [field('sender')] });
    assert.deepEqual(readers('argument(sender)'), { kind: 'terms', terms: [argument('sender')] });
    assert.deepEqual(readers(`'"sender"'`), {
      kind: 'terms',
      terms: [{ kind: 'principal', name: 'sender' }],
    });
    assert.deepEqual(readers('[sender, user]'), {
      kind: 'terms',
      terms: [field('sender'), { kind: 'user' }],
    });
  });
});

describe('what is written is what is compiled', () => {
  const name = fc.stringMatching(/^[a-z][a-z0-9_]{0,7}$/).filter((word) => !reservedWords.has(word));
  const names = (options: fc.UniqueArrayConstraints<string, string>) => fc.uniqueArray(name, options);
  const rules: Record<PolicyRule, string> = {
    none: 'none',
    'trusted-action': 'trusted action',
    'permitted-flow': 'permitted flow',
    either: 'permitted flow or trusted action',
    both: 'trusted action and permitted flow',
  };
  const written = fc
    .record({
      args: names({ minLength: 1, maxLength: 5 }),
      fieldNames: names({ minLength: 1, maxLength: 6 }),
      rule: fc.constantFrom<PolicyRule>('none', 'trusted-action', 'permitted-flow', 'either', 'both'),
      picks: fc.array(fc.nat(), { minLength: 20, maxLength: 20 }),
    })
    .map(({ args, fieldNames, rule, picks }) => {
      const some = (list: readonly string[], from: number) =>
        list.filter((_, at) => picks[from + at] % 2 === 0);
      const labels = fieldNames.map((fieldName, at): [string, LeafRule] => {
        const arg = args[picks[at] % args.length];
        const kinds: LeafRule[] = [
          { kind: 'trusted' },
          { kind: 'untrusted' },
          { kind: 'arguments' },
          { kind: 'argument', name: arg },
        ];
        return [fieldName, kinds[picks[at] % 4]];
      });
      return {
        args,
        rule,
        labels,
        trustedArguments: some(args, 6),
        sends: args.slice(0, 2),
        to: args.slice(-1),
      };
    });

  it('for tools with any rule, any arguments and any labels of fields', () => {
    fc.assert(
      fc.property(fc.array(written, { minLength: 1, maxLength: 4 }), (tools) => {
        const lines = tools.flatMap(({ args, rule, labels, trustedArguments, sends, to }, at) => {
          const trust = rule === 'trusted-action' || rule === 'either' || rule === 'both';
          const shown = labels.map(([fieldName, leaf]) => `${fieldName}: ${showLeaf(leaf)}`);
          return [
            `  t${at}(${args.join(', ')}):`,
            `    rule: ${rules[rule]}`,
            ...(trust && trustedArguments.length > 0
              ? [`    trusted arguments: [${trustedArguments.join(', ')}]`]
              : []),
            `    sends: ${sends.join(' + ')}`,
            `    to: ${to.join(' + ')}`,
            `    returns: {fields: {${shown.join(', ')}}}`,
          ];
        });
        const policy = loadPolicy(['user: "@me"', 'tools:', ...lines].join('\n'));
        tools.forEach(({ args, rule, labels, trustedArguments, sends, to }, at) => {
          const tool = policyFor(policy, `t${at}`);
          const trust = rule === 'trusted-action' || rule === 'either' || rule === 'both';
          assert.equal(tool.rule, rule);
          assert.deepEqual([...(tool.arguments ?? [])], args);
          assert.deepEqual(tool.trustedArguments, trust ? trustedArguments : []);
          assert.deepEqual(
            tool.data,
            sends.map((sent) => ({ argument: sent })),
          );
          assert.deepEqual(tool.recipients, to.map(argument));
          assert.deepEqual(tool.result.value, { kind: 'fields', fields: new Map(labels) });
        });
      }),
      { numRuns: runs(100) },
    );
  });

  function showLeaf(leaf: LeafRule): string {
    if (leaf.kind === 'argument') return `as ${leaf.name}`;
    return leaf.kind === 'arguments' ? 'joined' : leaf.kind;
  }
});
