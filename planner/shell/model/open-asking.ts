/** Loads what a model needs, where one is configured: a shell without a model starts without it. */
import type { Asking, AskingOptions } from './asking.js';

export async function askingOf(
  options: AskingOptions,
  stderr: NodeJS.WritableStream,
): Promise<Asking | undefined> {
  const { ASSAY_MODEL = '', ASSAY_CASSETTE = '' } = process.env;
  const named = options.model ?? options.cassette ?? (ASSAY_MODEL || ASSAY_CASSETTE);
  if (named === '') return undefined;
  const { model, baseUrl, concurrency, structured, cassette, record, maxTokens, maxCost } = options;
  const { attempts, inputPrice, outputPrice, maxCalls, answers } = options;
  const settings = { model, baseUrl, concurrency, structured, cassette, record, maxTokens, maxCost };
  const { openAsking } = await import('./asking.js');
  return openAsking(
    { ...settings, attempts, inputPrice, outputPrice, maxCalls, answers },
    process.env,
    stderr,
  );
}
