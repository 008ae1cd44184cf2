import type { Expression } from '../../../../engine/plan/expression.js';
import type { Join } from '../../../../engine/plan/plan.js';
import { conjunction, conjuncts } from '../../../../engine/plan/traverse-expression.js';
import { dear, expressionCost } from '../cost.js';
import { labelledColumns, readDisjoint } from '../labelled.js';
import type { Rule } from '../rule.js';
import { filtered, partition, readsOnly } from './filter.js';

/** Sides whose rows a filter above may drop before the join: their annotation is a factor of the result's. */
const leftPreserved: ReadonlySet<Join['type']> = new Set(['inner', 'left', 'semi', 'anti']);
const rightPreserved: ReadonlySet<Join['type']> = new Set(['inner', 'right']);

/**
 * σp(L ⋈ R): what reads one side goes to that side (annL · P(p) · annR is a product, the order is of no
 * account); of an inner join the rest joins its condition. Where one conjunct moves and another stays, no
 * labelled column may be read by both. Dear predicates stay above: a join may leave fewer rows.
 */
export const pushFilterIntoJoin: Rule = {
  name: 'push filter into join',
  description: 'conditions of WHERE become conditions of a join or of one of its sides',
  scope: 'node',
  apply(plan) {
    if (plan.kind !== 'filter' || plan.input.kind !== 'join') return undefined;
    const join = plan.input;
    // What the right cells of a lookup are worth would become worth of the row.
    if (join.lookup) return undefined;
    const cheap = (predicate: Expression) => expressionCost(predicate) < dear;
    const all = conjuncts(plan.predicate);
    const [toLeft, notLeft] = partition(
      all,
      (predicate) => leftPreserved.has(join.type) && cheap(predicate) && readsOnly(predicate, join.left),
    );
    const [toRight, rest] = partition(
      notLeft,
      (predicate) => rightPreserved.has(join.type) && cheap(predicate) && readsOnly(predicate, join.right),
    );
    const labelled = labelledColumns(join);
    const [toBoth, stay] = partition(rest, (predicate) => join.type === 'inner' && cheap(predicate));
    const mergeable = readDisjoint([conjunction(toBoth), join.on], labelled);
    const joined = mergeable ? toBoth : [];
    const above = mergeable ? stay : rest;
    if (toLeft.length + toRight.length + joined.length === 0) return undefined;
    const groups = [toLeft, toRight, joined, above].map(conjunction);
    if (!readDisjoint(groups, labelled)) return undefined;
    const on = conjunction([...conjuncts(join.on), ...joined]);
    return filtered(
      {
        ...join,
        left: filtered(join.left, toLeft),
        right: filtered(join.right, toRight),
        ...(on ? { on } : {}),
      },
      above,
    );
  },
};
