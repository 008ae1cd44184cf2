/** Values as Python prints them: `repr` of JSON-like data, and floats. */

/** A number as Python prints a float: `45.0`, `0.1`, `1e+16`. */
export function float(value: number): string {
  if (Number.isNaN(value)) return 'nan';
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf';
  if (value === 0) return Object.is(value, -0) ? '-0.0' : '0.0';
  const [mantissa = '', power = ''] = value.toExponential().split('e');
  const exponent = Number(power);
  if (exponent < -4 || exponent >= 16) {
    const digits = String(Math.abs(exponent)).padStart(2, '0');
    return `${mantissa}e${exponent < 0 ? '-' : '+'}${digits}`;
  }
  return Number.isInteger(value) ? `${value}.0` : String(value);
}

/** @param floats Print every number as a float; without it, whole numbers are integers. */
export function pythonRepr(value: unknown, floats = false): string {
  if (value === null || value === undefined) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value === 'number') return floats || !Number.isInteger(value) ? float(value) : String(value);
  if (typeof value === 'string') return quoted(value);
  if (Array.isArray(value)) return `[${value.map((item) => pythonRepr(item, floats)).join(', ')}]`;
  const items = Object.entries(value).map(([key, item]) => `${quoted(key)}: ${pythonRepr(item, floats)}`);
  return `{${items.join(', ')}}`;
}

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
  ['\\', '\\\\'],
]);

/**
 * What Python does not print: controls, separators other than the blank, unassigned, private and surrogate.
 */
const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/u;

function quoted(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  let out = quote;
  for (const character of text) {
    const known = ESCAPES.get(character);
    if (known !== undefined) out += known;
    else if (character === quote) out += `\\${quote}`;
    else if (UNPRINTABLE.test(character)) out += escaped(character.codePointAt(0) ?? 0);
    else out += character;
  }
  return out + quote;
}

function escaped(code: number): string {
  if (code <= 0xff) return `\\x${code.toString(16).padStart(2, '0')}`;
  return code <= 0xffff
    ? `\\u${code.toString(16).padStart(4, '0')}`
    : `\\U${code.toString(16).padStart(8, '0')}`;
}
