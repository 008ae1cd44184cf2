/**
 * Regular expressions that no pattern and no text can make explode. The machine reads the text once and is in
 * every place at once, so a match takes at most |text| · |pattern| steps; the steps of one call are counted,
 * and more than {@link mostSteps} are refused.
 */
import { AssayError } from '../../semiring/message/error.js';
import { isWord } from './character-class.js';
import { type Assertion, parsePattern } from './parse.js';
import { type Instruction, programOf } from './program.js';

/** Some seconds. */
export const mostSteps = 2 ** 27;

/** Offsets in UTF-16 units. */
export interface Match {
  readonly start: number;
  readonly end: number;
}

/** The places that the machine is in, and where the match of each began; in the order of these beginnings. */
class Places {
  readonly at: Int32Array;
  readonly began: Int32Array;
  count = 0;
  readonly #known: Int32Array;
  #round = 0;

  constructor(size: number) {
    this.at = new Int32Array(size);
    this.began = new Int32Array(size);
    this.#known = new Int32Array(size);
  }

  clear(): void {
    this.count = 0;
    this.#round += 1;
  }

  /** Whether the place was not yet visited in this round. */
  visit(place: number): boolean {
    if (this.#known[place] === this.#round) return false;
    this.#known[place] = this.#round;
    return true;
  }
}

export class Regexp {
  readonly #program: readonly Instruction[];
  readonly #longest: boolean;
  readonly #stack: number[] = [];

  /** @throws AssayError `engine/regexp` for what is wrong or not supported */
  constructor(pattern: string, { ignoreCase = false } = {}) {
    const parsed = parsePattern(pattern, ignoreCase);
    this.#program = programOf(parsed.pattern);
    this.#longest = parsed.longest;
  }

  /** @throws AssayError `engine/regexp-steps` */
  test(text: string): boolean {
    return this.#find(text, 0, { steps: 0 }, true) !== undefined;
  }

  /**
   * The matches from left to right, none inside another.
   * @throws AssayError `engine/regexp-steps`
   */
  *matches(text: string, from = 0): Generator<Match> {
    const counted = { steps: 0 };
    let start = from;
    while (start <= text.length) {
      const found = this.#find(text, start, counted, false);
      if (!found) return;
      yield found;
      start = found.end > found.start ? found.end : found.end + widthAt(text, found.end);
    }
  }

  /**
   * The first match of those that begin first, the longest of these or the shortest; any where `any` will do.
   */
  #find(text: string, from: number, counted: { steps: number }, any: boolean): Match | undefined {
    const program = this.#program;
    let now = new Places(program.length);
    let next = new Places(program.length);
    now.clear();
    let best: Match | undefined;
    for (let offset = from; ; ) {
      if (!best) this.#enter(now, 0, offset, text, offset);
      const point = text.codePointAt(offset);
      const after = offset + widthAt(text, offset);
      next.clear();
      counted.steps += now.count + 1;
      if (counted.steps > mostSteps) throw tooManySteps(text.length, program.length);
      for (let i = 0; i < now.count; i++) {
        const began = now.began[i];
        if (best && (began > best.start || (began === best.start && !this.#longest))) break;
        const instruction = program[now.at[i]];
        if (instruction.kind === 'match') {
          if (any) return { start: began, end: offset };
          best = { start: began, end: offset };
        } else if (instruction.kind === 'test' && point !== undefined && instruction.test(point))
          this.#enter(next, now.at[i] + 1, began, text, after);
      }
      if (point === undefined || (best && next.count === 0)) return best;
      [now, next] = [next, now];
      offset = after;
    }
  }

  /** Adds a place, and those that are reached from it without reading. */
  #enter(places: Places, place: number, began: number, text: string, offset: number): void {
    const stack = this.#stack;
    stack.push(place);
    for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
      if (!places.visit(at)) continue;
      const instruction = this.#program[at];
      if (instruction.kind === 'split') stack.push(instruction.other, instruction.next);
      else if (instruction.kind === 'assert') {
        if (holds(instruction.assertion, text, offset)) stack.push(at + 1);
      } else {
        places.at[places.count] = at;
        places.began[places.count++] = began;
      }
    }
  }
}

function widthAt(text: string, offset: number): number {
  return (text.codePointAt(offset) ?? 0) > 0xffff ? 2 : 1;
}

function holds(assertion: Assertion, text: string, offset: number): boolean {
  if (assertion === 'start') return offset === 0;
  if (assertion === 'end') return offset === text.length;
  const before = offset > 0 && isWord(pointBefore(text, offset));
  const after = offset < text.length && isWord(text.codePointAt(offset) ?? 0);
  switch (assertion) {
    case 'word start':
      return !before && after;
    case 'word end':
      return before && !after;
    case 'word edge':
      return before !== after;
    case 'no word edge':
      return before === after;
  }
}

function pointBefore(text: string, offset: number): number {
  const last = text.charCodeAt(offset - 1);
  const isLow = last >= 0xdc00 && last < 0xe000 && offset > 1;
  const whole = isLow ? (text.codePointAt(offset - 2) ?? 0) : 0;
  return whole > 0xffff ? whole : last;
}

function tooManySteps(length: number, size: number): AssayError {
  return new AssayError(
    'engine/regexp-steps',
    `a regular expression of ${size} parts on a text of ${length} characters takes more than ${mostSteps} steps: make the pattern or the text shorter`,
  );
}
