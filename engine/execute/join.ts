/**
 * Joins. Inner: annL · annR · P(on). Semi, anti and outer joins: see their files. The one thing to know: all of them start
 * from the same pairs of rows.
 */
import type { Expression } from '../expression.js';
import { type Frame, select } from '../frame.js';
import type { Join } from '../plan.js';
import type { Context } from './context.js';
import { findPairs } from './join-pairs.js';
import type { Pairs } from './matches.js';
import { cellsOf, reachOf } from './membership.js';
import { outer } from './outer-join.js';
import { paired, sideMembership } from './paired.js';
import { anti, semi } from './semi-join.js';

export function join(plan: Join, left: Frame, right: Frame, context: Context): Frame {
  const { type, on } = plan;
  const pairs = findPairs(on, left, right, context);
  switch (type) {
    case 'inner':
      return plan.lookup && context.capture
        ? lookedUp(pairs, left, right, on, context)
        : paired(pairs, left, right, on, context);
    case 'left':
    case 'right':
    case 'full':
      return outer(type, pairs, left, right, on, context);
    case 'semi':
      return semi(pairs, left, right, on, context);
    case 'anti':
      return anti(pairs, left, right, plan, context);
  }
}

/** Each left row with its one partner, whose annotation and P(on) belong to the right cells. */
function lookedUp(
  pairs: Pairs,
  left: Frame,
  right: Frame,
  on: Expression | undefined,
  context: Context,
): Frame {
  const both = paired(pairs, left, right, undefined, { ...context, capture: false });
  const partner = select(right, context.arena, pairs.right, pairs.rows);
  const looked = [...partner.annotation, ...(on === undefined ? [] : cellsOf(both, [on]))];
  const reach = [...sideMembership(right, on), ...(on === undefined ? [] : reachOf(left, [on]))];
  return {
    ...both,
    columns: both.columns.map((column, i) =>
      i < left.columns.length
        ? column
        : {
            ...column,
            provenance: [...column.provenance, ...looked],
            reach: [...new Set([...column.reach, ...reach])],
          },
    ),
    annotation: select(left, context.arena, pairs.left, pairs.rows).annotation,
    membership: left.membership,
  };
}
