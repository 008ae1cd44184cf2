/**
 * Which cells a text was copied from: the `contains` operator over the session's cells. The one thing to
 * know: it finds copies and proves nothing about their absence; text that was reworded, translated or
 * computed is not found.
 */
import { from, values } from '../../../engine/builder/query.js';
import type { SessionRelations } from '../session/session-relations.js';
import type { Cell, SessionState } from '../session/session-state.js';

/** For each text, the cells whose value contains it, in order; a text that occurs nowhere is absent. */
export function copies(
  state: SessionState,
  relations: SessionRelations,
  texts: Iterable<string>,
): ReadonlyMap<string, readonly Cell[]> {
  const needles = [...new Set(texts)].filter((text) => text !== '').map((text) => [text]);
  const found = new Map<string, Cell[]>();
  if (needles.length === 0 || state.cells.length === 0) return found;
  const pairs = from(relations.cells)
    .contains(values({ needle: 'text' }, needles), 'value', 'needle')
    .project(['needle', 'cell'])
    .run({ capture: false, pool: relations.pool });
  for (const [needle, index] of pairs.rows()) {
    const cell = state.cells[Number(index)];
    const cells = found.get(String(needle));
    if (cells) cells.push(cell);
    else found.set(String(needle), [cell]);
  }
  pairs.release();
  for (const cells of found.values()) cells.sort((a, b) => a.index - b.index);
  return found;
}
