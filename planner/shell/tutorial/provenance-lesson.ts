/**
 * The classic example: the relation R and the query of Green, Karvounarakis and Tannen, "Provenance
 * semirings", PODS 2007 (figures 1 to 5). The tables and polynomials are theirs, the words are ours.
 */
import type { Lesson } from './lesson.js';

export const provenanceLesson: Lesson = {
  name: 'provenance',
  title: 'What a row is made of',
  steps: [
    {
      text: 'A table of three rows. Every row has a token of its own, here named p, r and s. A token is an unknown: it stands for the row, whatever the row will turn out to be worth.',
      input: ['.import r.csv', '.token r as p,r,s', 'SELECT * FROM r;'],
    },
    {
      text: 'The last column is the annotation of each row, a polynomial over tokens. A base row is just its token. A query computes with annotations as it computes with rows: what is used together is multiplied, what is an alternative is added.\n\nThis query puts rows together that agree on b, or agree on c.',
      input: [
        'SELECT DISTINCT a, c FROM (',
        '  SELECT x.a, y.c FROM r AS x JOIN r AS y ON x.b = y.b',
        '  UNION ALL',
        '  SELECT x.a, x.c FROM r AS x JOIN r AS y ON x.c = y.c',
        ') AS q ORDER BY a, c;',
      ],
    },
    {
      text: 'Read the row (d, e): 2·r^2 + r·s. There are three ways to derive it. Two use the second row twice, one uses the second and the third row. The same as a tree, down to the rows:',
      input: ['.why 4', '.circuit 4'],
    },
    {
      text: 'Coarser kinds of provenance forget something. Lin keeps which rows had a part. Why keeps which rows work together. PosBool keeps only the smallest such sets. N[X] forgets nothing; it is the one from which the others follow.',
      input: ['.ladder'],
    },
    {
      text: 'Each monomial is a way to the row, so what is left without an input can be read off. What if the third row were gone?',
      input: ['.delete s'],
    },
    {
      text: 'A number for each token, and the polynomial becomes a number: how often the row is there, if p was there twice, r five times and s once.',
      input: ['.semiring N', '.token p = 2', '.token r = 5', '.token s = 1', '.show'],
    },
    {
      text: 'The row (d, e) is there 2·5·5 + 5·1 = 55 times. Grouping gives a δ, "at least one of", and difference a ∸, "the first without the second".',
      input: [
        '.semiring N[X]',
        'SELECT b, count(*) AS n FROM r GROUP BY b;',
        "SELECT b FROM r EXCEPT SELECT b FROM r WHERE a = 'd';",
        '.whynot b',
      ],
    },
  ],
  tryThis: [
    '.show tropical       (costs: + is the cheaper way, · adds)',
    '.circuit 1 svg row.svg',
    '.semiring            (the list of all semirings)',
  ],
};
