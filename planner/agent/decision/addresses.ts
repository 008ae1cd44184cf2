/**
 * Where an address begins in a text, for permitted flow and for the sink of the answer alike: whatever some
 * program would follow or load. A text is read twice, as it is and folded to what a lenient reader makes of
 * it (entities decoded, full-width forms narrowed, characters that cannot be seen left out), so that no
 * spelling of `https://` is one here and another there.
 *
 * | an address                                        | none                                   |
 * |---------------------------------------------------|----------------------------------------|
 * | `any://x`, `https:/x`, `https:\\x`, `https:x`     | `https: the protocol`, `C:\dir`        |
 * | `//host/x`, `\\host\share`                        | `// comment`, `a//b`, `\\ `            |
 * | `www.x`                                           | `x.example/path`, `bob@x.example`      |
 * | `mailto:x`, `javascript:x`, `data:text/html,x`, … | `note: x`, `data: x`                   |
 */

export interface Address {
  /** Where its scheme begins; its own beginning where it has none. */
  readonly from: number;
  /** What a reader must not take for what it is: the colon, the slashes, or the dot after `www`. */
  readonly at: number;
  readonly end: number;
  /** Whether a host follows. */
  readonly host: boolean;
}

const scheme = String.raw`javascript|vbscript|livescript|mailto|xmpp|tel|sms|sips?|callto|skype|file|blob|ftp|intent|view-source|magnet|search-ms|ms-[a-z-]{1,40}|data(?=:[\w.+-]{1,80}\/|:[,;])`;
const host = String.raw`[\w.-]{2,255}[\\/][\w$]|[\w-]{1,63}\.[\w-]`;

/** The colon of an address with slashes, slashes that begin one, `www.`, and schemes that need no slashes. */
const address = new RegExp(
  [
    String.raw`:(?=\/\/)`,
    String.raw`(?<![\p{L}\p{N}])(?:https?|wss?|ftp)\\?:(?=[\\/]*[^\s\\/\]])`,
    String.raw`(?<![\p{L}\p{N}:\\/]|\[:\])(?:\/{2,}(?=[^\s\\/\]])|(?:\/\\|\\[\\/])[\\/]*(?=${host}))`,
    String.raw`www[.\u3002](?=\S)`,
    String.raw`(?<![\p{L}\p{N}])(?:${scheme})\\?:(?=\S)`,
  ].join('|'),
  'giu',
);

/** Whether there is an address in `text`. Linear in its length. */
export function holdsAddress(text: string): boolean {
  if (!suspicious.test(text)) return false;
  if (leads(text)) return true;
  const folded = fold(text);
  return folded !== undefined && leads(folded.text);
}

/** `://` with nothing before it leads nowhere, though more text before it might make it. */
function leads(text: string): boolean {
  for (const { from, at } of within(text)) if (from < at || text[at] !== ':') return true;
  return false;
}

/** All addresses of `text`, in order. Linear in its length. */
export function addressesIn(text: string): Address[] {
  if (!suspicious.test(text)) return [];
  const found = [...within(text)];
  const folded = fold(text);
  if (!folded) return found;
  const { starts } = folded;
  for (const { from, at, end, ...rest } of within(folded.text)) {
    // The end is that of the last character: what is left out after it is not part of it.
    found.push({ ...rest, from: starts[from], at: starts[at], end: folded.ends[end - 1] });
  }
  return found.sort((a, b) => a.at - b.at);
}

/** No text without one of these holds an address. */
const suspicious = /[:\\&]|\/\/|www|[^\t\n\r\x20-\x7e]/i;

function* within(text: string): Generator<Address> {
  for (const { 0: found, index } of text.matchAll(address)) {
    const end = index + found.length;
    if (found === ':') {
      yield { from: startOfScheme(text, index), at: index, end, host: true };
    } else if (found.endsWith(':')) {
      yield { from: index, at: end - 1, end, host: /^(?:https?|wss?|ftp)\W/i.test(found) };
    } else if (/^[\\/]/.test(found)) {
      yield { from: index, at: index, end, host: true };
    } else {
      yield { from: index, at: end - 1, end, host: false };
    }
  }
}

function startOfScheme(text: string, colon: number): number {
  let from = colon;
  while (from > 0 && /[\w+.-]/.test(text[from - 1])) from -= 1;
  return from;
}

interface Folded {
  readonly text: string;
  /** For each unit of the folded text, where the character that it came from begins and ends. */
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

/**
 * What a reader may take for another character: an entity (encoded once or several times over), a character
 * beyond printable ASCII.
 */
const foldable =
  /&(?:amp;){0,8}(?:#x0{0,8}([0-9a-f]{1,6});?|#0{0,8}([0-9]{1,7});?|(colon|sol|bsol|period|tab|newline|zerowidthspace|nobreak|shy);)|[^\t\n\r\x20-\x7e]/giu;

const named: Readonly<Record<string, string>> = { colon: ':', sol: '/', bsol: '\\', period: '.' };

/** Left out by who renders or follows an address. */
const unseen = /[\p{Cf}\p{Default_Ignorable_Code_Point}\p{Cc}]/u;

/** Undefined where the folded text would be the same. */
function fold(text: string): Folded | undefined {
  const pieces: string[] = [];
  const starts: number[] = [];
  const ends: number[] = [];
  let done = 0;
  let changed = false;
  const keep = (upTo: number) => {
    pieces.push(text.slice(done, upTo));
    for (; done < upTo; done += 1) {
      starts.push(done);
      ends.push(done + 1);
    }
  };
  for (const { 0: found, 1: hexadecimal, 2: decimal, 3: name, index } of text.matchAll(foldable)) {
    const character = found.startsWith('&') ? decoded(hexadecimal, decimal, name) : found;
    const reads = unseen.test(character) ? '' : character.normalize('NFKC');
    if (reads === found) continue;
    changed = true;
    keep(index);
    done = index + found.length;
    pieces.push(reads);
    for (let unit = 0; unit < reads.length; unit += 1) {
      starts.push(index);
      ends.push(done);
    }
  }
  if (!changed) return undefined;
  keep(text.length);
  return { text: pieces.join(''), starts, ends };
}

function decoded(
  hexadecimal: string | undefined,
  decimal: string | undefined,
  name: string | undefined,
): string {
  if (name !== undefined) return named[name.toLowerCase()] ?? '\u200b';
  const point = hexadecimal === undefined ? Number(decimal) : Number.parseInt(hexadecimal, 16);
  return point > 0x10ffff ? '\ufffd' : String.fromCodePoint(point);
}
