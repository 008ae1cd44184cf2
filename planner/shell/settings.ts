/** What a user can set in the shell; each shell has its own. */
import { type RegisteredSemiring, semiringNamed } from '../../semiring/index.js';
import type { Mode } from './format/mode.js';
import { defaultFold } from './output/annotation.js';

export interface Settings {
  mode: Mode;
  /** Undefined: results have no annotation column. */
  semiring: RegisteredSemiring | undefined;
  headers: boolean;
  nullValue: string | undefined;
  timer: boolean;
  echo: boolean;
  pager: boolean;
  /** Columns of a box; undefined: the terminal's. */
  width: number | undefined;
  /** Parts of an annotation that are shown. */
  fold: number;
}

export function defaultSettings(mode: Mode): Settings {
  return {
    mode,
    semiring: semiringNamed('N[X]'),
    headers: true,
    nullValue: undefined,
    timer: false,
    echo: false,
    pager: true,
    width: undefined,
    fold: defaultFold,
  };
}
