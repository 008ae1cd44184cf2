/**
 * Takes secrets out of text before it is shown, thrown or written. Known secrets are removed exactly; things
 * that look like keys are removed as well, so that a key of somebody else stays out too.
 */

const keyShapes: readonly RegExp[] = [
  /\b(?:sk|pk|rk|xai|gsk|ghp|gho|ghs|hf|AIza|AKIA)[-_]?[A-Za-z0-9_-]{16,}/g,
  /\b(Bearer|Basic|api-key:?|x-api-key:?)\s+[A-Za-z0-9._~+/=-]{8,}/gi,
  /(?<=:\/\/)[^\s/@:]{1,256}:[^\s/@]{1,256}(?=@)/g,
];

export const redacted = '[redacted]';

export type Redactor = (text: string) => string;

/**
 * A function that replaces each of `secrets`, also in its URL-encoded and JSON-escaped form, and everything
 * that has the shape of a key. Secrets under 4 characters are not searched for: they would garble the text.
 */
export function redactor(secrets: readonly (string | undefined)[]): Redactor {
  const known = new Set<string>();
  for (const secret of secrets) {
    if (secret === undefined || secret.length < 4) continue;
    for (const form of [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)])
      known.add(form);
  }
  // Longest first: a secret may contain another.
  const ordered = [...known].sort((a, b) => b.length - a.length);
  return (text) => {
    let safe = text;
    for (const secret of ordered) safe = safe.replaceAll(secret, redacted);
    for (const shape of keyShapes) safe = safe.replace(shape, redacted);
    return safe;
  };
}
