/**
 * Where every random choice of the specification comes from. `ASSAY_SEED=n` makes the choices of an earlier
 * run of the same tests again, and a run that fails says its seed. Whoever needs fast-check or chance imports
 * this file, mostly by `runs.ts`.
 */
import { createHash, randomInt } from 'node:crypto';
import fc from 'fast-check';

function readSeed(text: string | undefined): number {
  if (text === undefined || text === '') return randomInt(2 ** 32);
  const number = Number(text);
  if (Number.isSafeInteger(number) && number >= 0) return number;
  throw new Error(`ASSAY_SEED is ${JSON.stringify(text)}; it must be an integer of at least 0`);
}

export const seed = readSeed(process.env.ASSAY_SEED);

/** 32 random bits, by the seed and the names alone: the same whatever is chosen before or beside them. */
function bits(...names: readonly (string | number)[]): number {
  const hash = createHash('sha256').update(JSON.stringify([seed, ...names]));
  return hash.digest().readUInt32BE(0);
}

/** A random number in [0, 1). */
export function chance(...names: readonly (string | number)[]): number {
  return bits(...names) / 2 ** 32;
}

let properties = 0;
fc.configureGlobal({
  // fast-check reads this anew for each property. With one seed for all, a property that is checked on eight
  // databases would see the same queries eight times.
  get seed() {
    properties += 1;
    return bits('property', properties) | 0;
  },
});

process.on('exit', (code) => {
  if (code !== 0) console.error(`ASSAY_SEED=${seed} makes the random choices of this run again`);
});
