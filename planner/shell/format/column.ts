/** Columns of what the shell prints, and their cells as text. */

export interface OutputColumn {
  readonly name: string;
  /** Numbers stand flush right. */
  readonly align: 'left' | 'right';
}

/** A cell: an external value of the engine, or an annotation's text. */
export type OutputRow = readonly unknown[];

/** The text of a cell, not yet made safe for a screen; undefined for NULL. */
export function cellText(value: unknown): string | undefined {
  if (value === null || value === undefined) return undefined;
  if (typeof value === 'string') return value;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Names that an object can have as keys: a second `a` is `a_2`. */
export function distinctNames(columns: readonly OutputColumn[]): string[] {
  const taken = new Set(columns.map((column) => column.name));
  const used = new Set<string>();
  return columns.map(({ name }) => {
    let free = name;
    for (let n = 2; used.has(free) || (n > 2 && taken.has(free)); n++) free = `${name}_${n}`;
    used.add(free);
    return free;
  });
}
