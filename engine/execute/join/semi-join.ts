/**
 * Semi join: annL · δ(Σ of the matches' annR · P). Anti join: annL · (1 ∸ Σ); with `nullAware`, as NOT IN has
 * it.
 */

import { type Factor, type Frame, select } from '../../frame/frame.js';
import { isNotDistinctFrom } from '../../operators/comparison.js';
import { isNotFalse, isNull, isTrue } from '../../operators/null.js';
import type { Expression, ScalarFunction } from '../../plan/expression.js';
import { conjunction, conjuncts } from '../../plan/traverse-expression.js';
import { delta, either } from '../../provenance/circuit.js';
import type { Context } from '../context.js';
import { passing } from '../filter.js';
import { splitCondition } from './join-condition.js';
import { findPairs, idsOf } from './join-pairs.js';
import type { Pairs } from './matches.js';
import { bothPresent, type JoinedRows, joinedMembership } from './paired.js';
import { matched, rowsWhere, sumOfMatches, unmatched } from './unmatched.js';

export function semi(joined: JoinedRows, context: Context): Frame {
  const { left, right, on, pairs } = joined;
  const flags = matched(pairs.left, pairs.right, pairs.rows, left.rows, null);
  const { index, count } = rowsWhere(flags, 1, context);
  if (!context.capture) return select(left, context.arena, index, count);
  const sum = sumOfMatches('left', joined, context);
  const factor: Factor = { node: either(delta(sum), sum), selection: null };
  const extended: Frame = {
    ...left,
    annotation: [...left.annotation, factor],
    membership: joinedMembership(left, right, on),
  };
  const present =
    right.present === null
      ? left.present
      : bothPresent(left.present, matched(pairs.left, pairs.right, pairs.rows, left.rows, right.present));
  return select({ ...extended, present }, context.arena, index, count);
}

export function anti(joined: JoinedRows, nullAware: boolean, context: Context): Frame {
  const { left, right, on } = joined;
  const all = nullAware && on !== undefined ? { ...joined, pairs: unknownToo(joined, on, context) } : joined;
  const { index, count, factors, present } = unmatched('left', all, context);
  if (!context.capture) return select(left, context.arena, index, count);
  const extended: Frame = {
    ...left,
    annotation: [...left.annotation, ...factors],
    membership: joinedMembership(left, right, on),
    present,
  };
  return select(extended, context.arena, index, count);
}

/** NOT IN: a pair whose comparison is unknown drops the left row just as a match does. */
function unknownToo({ left, right, pairs }: JoinedRows, on: Expression, context: Context): Pairs {
  const { keys, rest } = splitCondition(on, idsOf(left), idsOf(right));
  if (keys.length === 1 && rest === undefined) {
    const [key] = keys;
    if (nullRows(key.left, left, context).count === 0 && nullRows(key.right, right, context).count === 0)
      return pairs;
  }
  // A conjunction is not false where none of its conjuncts is; those that are never unknown stay keys.
  const notFalse = conjuncts(on).map(
    (conjunct): Expression =>
      conjunct.kind === 'call' && neverUnknown.has(conjunct.function)
        ? conjunct
        : { kind: 'call', function: isNotFalse, arguments: [conjunct], type: 'boolean' },
  );
  return findPairs(conjunction(notFalse), left, right, context);
}

const neverUnknown: ReadonlySet<ScalarFunction> = new Set([isTrue, isNotDistinctFrom]);

function nullRows(expression: Expression, frame: Frame, context: Context): { count: number } {
  const test: Expression = { kind: 'call', function: isNull, arguments: [expression], type: 'boolean' };
  const { index, count } = passing(test, frame, context);
  context.arena.free(index);
  return { count };
}
