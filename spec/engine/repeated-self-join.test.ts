/**
 * A relation joined with itself again and again: 2^n derivations' worth of product in a circuit of n nodes,
 * which every reading visits once.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { execute } from '../../engine/execute.js';
import { from, terms } from '../../engine/index.js';
import { equal } from '../../engine/operators/comparison.js';
import { call } from '../../engine/operators/define.js';
import { type Expression, freshColumn } from '../../engine/plan/expression.js';
import { columnsOf, type LogicalPlan } from '../../engine/plan/plan.js';
import { childrenOf, type Node } from '../../engine/provenance/circuit.js';
import { Catalog } from '../../engine/table/catalog.js';
import { show } from '../../semiring/contract/semiring.js';
import { Bool } from '../../semiring/instances/boolean.js';
import { Natural } from '../../semiring/instances/natural.js';
import { conservativeIntegrity } from '../../semiring/label/label-semiring.js';
import { Polynomials, token } from '../../semiring/polynomial/polynomial.js';

/** `t ⋈ t`, and that with itself, `steps` times; each step is one plan node that both sides share. */
function joined(steps: number): LogicalPlan {
  const catalog = new Catalog();
  catalog.create('t', [['a'], ['b']], { columns: ['k'] });
  let plan = from(catalog.table('t'))
    .filter(terms.eq(terms.col('k'), 'a'))
    .project(['k']).plan;
  for (let i = 0; i < steps; i++) {
    const [left, right] = [renamed(plan), renamed(plan)];
    const [x, y] = [columnsOf(left)[0], columnsOf(right)[0]].map(
      ({ id, type }): Expression => ({ kind: 'column', id, type }),
    );
    plan = {
      kind: 'project',
      input: { kind: 'join', type: 'inner', left, right, on: call(equal, x, y) },
      columns: [freshColumn('k', 'text')],
      expressions: [x],
    };
  }
  return plan;
}

function renamed(input: LogicalPlan): LogicalPlan {
  const [{ id, type }] = columnsOf(input);
  return {
    kind: 'project',
    input,
    columns: [freshColumn('k', 'text')],
    expressions: [{ kind: 'column', id, type }],
  };
}

function sizeOf(root: Node): number {
  const seen = new Set<Node>();
  const stack = [root];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (seen.has(node)) continue;
    seen.add(node);
    stack.push(...childrenOf(node));
  }
  return seen.size;
}

describe('a relation joined with itself again and again', () => {
  it('has a circuit that grows with the steps, not with the product', () => {
    const [few, many] = [20, 120].map((steps) => sizeOf(execute(joined(steps)).annotation));
    assert.ok(many - few <= 100, `${few} and ${many} nodes`);
  });

  it('is read in Boolean and in labels, however long the product', () => {
    const relation = execute(joined(120));
    assert.deepEqual([...relation.annotate(Bool, { every: true })], [true]);
    assert.deepEqual([...relation.annotate(conservativeIntegrity, { every: 'U' })], ['U']);
    assert.deepEqual([...relation.annotate(Natural, { every: 1 })], [1]);
  });

  it('has the exact polynomial, or the reason why there is none', () => {
    assert.equal(
      show(Polynomials, execute(joined(10)).annotate(Polynomials, token).at(0)),
      show(Polynomials, [{ coefficient: 1, atoms: [0], exponents: [1024] }]),
    );
    assert.throws(() => execute(joined(60)).annotate(Polynomials, token).at(0), {
      code: 'semiring/exponent-too-large',
    });
    assert.throws(() => execute(joined(60)).annotate(Natural, { every: 2 }).at(0), {
      code: 'semiring/number-too-long',
    });
  });
});
