/**
 * YAML as PyYAML's `safe_dump` writes it (block style, sorted keys, 80 columns, ASCII), because that is what
 * AgentDojo shows a model. A line folds at the first single blank past the width, not before it, and a
 * scalar's style follows from its text: plain if it can be, else single quotes, else double.
 */

/**
 * A string is a string; `plain` is any other scalar in its final form (`12.0`, `true`, `2024-05-15
 * 10:00:00`).
 */
export type YamlNode =
  | string
  | { readonly plain: string }
  | readonly YamlNode[]
  | ReadonlyMap<string, YamlNode>;

const WIDTH = 80;

/** Keys from this length on are complex: 128 characters, of which PyYAML counts five for the tag `!!str`. */
const LONG_KEY = 123;

export function safeDump(node: YamlNode): string {
  const out = new Writer();
  if (isBlock(node)) writeBlock(out, node, 0);
  else writeInline(out, node, 2);
  return `${out.text}\n`;
}

class Writer {
  text = '';
  column = 0;

  put(text: string): void {
    this.text += text;
    this.column += text.length;
  }

  line(indent: number): void {
    this.text += `\n${' '.repeat(indent)}`;
    this.column = indent;
  }
}

type Block = readonly YamlNode[] | ReadonlyMap<string, YamlNode>;

function isList(node: YamlNode): node is readonly YamlNode[] {
  return Array.isArray(node);
}

/** Whether it takes lines of its own: a list or map that is not empty. */
function isBlock(node: YamlNode): node is Block {
  return isList(node) ? node.length > 0 : node instanceof Map && node.size > 0;
}

/** The cursor stands where the first entry begins, at column `indent`. */
function writeBlock(out: Writer, node: Block, indent: number): void {
  if (isList(node)) {
    for (const [index, item] of node.entries()) {
      if (index > 0) out.line(indent);
      out.put('- ');
      writeEntry(out, item, indent + 2);
    }
    return;
  }
  const keys = [...node.keys()].sort(byCodePoint);
  for (const [index, key] of keys.entries()) {
    if (index > 0) out.line(indent);
    const value = node.get(key) ?? { plain: 'null' };
    const simple = isSimpleKey(key);
    if (!simple) out.put('? ');
    writeScalar(out, key, indent + 2, !simple);
    if (!simple) out.line(indent);
    out.put(':');
    if (isBlock(value) && simple) {
      // A list stands at the column of its key.
      const inner = isList(value) ? indent : indent + 2;
      out.line(inner);
      writeBlock(out, value, inner);
    } else {
      out.put(' ');
      writeEntry(out, value, indent + 2);
    }
  }
}

/** An item behind its dash, or a value behind its colon. */
function writeEntry(out: Writer, item: YamlNode, indent: number): void {
  if (isBlock(item)) writeBlock(out, item, indent);
  else writeInline(out, item, indent);
}

/** A key that is empty, long or of several lines is marked by `?` and may be folded like any scalar. */
function isSimpleKey(key: string): boolean {
  return key !== '' && !/[\n\x85\u2028\u2029]/.test(key) && [...key].length < LONG_KEY;
}

function writeInline(out: Writer, node: YamlNode, indent: number): void {
  if (typeof node === 'string') writeScalar(out, node, indent, true);
  else if (isList(node)) out.put('[]');
  else if ('plain' in node) out.put(node.plain);
  else out.put('{}');
}

function writeScalar(out: Writer, text: string, indent: number, fold: boolean): void {
  if (/[^\n\x20-\x7e]/.test(text) || /\n | \n/.test(text)) {
    writeDouble(out, [...text], indent, fold);
  } else if (isPlain(text)) {
    writeRuns(out, text, indent, fold);
  } else {
    out.put("'");
    writeRuns(out, text.replaceAll("'", "''"), indent, fold);
    out.put("'");
  }
}

/** Folds at single blanks that are not the text's ends; a line break of the text shows as an empty line. */
function writeRuns(out: Writer, text: string, indent: number, fold: boolean): void {
  for (const { 0: run, index } of text.matchAll(/\n+| +|[^ \n]+/g)) {
    if (run.startsWith('\n')) {
      out.text += run;
      out.line(indent);
    } else if (run === ' ' && fold && out.column > WIDTH && index > 0 && index + 1 < text.length) {
      out.line(indent);
    } else {
      out.put(run);
    }
  }
}

/**
 * Between double quotes a line folds at a blank or next to an escape, with a backslash; a blank that then
 * begins a line gets one too.
 *
 * @param text By code points.
 */
function writeDouble(out: Writer, text: readonly string[], indent: number, fold: boolean): void {
  out.put('"');
  // Where the characters begin that are not written yet; one past the current one right behind an escape.
  let start = 0;
  for (const [index, character] of text.entries()) {
    const sequence = escaped(character);
    if (sequence !== undefined) {
      out.put(text.slice(start, index).join('') + sequence);
      start = index + 1;
    }
    const inside = index > 0 && index < text.length - 1;
    const foldable = character === ' ' || start >= index;
    if (inside && foldable && fold && out.column + (index - start) > WIDTH) {
      out.put(`${text.slice(start, index).join('')}\\`);
      start = Math.max(start, index);
      out.line(indent);
      if (text[start] === ' ') out.put('\\');
    }
  }
  out.put(`${text.slice(start).join('')}"`);
}

function escaped(character: string): string | undefined {
  const letter = ESCAPES.get(character);
  if (letter !== undefined) return `\\${letter}`;
  if (character >= ' ' && character <= '~') return undefined;
  const code = character.codePointAt(0) ?? 0;
  const hex = code.toString(16).toUpperCase();
  if (code <= 0xff) return `\\x${hex.padStart(2, '0')}`;
  return code <= 0xffff ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`;
}

/** Whether the text, as it stands, reads back as that string. */
function isPlain(text: string): boolean {
  return (
    text !== '' &&
    !text.includes('\n') &&
    !text.startsWith(' ') &&
    !text.endsWith(' ') &&
    !/^[#,[\]{}&*!|>'"%@`]|^[?:-]( |$)|^---|^\.\.\./.test(text) &&
    !/:( |$)| #/.test(text) &&
    !OTHER_TYPES.test(text)
  );
}

/**
 * What YAML 1.1 reads as something else than a string: booleans, numbers, dates, null, merge and value keys.
 */
const OTHER_TYPES = new RegExp(
  `^(?:${[
    'yes|Yes|YES|no|No|NO|true|True|TRUE|false|False|FALSE|on|On|ON|off|Off|OFF',
    '~|null|Null|NULL|<<|=',
    '[-+]?(?:0b[01_]+|0[0-7_]+|0|[1-9][0-9_]*|0x[0-9a-fA-F_]+|[1-9][0-9_]*(?::[0-5]?[0-9])+)',
    '[-+]?[0-9][0-9_]*\\.[0-9_]*(?:[eE][-+][0-9]+)?|\\.[0-9][0-9_]*(?:[eE][-+][0-9]+)?',
    '[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+\\.[0-9_]*|[-+]?\\.(?:inf|Inf|INF)|\\.(?:nan|NaN|NAN)',
    '[0-9]{4}-[0-9]{2}-[0-9]{2}',
    '[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:[Tt]|[ \\t]+)[0-9]{1,2}:[0-9]{2}:[0-9]{2}(?:\\.[0-9]*)?(?:[ \\t]*(?:Z|[-+][0-9]{1,2}(?::[0-9]{2})?))?',
  ].join('|')})$`,
);

function byCodePoint(a: string, b: string): number {
  const [left, right] = [[...a], [...b]];
  for (let i = 0; i < left.length && i < right.length; i++) {
    const difference = (left[i]?.codePointAt(0) ?? 0) - (right[i]?.codePointAt(0) ?? 0);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['\0', '0'],
  ['\x07', 'a'],
  ['\b', 'b'],
  ['\t', 't'],
  ['\n', 'n'],
  ['\v', 'v'],
  ['\f', 'f'],
  ['\r', 'r'],
  ['\x1b', 'e'],
  ['"', '"'],
  ['\\', '\\'],
  ['\x85', 'N'],
  ['\xa0', '_'],
  ['\u2028', 'L'],
  ['\u2029', 'P'],
]);
