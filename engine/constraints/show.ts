/**
 * Constraints as SQL writes them, to be shown. Of CHECK and DEFAULT the syntax tree is kept and not the text,
 * so a CHECK is shown by its name and the columns that it reads.
 */

import { visibleText } from '../../semiring/message/visible-text.js';
import type { Type } from '../value/value.js';
import type { Constraints } from './definition.js';
import { showSize } from './size.js';

export interface ShownConstraint {
  /** The columns that it speaks of, by number. */
  readonly columns: readonly number[];
  readonly text: string;
}

interface Described {
  readonly constraints?: Constraints;
  readonly columns: readonly { readonly type: Type }[];
}

/** The type of a column with its size: `varchar(3)`; the engine's name of the type where it has none. */
export function showType({ constraints, columns }: Described, column: number): string {
  const size = constraints?.sizes.get(column);
  return size ? showSize(size) : columns[column].type;
}

/** All but the sizes. */
export function showConstraints({ constraints }: Described): readonly ShownConstraint[] {
  if (!constraints) return [];
  const { notNull, defaults, keys, checks, references } = constraints;
  return [
    ...keys.map(({ primary, nullsDistinct, columns }) => ({
      columns,
      text: primary ? 'PRIMARY KEY' : `UNIQUE${nullsDistinct ? '' : ' NULLS NOT DISTINCT'}`,
    })),
    ...[...notNull].map((column) => ({ columns: [column], text: 'NOT NULL' })),
    ...[...defaults.keys()].map((column) => ({ columns: [column], text: 'DEFAULT' })),
    ...references.map(({ table, columns }) => ({
      columns,
      text: `REFERENCES ${table ? visibleText(table.name) : 'this table'}`,
    })),
    ...checks.map(({ name, columns }) => ({ columns, text: `CHECK ${visibleText(name)}` })),
  ];
}
