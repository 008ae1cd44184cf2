/** The id of the next row: one more than the greatest, as text. Ids that are no numbers do not count. */
export function nextId(rows: ReadonlyMap<string, unknown>): string {
  let greatest = -1;
  for (const id of rows.keys()) {
    if (/^\d{1,15}$/.test(id)) greatest = Math.max(greatest, Number(id));
  }
  return String(greatest + 1);
}
