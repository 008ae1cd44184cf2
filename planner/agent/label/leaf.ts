/**
 * The leaves of a result: what can be hidden, named and traced on its own. A field of a row, an item of a
 * list, a value of an object, else the whole result. What is no leaf (field names of the policy, keys that
 * the caller wrote, how many items there are) is shown to the planner, so a key that comes from data alone is
 * never split off its value.
 */
import type { FieldRule, FieldsRule, LeafRule, ResultRule } from '../policy/policy.js';
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
 * leaves. Lists are walked item by item, records field by field as deep as the rule declares. Fields stand in
 * the order of the policy, keys that the caller wrote in the order of the call: the order of data would tell
 * something.
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
    const keys = row === -1 && isRecord(item) ? shownKeys(item, rule, { written, trustsKeys }) : undefined;
    if (isRecord(item) && keys) {
      return Object.fromEntries(
        keys.map((key) => [key, visit({ row, field: key, value: item[key], rule, item })]),
      );
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
  // fromEntries defines own properties, so that a key `__proto__` stays a key.
  const shown: [string, unknown][] = [];
  for (const [key, known] of rule.fields) {
    if (!Object.hasOwn(value, key)) continue;
    const inner = value[key];
    const field = join(path, key);
    if (known.kind !== 'fields') shown.push([key, visit({ row, field, value: inner, rule: known, item })]);
    else if (Array.isArray(inner)) {
      const items = inner.map((each, index) => walkFields(each, known, walk, `${field}[${index}]`));
      shown.push([key, items]);
    } else shown.push([key, walkFields(inner, known, walk, field)]);
  }
  const unknown = Object.entries(value).filter(([key]) => !rule.fields.has(key));
  if (unknown.length > 0) {
    const key = unknownKey(rule);
    const rest = { row, field: join(path, key), value: Object.fromEntries(unknown), rule: undefined, item };
    shown.push([key, visit(rest)]);
  }
  return Object.fromEntries(shown);
}

/**
 * Fields that the policy does not know are one leaf, so that neither their number nor their places are told.
 */
function unknownKey({ fields }: FieldsRule): string {
  let key = 'unknown';
  while (fields.has(key)) key += '-fields';
  return key;
}

function join(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`;
}

/** The keys of `record` in the order in which they may be shown; undefined where they may not. */
function shownKeys(
  record: object,
  rule: FieldRule,
  { written, trustsKeys }: KnownKeys,
): readonly string[] | undefined {
  const keys = Object.keys(record);
  if (trustsKeys && rule.kind === 'trusted') return keys;
  const texts = new Set<unknown>();
  for (const value of written.values()) {
    if (Array.isArray(value)) for (const item of value) texts.add(item);
    else texts.add(value);
  }
  if (!keys.every((key) => texts.has(key))) return undefined;
  return [...texts].filter((text): text is string => typeof text === 'string' && Object.hasOwn(record, text));
}
