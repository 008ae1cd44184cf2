/**
 * The page of a registered semiring: what it reads, its operations and laws, and the worked example in it.
 */
import { hierarchy } from '../../semiring/hierarchy.js';
import type { RegisteredSemiring } from '../../semiring/registry.js';
import { lawTable } from './law-table.js';
import { code, fileOf, linkTo, markdownTable, type Page } from './page.js';
import { query, table, type WorkedExample, workedExample } from './worked-example.js';

export async function semiringPage(registered: RegisteredSemiring): Promise<Page> {
  const { semiring, reads, doc, example: valuation } = registered;
  const example = await workedExample(registered);
  const title = semiring.name;
  const text = `
# ${title}

Reads **${reads}**.

${doc}

Where a token is given no value: ${valuation}.

## Operations

${operations(registered, example)}

## Laws

Every semiring has: + and · are commutative and associative, 0 and 1 are their neutral values, · distributes over +, and
a · 0 = 0. Beyond them:

${laws(registered, example)}

## Example

The table \`r\`, its rows' tokens, and what each token means here:

${markdownTable(
  ['token', 'a', 'b', 'c', 'means'],
  table.map(([token, a, b, c], row) => [token, a, b, c, code(example.show(example.meaning[row]))]),
)}

The query:

\`\`\`sql
${query}
\`\`\`

Its answer, each row with its annotation:

${markdownTable(
  ['a', 'c', 'annotation'],
  example.rows.map(({ a, c, annotation }) => [a, c, code(example.show(annotation))]),
)}
${steps(title)}`;
  return { file: fileOf(title), title, text: text.trimStart() };
}

function operations({ semiring }: RegisteredSemiring, { show, meaning: [p, r] }: WorkedExample): string {
  const { zero, one, plus, times, monus, delta } = semiring;
  const rows = [
    ['0', code(show(zero)), 'the row is not there'],
    ['1', code(show(one)), 'nothing is needed'],
    ['p + r', code(show(plus(p, r))), 'either derivation'],
    ['p · r', code(show(times(p, r))), 'both together'],
    ['p ∸ r', monus ? code(show(monus(p, r))) : 'none', monusWords(semiring)],
    ['δ(p)', delta ? code(show(delta(p))) : 'none', 'a group with these rows is there'],
  ];
  return markdownTable(['operation', 'value, for p and r as in the example', 'stands for'], rows);
}

function monusWords({ monus, reads }: RegisteredSemiring['semiring']): string {
  if (reads === 'dependency') return 'difference: read by dependency, as the label of all that was compared';
  return monus ? 'difference' : 'difference: refused';
}

function laws({ semiring }: RegisteredSemiring, { show, meaning }: WorkedExample): string {
  const rows = lawTable(semiring, meaning).map(({ law, equation, holds, brokenBy }) => {
    const values = brokenBy?.map((value, i) => `${'abc'[i]} = ${show(value)}`).join(', ');
    return [code(law), equation, holds ? 'yes' : 'no', values === undefined ? '' : code(values)];
  });
  return markdownTable(['law', 'says', 'holds', 'broken by'], rows);
}

/** The steps of the hierarchy from and to this semiring. */
function steps(name: string): string {
  const lines = hierarchy.flatMap(({ from, to, adds, forgets }) => {
    if (from === name) return [`- to ${linkTo(to)}: ${adds}; forgets ${forgets}`];
    return to === name ? [`- from ${linkTo(from)}: ${adds}`] : [];
  });
  return lines.length === 0 ? '' : `\n## In the hierarchy\n\n${lines.join('\n')}\n`;
}
