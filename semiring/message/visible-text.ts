/**
 * Untrusted text for a screen. What comes out of `visibleText` is printable and only printable, so it cannot
 * move the cursor, change a colour, reverse, hide or overlay what stands beside it.
 *
 * Shown as codes: control characters, format characters (bidirectional, zero-width, tags), everything that is
 * ignorable by default (variation selectors, fillers), lone surrogates, private and unassigned code points,
 * line separators, every space but the common one; and combining marks that have nothing of this text to
 * stand on, or that pile up. The codes are those of string literals: `\n`, `\r`, `\t`, `\x1b`, `\u{202e}`; a
 * real backslash is doubled exactly where it would read as the start of one of these.
 */
import { createHash } from 'node:crypto';
import { eastAsianWidth } from 'get-east-asian-width';

/** More marks than this on one letter are shown as codes; living scripts need at most four. */
const marksOnOneLetter = 4;

const hidden = String.raw`(?! )[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]`;

/**
 * One character a match (a pattern for runs would recurse): a hidden one, a loose or piled mark, or a
 * backslash that would read as a code. Look-behind is bounded, so the whole is linear.
 */
const special = new RegExp(
  [
    hidden,
    String.raw`(?<=(?:^|${hidden})\p{M}{0,${marksOnOneLetter - 1}}|\p{M}{${marksOnOneLetter}})\p{M}`,
    String.raw`\\(?=[\\nrtxu]|${hidden})`,
  ].join('|'),
  'gu',
);

export interface VisibleOptions {
  /** `escape` (default) gives one line; `keep` leaves line feeds, so that the caller can split into lines. */
  readonly newlines?: 'escape' | 'keep';
}

/**
 * `text` as printable characters; linear in its length. Printable text comes back unchanged, but for
 * backslashes.
 */
export function visibleText(text: string, options: VisibleOptions = {}): string {
  const keep = options.newlines === 'keep';
  return text.replace(special, (found) => {
    if (found === '\n' && keep) return found;
    return found === '\\' ? '\\\\' : code(found);
  });
}

function code(character: string): string {
  switch (character) {
    case '\n':
      return '\\n';
    case '\r':
      return '\\r';
    case '\t':
      return '\\t';
  }
  const point = character.codePointAt(0) as number;
  return point < 0x100 ? `\\x${point.toString(16).padStart(2, '0')}` : `\\u{${point.toString(16)}}`;
}

/** Units that must stay together on a line: a code, or a character with its marks. Of visible text only. */
const unit = /\\(?:x[0-9a-f]{2}|u\{[0-9a-f]+\}|[\\nrt])|[^\p{M}]\p{M}*|\p{M}+/gu;

/**
 * Columns that visible text takes on a terminal: marks none, wide and full-width characters two, others one.
 */
export function displayWidth(visible: string): number {
  if (/^[\x20-\x7e]*$/.test(visible)) return visible.length;
  let width = 0;
  for (const character of visible) width += columns(character);
  return width;
}

function columns(character: string): number {
  const point = character.codePointAt(0) as number;
  if (point < 0x300) return 1;
  return /^[\p{Mn}\p{Me}]/u.test(character) ? 0 : eastAsianWidth(point);
}

/**
 * Visible text filled up with spaces to `width` columns; text that is as wide or wider comes back as it is.
 */
export function pad(visible: string, width: number, align: 'left' | 'right' | 'center' = 'left'): string {
  const room = Math.max(0, width - displayWidth(visible));
  const before = align === 'left' ? 0 : align === 'right' ? room : room >> 1;
  return ' '.repeat(before) + visible + ' '.repeat(room - before);
}

/**
 * Visible text cut into lines of at most `width` columns (and at least one unit), never inside a code or
 * between a letter and its marks. Line feeds break as well. Nothing is dropped.
 */
export function wrap(visible: string, width: number): string[] {
  return visible.split('\n').flatMap((line) => wrapLine(line, width));
}

function wrapLine(line: string, width: number): string[] {
  const lines: string[] = [];
  let start = 0;
  let end = 0;
  let used = 0;
  for (const [piece] of line.matchAll(unit)) {
    const wide = displayWidth(piece);
    if (used + wide > width && end > start) {
      lines.push(line.slice(start, end));
      start = end;
      used = 0;
    }
    end += piece.length;
    used += wide;
  }
  lines.push(line.slice(start));
  return lines;
}

export interface ShortenOptions {
  /**
   * Say the SHA-256 of the whole text (UTF-8), its first 16 hex digits, so that two folded texts can be told
   * apart.
   */
  readonly hash?: boolean;
}

/**
 * Untrusted `text` as one visible line of at most `width` columns. A longer one keeps its beginning and says
 * how long it is: `Dear all, the invoi… (12345 characters, sha256 1f0c…)`. The remark is never cut: where
 * `width` has no room for it, the line is as long as the remark.
 */
export function shorten(text: string, width: number, options: ShortenOptions = {}): string {
  // A character takes at least one column unless it is a mark, of which a letter keeps a few.
  const head = text.slice(0, Math.max(0, width) * (2 * marksOnOneLetter + 2) + 2);
  const visible = visibleText(head.length < text.length ? head.replace(/[\ud800-\udbff]$/, '') : head);
  if (head.length === text.length && displayWidth(visible) <= width) return visible;
  const hash = options.hash ? `, sha256 ${digest(text)}…` : '';
  const remark = `… (${text.length} characters${hash})`;
  const room = width - displayWidth(remark);
  const beginning = wrapLine(visible, room)[0];
  return displayWidth(beginning) <= room ? beginning + remark : remark;
}

function digest(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex').slice(0, 16);
}
