/**
 * Attack texts put into an environment. AgentDojo keeps environments as YAML and puts the text into quoted
 * scalars, where a run of n line breaks reads as n - 1 (a single one as a space) and defaults may hold
 * escapes; the same happens here, so that results under attack come out as they do there.
 */
import type { Ordered } from './ordered-json.js';

const PLACEHOLDER = /\{([A-Za-z0-9_]+)\}/g;

/** A copy with every placeholder `{NAME}` filled, in keys too, in one pass: filled text is not read again. */
export function fillInjections(
  template: Ordered,
  injections: ReadonlyMap<string, string>,
  defaults: ReadonlyMap<string, string>,
): Ordered {
  const text = (name: string): string | undefined => {
    const injected = injections.get(name);
    if (injected !== undefined) return folded(injected);
    const standard = defaults.get(name);
    return standard === undefined ? undefined : unescaped(standard);
  };
  const fill = (value: Ordered): Ordered => {
    if (typeof value === 'string') return filled(value, text);
    if (Array.isArray(value)) return value.map(fill);
    if (value instanceof Map) {
      return new Map(Array.from(value, ([key, item]) => [filled(key, text), fill(item)]));
    }
    return value;
  };
  return fill(template);
}

function filled(template: string, text: (name: string) => string | undefined): string {
  return template.replace(PLACEHOLDER, (placeholder, name: string) => text(name) ?? placeholder);
}

function folded(text: string): string {
  return text.replace(/\n+/g, (breaks) => breaks.slice(1) || ' ');
}

function unescaped(text: string): string {
  return text.replace(/\\([nt"\\])/g, (_, letter: string) =>
    letter === 'n' ? '\n' : letter === 't' ? '\t' : letter,
  );
}
