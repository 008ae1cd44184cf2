/**
 * The leaves of a result: what can be hidden, named and traced on its own. A field of a row, an item of a
 * list, a value of an object, else the whole result. What is no leaf (field names of the policy, keys that
 * the caller wrote, how many items there are) is shown to the planner, so a key that comes from data alone is
 * never split off its value.
 */
import type { FieldsRule, LeafRule, ResultRule } from '../policy/policy.js';
import { isRecord } from './principals.js';

/** Where a leaf stands; `row` -1 where the result is not a list, `field` empty for a whole item or result. */
export interface LeafPosition {
  readonly row: number;
  readonly field: string;
  readonly value: unknown;
  /** Undefined for a field or a shape that the policy does not know. */
  readonly rule: LeafRule | undefined;
  /** The item that the leaf is part of: what the readers' rule looks at. */
  readonly item: unknown;
}

/** Which keys of an object that no policy names may be shown, so that its values are leaves of their own. */
export interface KnownKeys {
  /** Arguments of the call whose content the planner may see: keys that occur in them as text are no news. */
  readonly written: ReadonlyMap<string, unknown>;
  /** Keys of a trusted result may be shown. */
  readonly trustsKeys: boolean;
}

/**
 * Rebuilds `value` with every leaf replaced by what `visit` returns, in order. An empty list or object has no
 * leaves. Lists are walked item by item, records field by field as deep as the rule declares.
 */
export function mapLeaves(
  value: unknown,
  { value: rule, otherwise }: ResultRule,
  { written, trustsKeys }: KnownKeys,
  visit: (leaf: LeafPosition) => unknown,
): unknown {
  const walkItem = (item: unknown, row: number): unknown => {
    if (rule.kind === 'fields') {
      if (!isRecord(item) && otherwise) return visit({ row, field: '', value: item, rule: otherwise, item });
      return walkFields(item, rule, { row, item, visit }, '');
    }
    if (
      row === -1 &&
      isRecord(item) &&
      ((trustsKeys && rule.kind === 'trusted') || keysAreWritten(item, written))
    ) {
      return rebuild(item, (key, inner) => [key, visit({ row, field: key, value: inner, rule, item })]);
    }
    return visit({ row, field: '', value: item, rule, item });
  };
  return Array.isArray(value) ? value.map(walkItem) : walkItem(value, -1);
}

interface Walk {
  readonly row: number;
  readonly item: unknown;
  readonly visit: (leaf: LeafPosition) => unknown;
}

function walkFields(value: unknown, rule: FieldsRule, walk: Walk, path: string): unknown {
  const { row, item, visit } = walk;
  if (!isRecord(value)) return visit({ row, field: path, value, rule: undefined, item });
  let unknown = 0;
  return rebuild(value, (key, inner) => {
    const known = rule.fields.get(key);
    if (known === undefined) {
      unknown += 1;
      const field = join(path, `unknown-${unknown}`);
      const leaf = { row, field, value: Object.fromEntries([[key, inner]]), rule: undefined, item };
      return [field, visit(leaf)];
    }
    const field = join(path, key);
    if (known.kind !== 'fields') return [key, visit({ row, field, value: inner, rule: known, item })];
    const nested = Array.isArray(inner)
      ? inner.map((each, index) => walkFields(each, known, walk, `${field}[${index}]`))
      : walkFields(inner, known, walk, field);
    return [key, nested];
  });
}

/** As `Object.entries` and back: a key `__proto__` stays an own key. */
function rebuild(
  record: Readonly<Record<string, unknown>>,
  entry: (key: string, value: unknown) => readonly [string, unknown],
): unknown {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => entry(key, value)));
}

function join(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`;
}

/** Whether every key of `record` is a text (or an item of a list of texts) in the arguments. */
function keysAreWritten(record: object, written: ReadonlyMap<string, unknown>): boolean {
  const texts = new Set<unknown>();
  for (const value of written.values()) {
    if (Array.isArray(value)) for (const item of value) texts.add(item);
    else texts.add(value);
  }
  return Object.keys(record).every((key) => texts.has(key));
}
