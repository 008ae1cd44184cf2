/** Classes of characters in regular expressions, by code point. */
export type CharacterTest = (point: number) => boolean;

function matching(pattern: RegExp): CharacterTest {
  return (point) => pattern.test(String.fromCodePoint(point));
}

const between =
  (low: number, high: number): CharacterTest =>
  (point) =>
    point >= low && point <= high;

const isDigit = between(0x30, 0x39);
const isSpace = matching(/^\s$/u);
/** A letter, a digit or the underscore. */
export const isWord = matching(/^[\p{L}\p{N}_]$/u);

const classes: ReadonlyMap<string, CharacterTest> = new Map([
  ['alnum', matching(/^[\p{L}\p{N}]$/u)],
  ['alpha', matching(/^\p{L}$/u)],
  ['blank', (point) => point === 0x20 || point === 9],
  ['cntrl', matching(/^\p{Cc}$/u)],
  ['digit', isDigit],
  ['graph', matching(/^[^\p{Z}\p{C}]$/u)],
  ['lower', matching(/^\p{Ll}$/u)],
  ['print', matching(/^[^\p{C}]$/u)],
  ['punct', matching(/^[\p{P}\p{S}]$/u)],
  ['space', isSpace],
  ['upper', matching(/^\p{Lu}$/u)],
  ['word', isWord],
  ['xdigit', matching(/^[\da-fA-F]$/)],
]);

/** `[:name:]` */
export function namedClass(name: string): CharacterTest | undefined {
  return classes.get(name);
}

/** `\d`, `\s`, `\w` and their opposites. */
export function classEscape(letter: string): CharacterTest | undefined {
  switch (letter) {
    case 'd':
      return isDigit;
    case 's':
      return isSpace;
    case 'w':
      return isWord;
    case 'D':
      return (point) => !isDigit(point);
    case 'S':
      return (point) => !isSpace(point);
    case 'W':
      return (point) => !isWord(point);
    default:
      return undefined;
  }
}
