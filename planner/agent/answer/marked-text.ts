/**
 * The parts of an answer as one text that still knows which stretches are untrusted. Look-ups are by binary
 * search over the borders, so a scan over a large answer stays near linear.
 */
import type { Label } from '../../../semiring/label/label.js';

/** A stretch of an answer: what the planner model wrote, or what stood in a variable. */
export interface AnswerPart {
  readonly text: string;
  readonly label: Label;
}

/** A place in the answer as it came in. */
export interface Where {
  readonly part: number;
  readonly offset: number;
}

export class MarkedText {
  readonly text: string;
  readonly #starts: number[] = [];
  /**
   * For each part, where the next untrusted, not empty part begins (itself, if it is one); Infinity if none.
   */
  readonly #untrusted: number[] = [];

  constructor(parts: readonly AnswerPart[]) {
    let length = 0;
    for (const { text } of parts) {
      this.#starts.push(length);
      length += text.length;
    }
    this.text = parts.map(({ text }) => text).join('');
    let next = Number.POSITIVE_INFINITY;
    for (let i = parts.length - 1; i >= 0; i--) {
      if (parts[i].label.integrity !== 'T' && parts[i].text.length > 0) next = this.#starts[i];
      this.#untrusted[i] = next;
    }
  }

  /** Whether some character of [from, to) is untrusted. */
  touches(from: number, to: number): boolean {
    return from < to && this.nextUntrusted(from) < to;
  }

  /** The first untrusted position at or after `from`, or Infinity. */
  nextUntrusted(from: number): number {
    if (this.#starts.length === 0) return Number.POSITIVE_INFINITY;
    return Math.max(from, this.#untrusted[this.#partAt(from)]);
  }

  where(position: number): Where {
    const part = this.#partAt(position);
    return { part, offset: position - this.#starts[part] };
  }

  /** The last part that starts at or before `position`; of several that do (empty ones), the last. */
  #partAt(position: number): number {
    let low = 0;
    let high = this.#starts.length;
    while (low + 1 < high) {
      const middle = (low + high) >> 1;
      if (this.#starts[middle] <= position) low = middle;
      else high = middle;
    }
    return low;
  }
}
