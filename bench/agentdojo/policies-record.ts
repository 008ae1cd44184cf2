/**
 * The records of a suite: which shapes tools share, how their fields are labelled and who may read a row. The
 * most common record of a shape becomes the type, the others say how they differ.
 */
import type { CollectedTool, Profiled } from './policies-collection.js';

export type Label = Profiled<string>;
export type Fields = ReadonlyMap<string, Label>;

export interface RecordType {
  readonly name: string;
  readonly fields: Fields;
  readonly readers: string;
}

/** Which stored object a selector names, and of which type it is. */
export const stored = new Map([
  ['file_id', { directory: 'file', type: 'CloudDriveFile' }],
  ['event_id', { directory: 'event', type: 'CalendarEvent' }],
]);

/** The most common record of each shape that has a name; the first of equals. */
export function recordTypes(tools: ReadonlyMap<string, CollectedTool>): Map<string, RecordType> {
  const variants = new Map<string, { type: RecordType; uses: number }[]>();
  for (const { result } of tools.values()) {
    const name = shapeName(result.shape);
    if (result.fields === undefined || name === '') continue;
    const type = {
      name,
      fields: new Map(Object.entries(result.fields)),
      readers: readersText(result.readers.expr),
    };
    const known = variants.get(name) ?? [];
    const same = known.find((variant) => sameType(variant.type, type));
    if (same) same.uses += 1;
    else variants.set(name, [...known, { type, uses: 1 }]);
  }
  const types = new Map<string, RecordType>();
  for (const [name, known] of variants) {
    // A record that only echoes arguments is no type of its own: other tools could not use it.
    const plain = known.filter(
      ({ type }) => ![...type.fields.values()].some(({ fides }) => fides.startsWith('arg:')),
    );
    const [first, ...rest] = plain;
    if (first)
      types.set(name, rest.reduce((best, next) => (next.uses > best.uses ? next : best), first).type);
  }
  return types;
}

/** What an attachment may be: a file or an event, so the fields and readers of either. */
export function attachmentType(types: readonly RecordType[]): RecordType | undefined {
  const kinds = types.filter(({ name }) => [...stored.values()].some(({ type }) => type === name));
  if (kinds.length < 2) return kinds[0];
  const fields = new Map<string, Label>();
  for (const kind of kinds) {
    for (const [name, label] of kind.fields) {
      const known = fields.get(name);
      const higher = (profile: keyof Label) => (known?.[profile] === 'U' ? 'U' : label[profile]);
      fields.set(name, { fides: higher('fides'), strict: higher('strict') });
    }
  }
  return { name: 'Attachment', fields, readers: kinds.map(({ readers }) => readers).join(' + ') };
}

/** `list<Email>` and `Email | int` are records of shape Email; empty where the shape has no name. */
export function shapeName(shape: string): string {
  return /^(?:list<)?([A-Z]\w*)>?(?: \||$)/.exec(shape)?.[1] ?? '';
}

/** `{sender} + recipients`, `{sender, recipient}, "me" = user` and the like, as terms. */
export function readersText(expr: string): string {
  if (expr === '*') return 'everyone';
  if (expr.startsWith('intersection of the readers of all args')) return 'joined';
  return expr
    .replace(/, "me" = user$/, '')
    .replace(/[{}]/g, '')
    .replaceAll(', ', ' + ')
    .replace('account_email', 'user')
    .replace('slack.users', 'users()');
}

export function changed(fields: Fields): Fields {
  return new Map([...fields].filter(([, { fides, strict }]) => fides !== strict));
}

/** What `fields` says otherwise than `base`. */
export function differing(base: Fields, fields: Fields): Fields {
  return new Map([...fields].filter(([name, label]) => !sameLabel(base.get(name), label)));
}

function sameLabel(a: Label | undefined, b: Label | undefined): boolean {
  return a?.fides === b?.fides && a?.strict === b?.strict;
}

export function sameFields(a: Fields, b: Fields): boolean {
  return a.size === b.size && [...a].every(([name, label]) => sameLabel(label, b.get(name)));
}

function sameType(a: RecordType, b: RecordType): boolean {
  return a.readers === b.readers && sameFields(a.fields, b.fields);
}
