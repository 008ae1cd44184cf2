/**
 * PostgreSQL's regular expressions (ARE), as a tree. What needs going back in the text (back references,
 * lookaround) is refused, so that every pattern can be matched in time linear in the text.
 */
import { AssayError } from '../../semiring/message/error.js';
import { visibleText } from '../../semiring/message/visible-text.js';
import { type CharacterTest, classEscape, namedClass } from './character-class.js';

/** Where nothing is read. */
export type Assertion = 'start' | 'end' | 'word start' | 'word end' | 'word edge' | 'no word edge';

export type Pattern =
  | { readonly kind: 'empty' }
  | { readonly kind: 'test'; readonly test: CharacterTest }
  | { readonly kind: 'assert'; readonly assertion: Assertion }
  | { readonly kind: 'sequence' | 'alternatives'; readonly parts: readonly Pattern[] }
  | { readonly kind: 'repeat'; readonly part: Pattern; readonly least: number; readonly most: number };

export interface ParsedPattern {
  readonly pattern: Pattern;
  /** Whether the longest match is wanted, or the shortest, of those that begin first. */
  readonly longest: boolean;
  readonly ignoreCase: boolean;
}

/** Bounds of `{m,n}` reach up to this. */
const largestBound = 255;
/** Deeper groups are refused: a group is a call of the parser. */
const deepest = 200;

/** @throws AssayError `engine/regexp` for what is wrong or not supported */
export function parsePattern(written: string, ignoreCase: boolean): ParsedPattern {
  const option = /^\(\?([ic]+)\)/.exec(written);
  const ignores = option ? option[1].endsWith('i') : ignoreCase;
  const parser = new Parser(option ? written.slice(option[0].length) : written, ignores);
  const { pattern, greedy } = parser.all();
  return { pattern, longest: greedy !== false, ignoreCase: ignores };
}

/** A part, and whether it prefers to be long; undefined: it has no preference. */
interface Preferring {
  readonly pattern: Pattern;
  readonly greedy: boolean | undefined;
}

const assertions: ReadonlyMap<string, Assertion> = new Map([
  ['A', 'start'],
  ['Z', 'end'],
  ['m', 'word start'],
  ['M', 'word end'],
  ['y', 'word edge'],
  ['Y', 'no word edge'],
]);

const controls: ReadonlyMap<string, number> = new Map([
  ['a', 7],
  ['b', 8],
  ['e', 27],
  ['f', 12],
  ['n', 10],
  ['r', 13],
  ['t', 9],
  ['v', 11],
  ['0', 0],
]);

class Parser {
  readonly #points: readonly string[];
  readonly #ignoreCase: boolean;
  #at = 0;
  #depth = 0;

  constructor(written: string, ignoreCase: boolean) {
    this.#points = [...written];
    this.#ignoreCase = ignoreCase;
    if (written.startsWith('***')) throw this.#refused('a director (***)');
  }

  all(): Preferring {
    const found = this.#alternatives();
    if (this.#at < this.#points.length) throw this.#wrong('parentheses () not balanced');
    return found;
  }

  #alternatives(): Preferring {
    if (++this.#depth > deepest) throw this.#wrong(`groups are nested deeper than ${deepest}`);
    const branches = [this.#branch()];
    while (this.#take('|')) branches.push(this.#branch());
    this.#depth -= 1;
    if (branches.length === 1) return branches[0];
    return {
      pattern: { kind: 'alternatives', parts: branches.map((branch) => branch.pattern) },
      greedy: true,
    };
  }

  #branch(): Preferring {
    const parts: Pattern[] = [];
    let greedy: boolean | undefined;
    while (this.#at < this.#points.length && this.#peek() !== '|' && this.#peek() !== ')') {
      const piece = this.#piece();
      parts.push(piece.pattern);
      greedy ??= piece.greedy;
    }
    const pattern: Pattern =
      parts.length === 0 ? { kind: 'empty' } : parts.length === 1 ? parts[0] : { kind: 'sequence', parts };
    return { pattern, greedy };
  }

  #piece(): Preferring {
    const isGroup = this.#peek() === '(';
    const atom = this.#atom();
    const bounds = this.#bounds();
    if (!bounds) return atom;
    if (atom.pattern.kind === 'assert' && !isGroup) throw this.#wrong('quantifier operand invalid');
    const [least, most] = bounds;
    const lazy = this.#take('?');
    if (this.#bounds()) throw this.#wrong('quantifier operand invalid');
    const greedy = lazy ? false : least === most ? atom.greedy : true;
    return { pattern: { kind: 'repeat', part: atom.pattern, least, most }, greedy };
  }

  /** How often the atom before it may be there; undefined where no quantifier stands. */
  #bounds(): readonly [number, number] | undefined {
    if (this.#take('*')) return [0, Number.POSITIVE_INFINITY];
    if (this.#take('+')) return [1, Number.POSITIVE_INFINITY];
    if (this.#take('?')) return [0, 1];
    if (this.#peek() !== '{' || !isDigit(this.#points[this.#at + 1])) return undefined;
    this.#at += 1;
    const least = this.#number();
    let most = least;
    if (this.#take(',')) most = isDigit(this.#peek()) ? this.#number() : Number.POSITIVE_INFINITY;
    if (!this.#take('}')) throw this.#wrong('invalid repetition count(s)');
    const isBound = (n: number) => n <= largestBound || n === Number.POSITIVE_INFINITY;
    if (!isBound(least) || !isBound(most) || most < least) throw this.#wrong('invalid repetition count(s)');
    return [least, most];
  }

  #atom(): Preferring {
    const point = this.#points[this.#at++];
    switch (point) {
      case '(':
        return this.#group();
      case '[':
        return neutral({ kind: 'test', test: this.#bracket() });
      case '.':
        return neutral({ kind: 'test', test: () => true });
      case '^':
        return neutral({ kind: 'assert', assertion: 'start' });
      case '$':
        return neutral({ kind: 'assert', assertion: 'end' });
      case '\\':
        return neutral(this.#escape());
      case '*':
      case '+':
      case '?':
        throw this.#wrong('quantifier operand invalid');
      case '{':
        if (isDigit(this.#peek())) throw this.#wrong('quantifier operand invalid');
        return neutral(this.#literal(point));
      default:
        return neutral(this.#literal(point));
    }
  }

  #group(): Preferring {
    if (this.#take('?') && !this.#take(':')) {
      const sign = this.#peek() ?? '';
      throw '=!<'.includes(sign) && sign !== ''
        ? this.#refused('lookaround')
        : this.#wrong('invalid embedded option, or quantifier operand invalid');
    }
    const inside = this.#alternatives();
    if (!this.#take(')')) throw this.#wrong('parentheses () not balanced');
    return inside;
  }

  #literal(character: string): Pattern {
    const point = character.codePointAt(0) ?? 0;
    return { kind: 'test', test: this.#folding((other) => other === point) };
  }

  #escape(): Pattern {
    const letter = this.#points[this.#at++];
    if (letter === undefined) throw this.#wrong('invalid escape \\ sequence');
    const assertion = assertions.get(letter);
    if (assertion) return { kind: 'assert', assertion };
    const test = classEscape(letter);
    if (test) return { kind: 'test', test };
    if (/[1-9]/.test(letter)) throw this.#refused('a back reference');
    return this.#literal(String.fromCodePoint(this.#escaped(letter)));
  }

  /** The character that an escape stands for. */
  #escaped(letter: string): number {
    const control = controls.get(letter);
    if (control !== undefined) return control;
    const digits = letter === 'x' ? 2 : letter === 'u' ? 4 : letter === 'U' ? 8 : 0;
    if (digits > 0) {
      const text = this.#points.slice(this.#at, this.#at + digits).join('');
      const point = /^[\da-f]+$/i.test(text) && text.length === digits ? Number.parseInt(text, 16) : -1;
      if (point < 0 || point > 0x10ffff) throw this.#wrong('invalid escape \\ sequence');
      this.#at += digits;
      return point;
    }
    if (letter === 'B') return 0x5c;
    if (/[a-z\d]/i.test(letter)) throw this.#wrong('invalid escape \\ sequence');
    return letter.codePointAt(0) ?? 0;
  }

  #bracket(): CharacterTest {
    const negative = this.#take('^');
    const tests: CharacterTest[] = [];
    for (let first = true; first || this.#peek() !== ']'; first = false) this.#bracketItem(tests);
    this.#at += 1;
    const any = this.#folding((point) => tests.some((test) => test(point)));
    return negative ? (point) => !any(point) : any;
  }

  #bracketItem(tests: CharacterTest[]): void {
    if (this.#peek() === '[' && this.#points[this.#at + 1] === ':') {
      const end = this.#points.indexOf(']', this.#at);
      const name = this.#points.slice(this.#at + 2, end - 1).join('');
      const test = end > 0 && this.#points[end - 1] === ':' ? namedClass(name) : undefined;
      if (!test) throw this.#wrong('invalid character class');
      this.#at = end + 1;
      tests.push(test);
      return;
    }
    const next = this.#points[this.#at + 1];
    const test = this.#peek() === '\\' && next !== undefined ? classEscape(next) : undefined;
    if (test) {
      this.#at += 2;
      tests.push(test);
      return;
    }
    const low = this.#bracketPoint();
    let high = low;
    if (this.#peek() === '-' && this.#points[this.#at + 1] !== ']') {
      this.#at += 1;
      high = this.#bracketPoint();
    }
    if (high < low) throw this.#wrong('invalid character range');
    tests.push((point) => point >= low && point <= high);
  }

  #bracketPoint(): number {
    const point = this.#points[this.#at++];
    if (point === undefined) throw this.#wrong('brackets [] not balanced');
    if (point === '[' && ['.', '=', ':'].includes(this.#peek() ?? ''))
      throw this.#refused('a collating element in brackets');
    if (point !== '\\') return point.codePointAt(0) ?? 0;
    const letter = this.#points[this.#at++];
    if (letter === undefined) throw this.#wrong('brackets [] not balanced');
    return this.#escaped(letter);
  }

  #folding(test: CharacterTest): CharacterTest {
    if (!this.#ignoreCase) return test;
    return (point) => {
      if (test(point)) return true;
      const text = String.fromCodePoint(point);
      return test(text.toLowerCase().codePointAt(0) ?? 0) || test(text.toUpperCase().codePointAt(0) ?? 0);
    };
  }

  #number(): number {
    let digits = '';
    while (isDigit(this.#peek())) digits += this.#points[this.#at++];
    return digits.length > 4 ? Number.NaN : Number(digits);
  }

  #peek(): string | undefined {
    return this.#points[this.#at];
  }

  #take(character: string): boolean {
    if (this.#peek() !== character) return false;
    this.#at += 1;
    return true;
  }

  #wrong(what: string): AssayError {
    const before = this.#points.slice(0, this.#at).join('');
    const shown = visibleText(before.length > 60 ? `…${before.slice(-60)}` : before);
    return new AssayError('engine/regexp', `invalid regular expression: ${what}, after "${shown}"`);
  }

  #refused(what: string): AssayError {
    return new AssayError(
      'engine/regexp',
      `${what} in a regular expression is not supported: the time that it takes has no bound that a hostile text keeps`,
    );
  }
}

function neutral(pattern: Pattern): Preferring {
  return { pattern, greedy: undefined };
}

function isDigit(character: string | undefined): boolean {
  return character !== undefined && character >= '0' && character <= '9';
}
