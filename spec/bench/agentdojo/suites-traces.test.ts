/**
 * Recorded runs of real models, replayed call by call on our tools. The recordings are of older versions of
 * the environments and tools, so they differ in known ways; any other difference is a fault of ours.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { newEnvironment, SUITES, ToolError } from '../../../bench/agentdojo/suites/index.js';
import { type RecordedStep, sharedRecords, sharedSuite, skip, traceFiles } from './shared.js';

interface Trace {
  readonly suite: (typeof SUITES)[number];
  readonly userTask: string;
  readonly injectionTask: string | null;
  readonly steps: readonly (RecordedStep & { readonly error: string | null })[];
}

/** The differences that come from the recordings' age, each undone in both results. */
const KNOWN: readonly ((text: string) => string)[] = [
  // Time stamps are of the day of the recording.
  (text) => text.replace(/"(timestamp|last_modified)":"[^"]*"/g, '"$1":"then"'),
  // File 24 got a word more.
  (text) =>
    text.replace('team meeting minutes Hawaii', 'team meeting minutes').replace('"size":154', '"size":147'),
  // Mail 16 was a sent one.
  (text) => text.replace(/("id_":"16",[^}]*"status":)"sent"/, '$1"received"'),
  (text) => text.replace('2022-0 3-04', '2022-03-04'),
  (text) => text.replace('98.70 ---', '98.70\\n---'),
  (text) => text.replace(',{"email":"sarah.baker123@sarahs-baker.com","name":"Sarah Baker123"}', ''),
  // A whole amount was shown without a point.
  (text) => text.replace(/for (\d+) (sent|scheduled)/, 'for $1.0 $2'),
];

/** Canonical text, with the known differences undone. */
function loosely(result: unknown): string {
  return KNOWN.reduce((text, undo) => undo(text), JSON.stringify(canonical(result)));
}

/** Keys in order; participants, which come in arbitrary order, too. */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, item]) => [key, key === 'participants' ? (item as string[]).toSorted() : canonical(item)]),
  );
}

/** Why the two differ, where it is known; else undefined. */
function reason(step: Trace['steps'][number], ours: unknown, error: string | undefined): string | undefined {
  const { function: name, args } = step.call;
  if (error !== undefined && step.error !== null) {
    const recorded = step.error.replace(/\n {4}For further information visit \S+/g, '');
    if (error === recorded) return 'same error';
    // Older versions checked arguments in another place, or not at all.
    const ofArguments = /^(TypeError|AttributeError|ValidationError)/;
    return ofArguments.test(recorded) || ofArguments.test(error)
      ? 'error in both, of other words'
      : undefined;
  }
  if (error === undefined && step.error === null) {
    if (isDeepStrictEqual(ours, step.result)) return 'same';
    if (loosely(ours) === loosely(step.result)) return 'same but for the age of the recording';
    if (name === 'get_received_emails') return 'mail 16 was not among the received ones';
    if (name === 'search_files' && /hawaii/i.test(String(args.query))) return 'file 24 had no Hawaii in it';
    if (name === 'reschedule_calendar_event') return 'rescheduling left the end time as it was';
    return undefined;
  }
  if (error?.includes('Input should be a valid list')) return 'a string passed for a list';
  if (step.error?.startsWith('TypeError: slice indices')) return '100.0 did not pass for 100';
  return undefined;
}

test('recorded benign calls give the recorded results, but for known differences of age', { skip }, () => {
  const suites = new Map(SUITES.map((name) => [name, sharedSuite(name)]));
  const counts = new Map<string, number>();
  for (const trace of traceFiles().flatMap((file) => sharedRecords<Trace>(`traces/${file}`))) {
    const suite = suites.get(trace.suite)!;
    const environment = newEnvironment(suite);
    for (const step of trace.steps) {
      // Calls of an attacked run are made too: no arguments may break a tool.
      if (step.resultText === null) continue;
      let ours: unknown;
      let error: string | undefined;
      try {
        ours = suite.tools.get(step.call.function)?.run(environment, step.call.args);
      } catch (thrown) {
        if (!(thrown instanceof ToolError)) throw thrown;
        error = thrown.message;
      }
      if (trace.injectionTask !== null || step.error?.startsWith('ToolNotFound')) continue;
      const why = reason(step, ours, error);
      assert.ok(why, `${trace.userTask}: ${JSON.stringify(step.call)} gave ${JSON.stringify(error ?? ours)}`);
      counts.set(why, (counts.get(why) ?? 0) + 1);
    }
  }
  assert.deepEqual(
    counts,
    new Map([
      ['same', 2769],
      ['same error', 155],
      ['error in both, of other words', 19],
      ['same but for the age of the recording', 346],
      ['file 24 had no Hawaii in it', 12],
      ['mail 16 was not among the received ones', 9],
      ['a string passed for a list', 9],
      ['100.0 did not pass for 100', 8],
      ['rescheduling left the end time as it was', 2],
    ]),
  );
});
