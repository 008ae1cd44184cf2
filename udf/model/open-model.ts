/**
 * From flags and environment to a model that is ready: retries, limits and counts around an endpoint or a
 * cassette. A key comes from the environment only, never from a flag, which others on the machine can read.
 */
import * as v from 'valibot';
import { limited } from './limiter.js';
import { Meter } from './meter.js';
import type { Model } from './model.js';
import { ModelError } from './model-error.js';
import { openAiModel } from './openai-model.js';
import { recordedModel } from './recorded-model.js';
import { type RetryOptions, retrying } from './retry.js';

const whole = v.pipe(
  v.union([v.number(), v.pipe(v.string(), v.regex(/^\d{1,12}$/), v.transform(Number))]),
  v.integer(),
  v.minValue(0),
);
const amount = v.pipe(
  v.union([v.number(), v.pipe(v.string(), v.regex(/^\d{1,12}(\.\d{1,12})?$/), v.transform(Number))]),
  v.finite(),
  v.minValue(0),
);

const settingsSchema = v.strictObject({
  model: v.optional(v.string()),
  baseUrl: v.optional(v.string()),
  timeout: v.optional(whole),
  attempts: v.optional(whole),
  concurrency: v.optional(whole),
  structured: v.optional(v.picklist(['json-schema', 'json-object', 'none'])),
  cassette: v.optional(v.string()),
  record: v.optional(v.boolean()),
  maxTokens: v.optional(whole),
  maxCost: v.optional(amount),
  inputPrice: v.optional(amount),
  outputPrice: v.optional(amount),
});

/** Flags; texts where they come from a command line. What is absent is looked up in the environment. */
export interface ModelSettings {
  /** `ASSAY_MODEL` */
  readonly model?: string;
  /** `OPENAI_BASE_URL` */
  readonly baseUrl?: string;
  /** `ASSAY_MODEL_TIMEOUT`: milliseconds for one attempt. */
  readonly timeout?: number | string;
  /** `ASSAY_MODEL_ATTEMPTS`: in all, for one request. */
  readonly attempts?: number | string;
  /** `ASSAY_MODEL_CONCURRENCY`: requests under way at a time; default 16. */
  readonly concurrency?: number | string;
  /** `ASSAY_MODEL_STRUCTURED` */
  readonly structured?: 'json-schema' | 'json-object' | 'none';
  /** `ASSAY_CASSETTE`: replay this file; with `record`, write it. */
  readonly cassette?: string;
  readonly record?: boolean;
  /** `ASSAY_MAX_TOKENS`: input and output of all requests. */
  readonly maxTokens?: number | string;
  /** `ASSAY_MAX_COST` */
  readonly maxCost?: number | string;
  /** `ASSAY_INPUT_PRICE`, `ASSAY_OUTPUT_PRICE`: of a million tokens. */
  readonly inputPrice?: number | string;
  readonly outputPrice?: number | string;
}

const variables = {
  model: 'ASSAY_MODEL',
  baseUrl: 'OPENAI_BASE_URL',
  timeout: 'ASSAY_MODEL_TIMEOUT',
  attempts: 'ASSAY_MODEL_ATTEMPTS',
  concurrency: 'ASSAY_MODEL_CONCURRENCY',
  structured: 'ASSAY_MODEL_STRUCTURED',
  cassette: 'ASSAY_CASSETTE',
  maxTokens: 'ASSAY_MAX_TOKENS',
  maxCost: 'ASSAY_MAX_COST',
  inputPrice: 'ASSAY_INPUT_PRICE',
  outputPrice: 'ASSAY_OUTPUT_PRICE',
} as const satisfies Partial<Record<keyof ModelSettings, string>>;

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The configured model, or undefined where none is named. The key is `OPENAI_API_KEY`; a local server needs
 * none.
 * @throws ModelError `model/bad-setting` naming the setting and its variable
 */
export function openModel(
  flags: ModelSettings,
  environment: Environment,
  retry: RetryOptions = {},
): Meter | undefined {
  const settings = readModelSettings(flags, environment);
  const { model, cassette, inputPrice, outputPrice, maxTokens, maxCost } = settings;
  const apiKey = environment.OPENAI_API_KEY || undefined;
  const live = (): Model => {
    if (model === undefined)
      throw new ModelError('model/bad-setting', 'Name the model: --model or ASSAY_MODEL.');
    const { baseUrl, timeout, structured, attempts, concurrency = 16 } = settings;
    const endpoint = openAiModel({ model, baseUrl, apiKey, timeout, structured });
    return retrying(limited(endpoint, concurrency), {
      ...retry,
      ...(attempts !== undefined && { attempts }),
    });
  };
  if (model === undefined && cassette === undefined) return undefined;
  const secrets = apiKey === undefined ? [] : [apiKey];
  const source =
    cassette === undefined
      ? live()
      : settings.record
        ? recordedModel(cassette, live(), { mode: 'record', secrets })
        : recordedModel(cassette, undefined, { mode: 'replay', secrets });
  const priced = inputPrice !== undefined || outputPrice !== undefined;
  return new Meter(source, {
    ...(maxTokens !== undefined && { maxTokens }),
    ...(maxCost !== undefined && { maxCost }),
    ...(priced && { price: { input: inputPrice ?? 0, output: outputPrice ?? 0 } }),
  });
}

/**
 * The settings, numbers as numbers.
 * @throws ModelError `model/bad-setting` naming the setting and its variable
 */
export function readModelSettings(flags: ModelSettings, environment: Environment) {
  const merged: Record<string, unknown> = {};
  for (const [name, variable] of Object.entries(variables)) {
    const value = environment[variable];
    if (value !== undefined && value !== '') merged[name] = value;
  }
  for (const [name, value] of Object.entries(flags)) if (value !== undefined) merged[name] = value;
  const parsed = v.safeParse(settingsSchema, merged);
  if (parsed.success) return parsed.output;
  const name = v.getDotPath(parsed.issues[0]) ?? '';
  const variable = new Map<string, string>(Object.entries(variables)).get(name);
  const also = variable === undefined ? '' : ` (or ${variable})`;
  throw new ModelError('model/bad-setting', `${name}${also}: ${parsed.issues[0].message}`);
}
