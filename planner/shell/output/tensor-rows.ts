/** The tensors of a row: which input gave which aggregate which value. */
import { AssayError } from '../../../semiring/message/error.js';
import type { Result } from '../../query/index.js';
import type { Word } from '../input/words.js';
import { ShellError } from '../shell-error.js';
import type { AnnotationOptions } from './annotation.js';

/**
 * A row for each column that is an aggregate's value; of the column that was named, or an error that says why
 * not.
 */
export function tensorRows(
  result: Result,
  row: number,
  named: Word | undefined,
  { fold, nameOf }: AnnotationOptions,
): unknown[][] {
  const place = { offset: named?.start ?? 0 };
  const wanted = named
    ? result.columns.flatMap(({ name }, column) => (name === named.text ? [column] : []))
    : result.columns.map((_, column) => column);
  if (named && wanted.length === 0) {
    throw new ShellError(
      'shell/usage',
      `the result has no column ${JSON.stringify(named.text.slice(0, 64))}`,
      {
        ...place,
        hint: `its columns are ${result.columns.map(({ name }) => name).join(', ')}`,
      },
    );
  }
  const values = result.row(row);
  let refused: AssayError | undefined;
  const rows = wanted.flatMap((column) => {
    try {
      const tensor = result.tensor(column, row);
      return [[result.columns[column].name, values[column], tensor.function, tensor.show(nameOf, fold)]];
    } catch (error) {
      if (!(error instanceof AssayError) || error.code !== 'engine/no-tensor') throw error;
      refused ??= error;
      return [];
    }
  });
  if (rows.length > 0 || refused === undefined) return rows;
  if (named) throw new ShellError(refused.code, refused.message, { ...place, cause: refused });
  throw new ShellError(refused.code, 'no column of this row is the value of an aggregate', {
    ...place,
    hint: 'select the aggregate itself: what is computed from it (sum(v) + 1, a cast, coalesce) has no tensor',
  });
}
