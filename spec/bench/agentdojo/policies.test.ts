/**
 * The imported policies say what the collection says. The oracle walks the collection's JSON on its own and
 * compares, tool by tool and profile by profile, with the compiled policy; it shares no code with the
 * importer.
 */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { importPolicies, isPolicyCollection, policiesOf } from '../../../bench/agentdojo/policies.js';
import { checkPolicy, loadPolicy, profilesOf } from '../../../planner/agent/policy/load.js';
import type {
  DataTerm,
  FieldRule,
  PrincipalTerm,
  ReadersRule,
  ToolPolicy,
} from '../../../planner/agent/policy/policy.js';

const path = `${process.env.ASSAY_SHARED ?? '../shared'}/agentdojo/policies.json`;
const present = existsSync(path);
const text = present ? readFileSync(path, 'utf8') : '{}';

interface Json {
  readonly [key: string]: Json;
}
const json = (value: unknown): Json => value as Json;

const user: PrincipalTerm = { kind: 'user' };
const argument = (name: string): PrincipalTerm => ({ kind: 'argument', name });
const field = (name: string, keys = false): PrincipalTerm => ({ kind: 'field', path: [name], keys });
const lookup = (directory: string, of: PrincipalTerm): PrincipalTerm => ({ kind: 'lookup', directory, of });

/** Written by hand from the collection's texts: every readers rule and every resolver that occurs in it. */
const readers: Record<string, ReadersRule> = {
  'join-args': { kind: 'arguments' },
  email: { kind: 'terms', terms: ['sender', 'recipients', 'cc', 'bcc'].map((name) => field(name)) },
  event: { kind: 'terms', terms: [field('participants'), user] },
  file: { kind: 'terms', terms: [field('owner'), field('shared_with', true)] },
  transaction: { kind: 'terms', terms: [field('sender'), field('recipient')] },
  'direct-message': { kind: 'terms', terms: [field('sender'), field('recipient')] },
  'channel-message': { kind: 'terms', terms: [lookup('members', argument('channel'))] },
  'slack-workspace': { kind: 'terms', terms: [{ kind: 'lookup', directory: 'users' }] },
  public: { kind: 'terms', terms: [{ kind: 'everyone' }] },
  owner: { kind: 'terms', terms: [user] },
};
const resolvers: Record<string, PrincipalTerm[]> = {
  'participants of event_id': [lookup('participants', argument('event_id'))],
  'owner and shared_with of file_id': [lookup('access', argument('file_id'))],
  'members of channel': [lookup('members', argument('channel'))],
  'host of url': [lookup('host', argument('url'))],
  public: [{ kind: 'everyone' }],
};
const rules: Record<string, string> = { none: 'none', PT: 'trusted-action', PT_or_PF: 'either' };

function labelOf(label: string): FieldRule {
  if (label === 'T') return { kind: 'trusted' };
  if (label === 'U') return { kind: 'untrusted' };
  if (label === 'join') return { kind: 'arguments' };
  assert.match(label, /^arg:/);
  return { kind: 'argument', name: label.slice(4) };
}

function assertSays(tool: ToolPolicy, said: Json, profile: string): void {
  assert.equal(tool.declared, true);
  assert.equal(tool.consequential, said.consequential);
  assert.equal(tool.egress, said.egress);
  assert.equal(tool.rule, rules[String(said.policy[profile])]);
  assert.deepEqual([...(tool.arguments ?? [])], Object.keys(said.args));
  const trusted = Object.keys(said.args).filter(
    (name) => json(said.args[name]).mustBeTrusted[profile] as unknown,
  );
  assert.deepEqual([...tool.trustedArguments], trusted);

  const data = ((said.egressData ?? []) as unknown as string[]).map((name): [string, string?] =>
    String(said.args[name].role) === 'selector' ? [name, name.replace('_id', '')] : [name],
  );
  const sends = tool.data.map(({ argument: name, stored }: DataTerm) =>
    stored ? [name, stored.directory] : [name],
  );
  assert.deepEqual(sends, data);

  const named = (said.recipients?.args ?? []) as unknown as string[];
  const resolver = String(said.recipients?.resolver ?? 'literal');
  const implicit = ((said.recipients?.implicit ?? []) as unknown as string[]).map(() => user);
  const recipients = resolver === 'literal' ? named.map(argument) : resolvers[resolver];
  assert.deepEqual([...tool.recipients], [...recipients, ...implicit]);

  assert.equal(tool.links === 'refuse', said.linkCheck === (true as unknown));
  assert.deepEqual(
    [...tool.objects.keys()],
    data.some(([name]) => name === 'attachments') ? ['attachments'] : [],
  );

  assert.deepEqual(tool.result.readers, readers[String(said.result.readers.rule)]);
  if (said.result.value) {
    assert.deepEqual(tool.result.value, labelOf(String(said.result.value[profile])));
    return;
  }
  const { value } = tool.result;
  assert.equal(value.kind, 'fields');
  const fields = Object.entries(json(said.result.fields));
  assert.deepEqual(
    value.kind === 'fields' && new Map([...value.fields].sort(([a], [b]) => (a < b ? -1 : 1))),
    new Map(
      fields
        .map(([name, label]): [string, FieldRule] => [name, labelOf(String(label[profile]))])
        .sort(([a], [b]) => (a < b ? -1 : 1)),
    ),
  );
}

describe('the collected policies of AgentDojo', { skip: present ? false : `${path} is missing` }, () => {
  const suites = Object.entries(json(json(present ? JSON.parse(text) : { suites: {} }).suites));

  it('is told from a policy file', () => {
    assert.equal(isPolicyCollection(text), true);
    assert.equal(isPolicyCollection('{"user": "me", "tools": {}}'), false);
  });

  for (const profile of ['fides', 'strict']) {
    it(`says in our format, in the profile ${profile}, exactly what it says itself`, () => {
      const policies = policiesOf(text, { profile });
      let compared = 0;
      for (const [suite, { tools }] of suites) {
        const policy = policies.get(suite);
        assert.ok(policy);
        assert.equal(policy.principals.user, JSON.parse(text).principals[suite].user);
        assert.deepEqual([...policy.tools.keys()], Object.keys(tools));
        for (const [name, said] of Object.entries(tools)) {
          const tool = policy.tools.get(name);
          assert.ok(tool);
          try {
            assertSays(tool, json(said), profile);
          } catch (error) {
            throw new Error(`${suite} ${name} (${profile})`, { cause: error });
          }
          compared += 1;
        }
      }
      assert.equal(compared, 74);
    });
  }

  it('labels an attachment as the stored file or event is labelled', () => {
    const attachment = policiesOf(text, { profile: 'strict' })
      .get('workspace')
      ?.tools.get('send_email')?.objects;
    const value = attachment?.get('attachments')?.result.value;
    assert.equal(value?.kind, 'fields');
    const untrusted =
      value?.kind === 'fields' ? [...value.fields].filter(([, { kind }]) => kind === 'untrusted') : undefined;
    assert.deepEqual(untrusted?.map(([name]) => name).sort(), [
      'content',
      'description',
      'filename',
      'location',
      'participants',
      'title',
    ]);
  });

  it('gives files without errors or warnings, base profile fides, and the account number as the user', () => {
    for (const [suite, file] of importPolicies(text)) {
      assert.deepEqual(checkPolicy(file), [], suite);
      assert.deepEqual(profilesOf(file), ['fides', 'strict']);
      const { aliases } = loadPolicy(file).principals;
      assert.deepEqual(aliases, suite === 'banking' ? ['DE89370400440532013000'] : []);
    }
  });

  it('takes less than a fifth of the space of the suite it came from, and a tenth of the whole', () => {
    const files = importPolicies(text);
    let all = 0;
    for (const [suite, said] of suites) {
      const { length } = files.get(suite) as string;
      assert.ok(length < JSON.stringify(said).length / 5, `${suite}: ${length}`);
      all += length;
    }
    assert.ok(all < text.length / 10, `${all} of ${text.length}`);
  });

  it('names the field where the collection is not as it should be', () => {
    const broken = text.replace('"consequential": true', '"consequential": "yes"');
    assert.throws(
      () => importPolicies(broken, { source: 'p.json' }),
      /p\.json: suites\.\w+\.tools\.\w+\.consequential: /,
    );
    assert.throws(() => importPolicies('{', { source: 'p.json' }), /p\.json: not JSON/);
  });
});
