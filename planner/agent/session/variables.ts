/**
 * Variables: names that stand for hidden values in what the planner model reads and writes. Substitution is
 * one pass over text that the planner wrote, of names that this session issued; text that comes out of a
 * variable is never scanned again.
 */

import { AssayError } from '../../../semiring/message/error.js';

/** Where a variable's value stands in a result; `row` -1 and `field` '' where there is none. */
export interface Position {
  readonly row: number;
  readonly field: string;
}

/** `#tool-result-n#`, `#tool-result-n.key#`, `#tool-result-n-i#`, `#tool-result-n-i.key#` */
export function variableName(call: number, position: Position): string {
  const row = position.row < 0 ? '' : `-${position.row}`;
  const field = position.field === '' ? '' : `.${position.field}`;
  return `#tool-result-${call}${row}${field}#`;
}

/** The name of the n-th quarantined answer. */
export function answerName(n: number): string {
  return `#quarantine-result-${n}#`;
}

/** The longest name that a session issues: fields beyond this are hidden under their index instead. */
const longestName = 200;

/** A field's path as it may stand in a variable's name; unusual keys are replaced, since names are shown. */
export function safeField(field: string, index: number): string {
  return field.length <= longestName && /^[\p{L}\p{N}_.[\]-]*$/u.test(field) ? field : `field-${index}`;
}

/** A variable by name; undefined for a name that the session did not issue. */
export type LookUp = (name: string) => { readonly value: unknown } | undefined;

export interface Substitution {
  readonly value: unknown;
  /** Names that were found, each once, in order of first use. */
  readonly used: readonly string[];
}

/** A name as it may occur in text; linear: no alternative of the pattern overlaps another. */
const pattern = /#(?:tool-result|quarantine-result)-[^#\s]{1,220}#/g;

/**
 * What was meant as a name: the form of one with a `#` at either end at least, other cases and separators
 * included. Linear: what repeats is bounded.
 */
const meant =
  /#\s?(?:tool|quarantine)[-_ ]?results?[-_ ]?\d[^#\s]{0,220}#?|(?:tool|quarantine)[-_ ]?results?[-_ ]?\d[^#\s]{0,220}#/giu;

/**
 * Texts of `written` that were meant as names of variables and are none that `lookUp` knows, each once. Only
 * the planner's own text is looked at. A call that has one would send the name itself, which nobody wants.
 */
export function unknownNames(written: unknown, lookUp: LookUp): readonly string[] {
  const found = new Set<string>();
  const visit = (value: unknown): void => {
    if (typeof value === 'string') {
      if (!/[#＃]/u.test(value)) return;
      for (const { text, variable } of splitText(value, lookUp)) {
        if (variable !== undefined) continue;
        for (const [name] of text.normalize('NFKC').matchAll(meant)) found.add(name);
      }
    } else if (typeof value === 'object' && value !== null) Object.values(value).forEach(visit);
  };
  visit(written);
  return [...found];
}

/** Deeper arguments are refused: recursion must end. */
const deepest = 500;

/**
 * Replaces the names in `written` that `lookUp` knows. A string that is exactly one name becomes the
 * variable's typed value; elsewhere in text the value is interpolated, JSON for what is not text. Keys are
 * not scanned.
 * @throws AssayError `session/too-deep` for what is nested deeper than any tool asks for, or in a circle
 */
export function substitute(written: unknown, lookUp: LookUp): Substitution {
  const used = new Set<string>();
  const visit = (value: unknown, depth: number): unknown => {
    if (typeof value === 'string') return substituteText(value, lookUp, used);
    if (typeof value !== 'object' || value === null) return value;
    if (depth === deepest) {
      throw new AssayError('session/too-deep', `the arguments are nested deeper than ${deepest}`);
    }
    if (Array.isArray(value)) return value.map((item) => visit(item, depth + 1));
    // fromEntries defines own properties, so that a key `__proto__` stays a key.
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, visit(inner, depth + 1)]));
  };
  const value = visit(written, 0);
  return { value, used: [...used] };
}

function substituteText(text: string, lookUp: LookUp, used: Set<string>): unknown {
  if (!text.includes('#')) return text;
  const whole = lookUp(text);
  if (whole) {
    used.add(text);
    return whole.value;
  }
  const parts = splitText(text, lookUp);
  for (const { variable } of parts) if (variable !== undefined) used.add(variable);
  return parts.map((part) => part.text).join('');
}

/** A stretch of text: the planner's own, or what stands in the variable that it names. */
export interface TextPart {
  readonly text: string;
  readonly variable?: string;
}

/** The planner's text with the names that `lookUp` knows replaced, in parts. */
export function splitText(text: string, lookUp: LookUp): TextPart[] {
  const parts: TextPart[] = [];
  let copied = 0;
  const names = new RegExp(pattern);
  for (let match = names.exec(text); match; match = names.exec(text)) {
    const [name] = match;
    const variable = lookUp(name);
    if (!variable) {
      names.lastIndex = match.index + 1; // the closing # may open a name
      continue;
    }
    if (match.index > copied) parts.push({ text: text.slice(copied, match.index) });
    parts.push({ text: textOf(variable.value), variable: name });
    copied = names.lastIndex;
  }
  if (copied < text.length) parts.push({ text: text.slice(copied) });
  return parts;
}

/** A value as text: strings as they are, everything else as JSON. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? 'null');
}
