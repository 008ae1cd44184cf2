/** The nearest right name, for error messages that say what would be right. */

/** Edits (insert, delete, replace, swap neighbours) from `a` to `b`: optimal string alignment distance. */
export function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replace = last[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1);
      let best = Math.min(last[j] + 1, row[j - 1] + 1, replace);
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (swapped) best = Math.min(best, beforeLast[j - 2] + 1);
      row.push(best);
    }
    beforeLast = last;
    last = row;
  }
  return last[b.length];
}

/** The name nearest to `wrong`, case aside, where one is near enough to be meant; long inputs have none. */
export function nearestName(wrong: string, names: Iterable<string>): string | undefined {
  if (wrong.length > 64) return undefined;
  const lower = wrong.toLowerCase();
  let best: string | undefined;
  let bestDistance = Math.max(1, Math.floor(wrong.length / 3)) + 1;
  for (const name of names) {
    if (name.length > 64) continue;
    const distance = editDistance(lower, name.toLowerCase());
    if (distance < bestDistance) {
      best = name;
      bestDistance = distance;
    }
  }
  return best;
}

/** `did you mean "x"?`, or else `known: a, b, c` (the first twelve, and how many more). */
export function nearest(wrong: string, names: Iterable<string>): string {
  const all = [...names];
  const near = nearestName(wrong, all);
  if (near !== undefined) return `did you mean ${JSON.stringify(near)}?`;
  if (all.length === 0) return 'there are none';
  const more = all.length > 12 ? ` and ${all.length - 12} more` : '';
  return `known: ${all.slice(0, 12).join(', ')}${more}`;
}
