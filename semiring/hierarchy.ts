/**
 * The ladder of provenance semirings as data (Green 2011, with Sorp and the readings of labels): each step
 * forgets one thing, so what is above can answer all that is below. Names are those of the semirings' `name`.
 */

/** One step down the ladder: the homomorphism from one reading to a coarser one. */
export interface Rung {
  readonly from: string;
  readonly to: string;
  /** The law that the step adds; what it forgets. */
  readonly adds: string;
  readonly forgets: string;
}

/** The steps, most informative first; together they are a Hasse diagram with N[X] on top. */
export const hierarchy: readonly Rung[] = [
  { from: 'N[X]', to: 'B[X]', adds: '1 + 1 = 1', forgets: 'how many derivations are alike' },
  { from: 'N[X]', to: 'Trio', adds: 'x·x = x for tokens', forgets: 'how often one derivation uses a token' },
  { from: 'N[X]', to: 'N', adds: 'a number for each token', forgets: 'which tokens' },
  { from: 'B[X]', to: 'Why', adds: 'x·x = x for tokens', forgets: 'how often one derivation uses a token' },
  { from: 'Trio', to: 'Why', adds: '1 + 1 = 1', forgets: 'how many derivations are alike' },
  { from: 'B[X]', to: 'Sorp', adds: '1 + a = 1', forgets: 'derivations that use more than another' },
  { from: 'Why', to: 'PosBool', adds: '1 + a = 1', forgets: 'witnesses that contain another' },
  { from: 'Sorp', to: 'PosBool', adds: 'a·a = a', forgets: 'how often one derivation uses a token' },
  { from: 'Why', to: 'Lin', adds: 'a + b = a·b unless one is 0', forgets: 'which tokens go together' },
  { from: 'Sorp', to: 'tropical', adds: 'a cost for each token', forgets: 'all but the cheapest derivation' },
  {
    from: 'Sorp',
    to: 'Viterbi',
    adds: 'a probability for each token',
    forgets: 'all but the likeliest derivation',
  },
  { from: 'PosBool', to: 'labels-alternative', adds: 'a label for each token', forgets: 'all but the label' },
  { from: 'Lin', to: 'labels', adds: 'a label for each token', forgets: 'all but the label' },
  { from: 'PosBool', to: 'Boolean', adds: 'which tokens are there', forgets: 'why the row is there' },
  { from: 'Lin', to: 'Boolean', adds: 'all tokens are there', forgets: 'the inputs' },
  { from: 'N', to: 'Boolean', adds: '1 + 1 = 1', forgets: 'how often' },
];
