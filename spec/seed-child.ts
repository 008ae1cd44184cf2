/** Makes random choices of every kind and shows them; then a property fails and shows its counterexample. */
import fc from 'fast-check';
import { runs } from './runs.js';
import { chance } from './seed.js';

const texts = fc.sample(fc.string(), { numRuns: 20 });
const again = fc.sample(fc.string(), 20);
const numbers: number[] = [];
fc.assert(
  fc.property(fc.double(), (number) => numbers.push(number) > 0),
  { numRuns: runs(20) },
);
process.stdout.write(
  JSON.stringify([texts, again, numbers.map(String), chance('kill', 1), chance('kill', 2)]),
);

fc.assert(
  fc.property(fc.integer(), (number) => number % 7 !== 3),
  { numRuns: 1000 },
);
