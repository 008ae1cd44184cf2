/**
 * Interned labels. Within one space equal labels are one object, so a join is a look-up in a memo and a
 * comparison is `===`; a session owns one space and shares it with nobody.
 */
import { checkLabel, isLabel } from '../../../semiring/label/check-label.js';
import {
  bottom,
  frozenReaders,
  joinLabels,
  type Label,
  type Principal,
  type Readers,
  showLabel,
} from '../../../semiring/label/label.js';

export class LabelSpace {
  readonly #interned = new Map<string, Label>();
  readonly #joins = new Map<Label, Map<Label, Label>>();
  readonly bottom: Label;

  constructor() {
    this.bottom = this.intern(bottom);
  }

  /**
   * The one object of this space that equals `label`.
   * @throws SemiringError `semiring/bad-label`: every label of a session comes through here
   */
  intern(label: Label): Label {
    if (!isLabel(label)) checkLabel(label);
    const key = keyOf(label);
    const known = this.#interned.get(key);
    if (known) return known;
    const own: Label = Object.freeze({ integrity: label.integrity, readers: frozenReaders(label.readers) });
    this.#interned.set(key, own);
    return own;
  }

  /** (T, readers) */
  trusted(readers: Readers): Label {
    return this.intern({ integrity: 'T', readers });
  }

  /** (U, readers) */
  untrusted(readers: Readers): Label {
    return this.intern({ integrity: 'U', readers });
  }

  /** The join of two labels of this space. */
  join(a: Label, b: Label): Label {
    if (a === b || b === this.bottom) return a;
    if (a === this.bottom) return b;
    let row = this.#joins.get(a);
    if (!row) {
      row = new Map();
      this.#joins.set(a, row);
    }
    const known = row.get(b);
    if (known) return known;
    const joined = this.intern(joinLabels(a, b));
    row.set(b, joined);
    return joined;
  }

  /** The join of all; bottom for none. */
  joinAll(labels: Iterable<Label>): Label {
    let all = this.bottom;
    for (const label of labels) all = this.join(all, label);
    return all;
  }
}

/** Injective: principals are quoted, since they come from data. */
function keyOf(label: Label): string {
  if (label.readers === 'everyone') return showLabel(label);
  const principals: Principal[] = [...label.readers].sort();
  return `${label.integrity} ${JSON.stringify(principals)}`;
}
