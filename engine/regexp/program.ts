/**
 * A pattern as instructions of a machine that is in many places at once (Thompson, Regular expression search
 * algorithm, CACM 1968). A bound such as `{3,5}` is written out, so the size of a program is limited.
 */
import { AssayError } from '../../semiring/message/error.js';
import type { CharacterTest } from './character-class.js';
import type { Assertion, Pattern } from './parse.js';

export type Instruction =
  | { readonly kind: 'test'; readonly test: CharacterTest }
  | { readonly kind: 'assert'; readonly assertion: Assertion }
  /** Goes on at both places. */
  | { readonly kind: 'split'; next: number; other: number }
  | { readonly kind: 'match' };

/** A machine is in as many places at once as it has instructions, at every character. */
export const mostInstructions = 10_000;

/** @throws AssayError `engine/regexp` where the program would be too long */
export function programOf(pattern: Pattern): readonly Instruction[] {
  const program: Instruction[] = [];
  const emit = (instruction: Instruction): void => {
    if (program.length >= mostInstructions) {
      throw new AssayError(
        'engine/regexp',
        `the regular expression is too long: with its bounds written out it has more than ${mostInstructions} parts`,
      );
    }
    program.push(instruction);
  };
  const split = () => {
    const made = { kind: 'split' as const, next: program.length + 1, other: program.length + 1 };
    emit(made);
    return made;
  };
  const write = (part: Pattern): void => {
    switch (part.kind) {
      case 'empty':
        return;
      case 'test':
      case 'assert':
        emit(part);
        return;
      case 'sequence':
        for (const one of part.parts) write(one);
        return;
      case 'alternatives': {
        const ends = part.parts.map((one, i) => {
          if (i === part.parts.length - 1) {
            write(one);
            return undefined;
          }
          const choice = split();
          write(one);
          const jump = split();
          choice.other = program.length;
          return jump;
        });
        for (const jump of ends) if (jump) jump.next = jump.other = program.length;
        return;
      }
      case 'repeat': {
        const { least, most, part: inside } = part;
        for (let i = 0; i < least; i++) write(inside);
        if (most === Number.POSITIVE_INFINITY) {
          const loop = split();
          write(inside);
          const back = split();
          back.next = back.other = program.indexOf(loop);
          loop.other = program.length;
          return;
        }
        const skips = [];
        for (let i = least; i < most; i++) {
          skips.push(split());
          write(inside);
        }
        for (const skip of skips) skip.other = program.length;
      }
    }
  };
  write(pattern);
  emit({ kind: 'match' });
  return program;
}
