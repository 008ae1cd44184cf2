/**
 * Labels of a log by number. The line that uses a label first declares it, so that every beginning of a log
 * can be read on its own.
 */
import type { Label } from '../../../semiring/label/label.js';

/** `[integrity, readers]` */
export type WrittenLabel = readonly ['T' | 'U', 'everyone' | readonly string[]];

export class LabelWriter {
  readonly #numbers = new Map<string, number>();
  #declared: WrittenLabel[] = [];

  number(label: Label): number {
    const written: WrittenLabel = [
      label.integrity,
      label.readers === 'everyone' ? 'everyone' : [...label.readers].sort(),
    ];
    const key = JSON.stringify(written);
    let number = this.#numbers.get(key);
    if (number === undefined) {
      number = this.#numbers.size;
      this.#numbers.set(key, number);
      this.#declared.push(written);
    }
    return number;
  }

  /** The labels that were new since the last time. */
  takeDeclared(): readonly WrittenLabel[] {
    const declared = this.#declared;
    this.#declared = [];
    return declared;
  }
}

export class LabelReader {
  readonly #labels: Label[] = [];

  declare([integrity, readers]: WrittenLabel): void {
    this.#labels.push({ integrity, readers: readers === 'everyone' ? readers : new Set(readers) });
  }

  /** Undefined for a number that no line declared. */
  label(number: number): Label | undefined {
    return this.#labels[number];
  }

  get all(): readonly Label[] {
    return this.#labels;
  }
}
