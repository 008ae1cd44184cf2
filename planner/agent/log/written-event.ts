/**
 * The shape of a line of a log after JSON. Labels are numbers of the log's table; values are those of
 * `value.ts`.
 */
import * as v from 'valibot';

const whole = v.pipe(v.number(), v.integer(), v.minValue(0));
const callNumber = v.pipe(v.number(), v.integer(), v.minValue(1));
const names = v.array(v.string());
const value = v.unknown();

const plannedCall = v.strictObject({
  id: v.optional(v.string()),
  tool: v.string(),
  arguments: value,
  malformed: v.optional(v.string()),
});

const argument = v.strictObject({ name: v.string(), value, label: whole, stored: v.optional(whole) });

const violation = v.variant('kind', [
  v.strictObject({ kind: v.literal('consequential') }),
  v.strictObject({ kind: v.literal('untrusted'), argument: v.optional(v.string()), label: whole }),
  v.strictObject({
    kind: v.literal('unreadable'),
    argument: v.string(),
    label: whole,
    recipients: v.union([v.literal('everyone'), names]),
  }),
  v.strictObject({ kind: v.literal('link'), argument: v.string(), label: whole }),
  v.strictObject({ kind: v.literal('unresolved') }),
]);

const decision = v.variant('verdict', [
  v.strictObject({
    verdict: v.literal('allow'),
    grounds: v.picklist(['no policy', 'not consequential', 'trusted action', 'permitted flow']),
  }),
  v.strictObject({ verdict: v.literal('violation'), violations: v.array(violation) }),
]);

/** `value` is absent where the result has it at this row and field. */
const leaf = v.strictObject({
  row: v.pipe(v.number(), v.integer(), v.minValue(-1)),
  field: v.string(),
  value: v.optional(value),
  label: whole,
});

/** `[integrity, readers]` */
export const writtenLabel = v.strictTuple([
  v.picklist(['T', 'U']),
  v.union([v.literal('everyone'), v.array(v.string())]),
]);

export const writtenEvent = v.variant('kind', [
  v.strictObject({
    kind: v.literal('started'),
    session: v.string(),
    design: v.string(),
    policy: v.string(),
    profile: v.optional(v.string()),
  }),
  v.strictObject({ kind: v.literal('prompted'), text: v.string() }),
  v.strictObject({
    kind: v.literal('turned'),
    turn: whole,
    text: v.optional(v.string()),
    calls: v.optional(v.array(plannedCall)),
  }),
  v.strictObject({ kind: v.literal('observed'), at: whole, text: v.string() }),
  v.strictObject({
    kind: v.literal('decided'),
    call: callNumber,
    at: v.optional(whole),
    tool: v.string(),
    arguments: v.array(argument),
    variables: v.array(v.strictTuple([v.string(), names])),
    label: whole,
    decision,
  }),
  v.strictObject({
    kind: v.literal('reviewed'),
    call: callNumber,
    verdict: v.picklist(['approve', 'deny']),
  }),
  v.strictObject({ kind: v.literal('dispatched'), call: callNumber }),
  v.strictObject({ kind: v.literal('returned'), call: callNumber, value, leaves: v.array(leaf) }),
  v.strictObject({ kind: v.literal('failed'), call: callNumber, text: v.string(), label: whole }),
  v.strictObject({ kind: v.literal('expanded'), variables: names }),
  v.strictObject({ kind: v.literal('endorsed'), variables: names }),
  v.strictObject({ kind: v.literal('refused'), variables: names }),
  v.strictObject({
    kind: v.literal('extracted'),
    name: v.string(),
    question: v.string(),
    variables: names,
    value,
  }),
  v.strictObject({ kind: v.literal('planned'), text: v.string() }),
  v.strictObject({ kind: v.literal('answered'), text: v.string(), refused: v.optional(v.boolean()) }),
]);

export type WrittenEvent = v.InferOutput<typeof writtenEvent>;

/** The first line. */
export const header = v.strictObject({
  log: v.literal('assay session'),
  version: v.literal(1),
  // ISO 8601
  begun: v.string(),
  policy: v.strictObject({ source: v.string(), profile: v.optional(v.string()), digest: v.string() }),
  design: v.strictObject({
    name: v.string(),
    labels: v.boolean(),
    hides: v.picklist(['nothing', 'integrity', 'label']),
    quarantine: v.boolean(),
    expand: v.picklist(['nothing', 'one', 'all']),
    endorse: v.boolean(),
    plans: v.boolean(),
  }),
});

export type Header = v.InferOutput<typeof header>;
