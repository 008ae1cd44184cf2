/**
 * What an answer keeps: buffers that its rows and its provenance can reach, and no more. The bound is in
 * bytes that are out of the pool while the answer is there.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { from, type Query, terms } from '../../engine/index.js';
import { BufferPool, type PooledArray } from '../../engine/memory/pool.js';
import { Catalog } from '../../engine/table/catalog.js';
import { Natural } from '../../semiring/instances/natural.js';

const { and, col, count, eq, lt, sum } = terms;

/** Counts the bytes that are out. */
class CountingPool extends BufferPool {
  out = 0;

  override int32(length: number): Int32Array {
    return this.#counted(super.int32(length));
  }

  override float64(length: number): Float64Array {
    return this.#counted(super.float64(length));
  }

  override uint32(length: number): Uint32Array {
    return this.#counted(super.uint32(length));
  }

  override giveBack(array: PooledArray): void {
    if (array.length >= this.smallest) this.out -= array.byteLength;
    super.giveBack(array);
  }

  #counted<A extends PooledArray>(array: A): A {
    if (array.length >= this.smallest) this.out += array.byteLength;
    return array;
  }
}

const size = 20_000;

function catalog(): Catalog {
  const db = new Catalog();
  const rows = (step: number): number[][] => Array.from({ length: size }, (_, i) => [i, (i * step) % size]);
  for (const [name, step] of [
    ['a', 1],
    ['b', 3],
    ['c', 7],
    ['d', 11],
  ] as const)
    db.create(name, rows(step), { columns: [`${name}_id`, `${name}_next`] });
  return db;
}

function chain(db: Catalog): Query {
  const scan = (name: string): Query => from(db.table(name));
  return scan('a')
    .join(scan('b'), eq(col('a_next'), col('b_id')))
    .join(scan('c'), eq(col('b_next'), col('c_id')))
    .join(scan('d'), eq(col('c_next'), col('d_id')));
}

describe('an answer keeps what it needs', () => {
  it('of a chain of joins only the rows that a limit leaves', () => {
    const pool = new CountingPool();
    const answer = chain(catalog()).limit(10).run({ pool });
    assert.equal(answer.rowCount, 10);
    assert.ok(pool.out < 10_000, `${pool.out} bytes are out`);
    assert.deepEqual([...answer.annotate(Natural, { every: 1 })], Array(10).fill(1));
    answer.release();
    assert.equal(pool.out, 0);
  });

  it('of rows that are filtered out after a join, nothing', () => {
    const pool = new CountingPool();
    const answer = chain(catalog())
      .filter(and(lt(col('a_id'), 5), lt(col('d_id'), size)))
      .run({ pool });
    assert.equal(answer.rowCount, 5);
    assert.ok(pool.out < 10_000, `${pool.out} bytes are out`);
  });

  it('of a group over four relations at most twelve bytes a derivation, terms of aggregates and all', () => {
    const pool = new CountingPool();
    const answer = chain(catalog())
      .groupBy(['a_id'], { n: count(), total: sum(col('d_next')) })
      .run({ pool });
    assert.ok(answer.provenanceBytes <= 12 * size, `${answer.provenanceBytes} bytes for ${size} derivations`);
    // Beside that: keys, the rows that they were read from, and what buffers have to spare.
    const kept = pool.out - answer.provenanceBytes;
    assert.ok(kept < 16 * size, `${kept} bytes beside provenance`);
    assert.equal(answer.expand(7).derivations, 1);
    assert.equal(answer.tensor(2, 7).size, 1);
  });

  it('without provenance, only the groups', () => {
    const pool = new CountingPool();
    const answer = chain(catalog()).aggregate({ n: count() }).run({ pool, capture: false });
    assert.deepEqual(answer.rows(), [[size]]);
    assert.ok(pool.out < 10_000, `${pool.out} bytes are out`);
  });
});
