/** What a lesson of the tutorial is. */

export interface Step {
  /** What the reader is told before; paragraphs are parted by a blank line. */
  readonly text: string;
  /** What is typed, line by line. */
  readonly input: readonly string[];
}

export interface Lesson {
  readonly name: string;
  readonly title: string;
  readonly steps: readonly Step[];
  /** What the reader could try at the end. */
  readonly tryThis: readonly string[];
}
