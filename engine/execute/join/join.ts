/**
 * Joins. Inner: annL · annR · P(on). Semi, anti and outer joins: see their files. The one thing to know: all
 * of them start from the same pairs of rows.
 */
import { type Frame, select } from '../../frame/frame.js';
import type { Join } from '../../plan/plan.js';
import type { Context } from '../context.js';
import { cellsOf, reachOf } from '../membership.js';
import { findPairs } from './join-pairs.js';
import { outer } from './outer-join.js';
import { type JoinedRows, paired, sideMembership } from './paired.js';
import { anti, semi } from './semi-join.js';

export function join(plan: Join, left: Frame, right: Frame, context: Context): Frame {
  const { type, on } = plan;
  const joined: JoinedRows = { left, right, on, pairs: findPairs(on, left, right, context) };
  switch (type) {
    case 'inner':
      return plan.lookup && context.capture ? lookedUp(joined, context) : paired(joined, context);
    case 'left':
    case 'right':
    case 'full':
      return outer(type, joined, context);
    case 'semi':
      return semi(joined, context);
    case 'anti':
      return anti(joined, plan.nullAware === true, context);
  }
}

/** Each left row with its one partner, whose annotation and P(on) belong to the right cells. */
function lookedUp(joined: JoinedRows, context: Context): Frame {
  const { left, right, on, pairs } = joined;
  const both = paired(joined, { ...context, capture: false });
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
