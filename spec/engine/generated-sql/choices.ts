/**
 * What a generated text is made from: a list of numbers, of which the writer takes the next one wherever the
 * grammar has a choice. 0 is the simplest choice, also when the list has run out, so a failing text shrinks
 * to a short one.
 */

/** How deep queries and expressions nest at most. */
const deepest = 4;

export class Choices {
  readonly #numbers: readonly number[];
  #at = 0;
  #names = 0;
  #depth = 0;

  constructor(numbers: readonly number[]) {
    this.#numbers = numbers;
  }

  next(n: number): number {
    const choice = this.#at < this.#numbers.length ? this.#numbers[this.#at] : 0;
    this.#at += 1;
    return choice % n;
  }

  pick<T>(...options: readonly T[]): T {
    return options[this.next(options.length)];
  }

  /** Writes one of several forms. */
  write(forms: readonly (() => string)[]): string {
    return this.pick(...forms)();
  }

  /** True once in n times, and never when the choices have run out. */
  chance(n: number): boolean {
    return this.next(n) === n - 1;
  }

  /** A name that the text has not had yet. */
  name(prefix: string): string {
    this.#names += 1;
    return `${prefix}${this.#names}`;
  }

  /** Whether there is still something to choose and room to nest. */
  get roomy(): boolean {
    return this.#depth < deepest && this.#at < this.#numbers.length;
  }

  deeper<T>(write: () => T): T {
    this.#depth += 1;
    const result = write();
    this.#depth -= 1;
    return result;
  }
}
