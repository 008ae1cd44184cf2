/** `ask` in a database: queries, provenance, labels, EXPLAIN. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Database } from '../../../planner/query/database.js';
import { bottom, type Label, showLabel } from '../../../semiring/label/label.js';
import { conservativeLabels } from '../../../semiring/label/label-semiring.js';
import type { AskFunctionsOptions } from '../../../udf/ask/ask-functions.js';
import { computingModel } from './ask-scene.js';

function scene(options: AskFunctionsOptions & { readonly label?: Label } = {}) {
  const db = new Database();
  db.load('mail', [
    { id: 1, body: 'pay now' },
    { id: 2, body: 'hello' },
  ]);
  db.label('mail', { integrity: 'U', readers: new Set(['alice', 'bob']) });
  const model = computingModel(({ inputs }) => String(inputs.get('body')).startsWith('pay'));
  db.useModel(model, options);
  return { db, model };
}

const urgent = "SELECT id FROM mail WHERE ask('urgent?', body, 'boolean')";

describe('ask in a database', () => {
  it('answers with the provenance of the inputs and the answer, and with their label', async () => {
    const { db, model } = scene();
    const result = await db.query(urgent);
    assert.deepEqual(result.rows(), [[1]]);
    assert.equal(result.showPolynomial(0), 'mail[1]·ask[1]');
    const label = result.annotate(conservativeLabels).at(0);
    assert.equal(label && showLabel(label), 'U {alice, bob}');
    await db.query(urgent);
    assert.equal(model.asked.length, 2);
  });

  it('joins in what a model is worth, where it is not trusted', async () => {
    const { db } = scene({ label: { integrity: 'U', readers: new Set(['alice']) } });
    db.label('mail', bottom);
    const label = (await db.query(urgent)).annotate(conservativeLabels).at(0);
    assert.equal(label && showLabel(label), 'U {alice}');
  });

  it('keeps the answer apart from the row, until something reads the answer', async () => {
    const model: Label = { integrity: 'U', readers: new Set(['alice']) };
    const { db } = scene({ label: model });
    db.label('mail', bottom);
    const labels = async (sql: string) => {
      const result = await db.query(sql);
      return [
        result.annotate(conservativeLabels).at(0),
        ...result.columns.map((_, i) => result.annotateCell(i, conservativeLabels).at(0)),
      ].map((label) => label && showLabel(label));
    };
    const answer = "ask('urgent?', body, 'boolean')";
    const [trusted, asked] = [showLabel(bottom), showLabel(model)];
    assert.deepEqual(await labels(`SELECT id, ${answer} FROM mail`), [trusted, trusted, asked]);
    assert.deepEqual(await labels(`SELECT id FROM mail WHERE NOT ${answer}`), [asked, asked]);
    assert.deepEqual(await labels(`SELECT count(*) FROM mail`), [trusted, trusted]);
    assert.deepEqual(await labels(`SELECT count(*) FROM (SELECT ${answer} AS a FROM mail) q`), [
      trusted,
      trusted,
    ]);
    assert.deepEqual(await labels(`SELECT ${answer}, count(*) FROM mail GROUP BY 1`), [asked, asked, asked]);
    assert.deepEqual(await labels(`SELECT max(CAST(a AS text)) FROM (SELECT ${answer} AS a FROM mail) q`), [
      trusted,
      asked,
    ]);
  });

  it('tells calls and tokens in EXPLAIN, and sends nothing for it', async () => {
    const { db, model } = scene();
    const { text } = await db.explain(urgent);
    assert.match(text, /\nask: 2 calls \(0 more from the cache\), about \d+ input and 20 output tokens$/);
    assert.equal(model.asked.length, 0);
  });

  it('asks once for CREATE TABLE AS, which also asks who belongs to the table', async () => {
    const { db, model } = scene();
    await db.run(`CREATE TABLE urgent AS ${urgent}`);
    assert.deepEqual((await db.query('SELECT id FROM urgent')).rows(), [[1]]);
    assert.equal(model.asked.length, 2);
  });
});
