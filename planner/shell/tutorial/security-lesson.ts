/** The security semirings: clearance, integrity, readers, and the label as the reading of a polynomial. */
import type { Lesson } from './lesson.js';

export const securityLesson: Lesson = {
  name: 'security',
  title: 'May it be acted on, and who may see it',
  steps: [
    {
      text: 'Two tables: payees that our accountant keeps, and bills that came by mail. Anybody can send mail.',
      input: ['.import payees.csv', '.import bills.csv', '.tables', 'SELECT * FROM bills;'],
    },
    {
      text: 'Labels say who made data and who may read it. T is trusted, U untrusted; a row without a label counts as untrusted and for nobody, so what was forgotten is never let through.',
      input: ['.label payees trusted {ann, bob}', '.label bills untrusted {ann}'],
    },
    {
      text: 'The same query as always; only the reading is new. In labels, + and · are both join: a result is as untrusted, and as secret, as all that went into it.',
      input: [
        '.semiring labels',
        'SELECT name, account FROM payees;',
        'SELECT p.name, p.account, b.amount FROM payees AS p JOIN bills AS b ON b.vendor = p.name;',
      ],
    },
    {
      text: 'The payment needs a trusted row and an untrusted one, so it is untrusted, and only ann may read it. Which inputs would a human have to vouch for? That is the cheapest endorsement: the smallest set of untrusted inputs that one derivation needs.',
      input: ['.trust', '.trust bills[1]'],
    },
    {
      text: 'A cell can have a token of its own. Then a query that does not look at the amount does not depend on it.',
      input: [
        '.open',
        '.import bills.csv --cells all',
        '.semiring integrity',
        '.label bills trusted everyone',
        '.label bills[1].amount untrusted everyone',
        'SELECT vendor FROM bills;',
        'SELECT vendor FROM bills WHERE amount > 50;',
      ],
    },
    {
      text: 'The first answer stays trusted. In the second even the fact that a row is there depends on the amount: whoever could change the amount could make the row come or go. What a policy reads is the label of a cell: that the row is there, and what the cell says.',
      input: ['SELECT vendor, amount FROM bills;', '.cells 1'],
    },
  ],
  tryThis: [
    '.semiring readers',
    '.semiring access control   (then .token TOKEN = secret)',
    '.semiring Viterbi          (then .token TOKEN = 0.9)',
  ],
};
