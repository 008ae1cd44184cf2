/**
 * Labels of a result's leaves. The one thing to know: a leaf's label is the policy's, joined with the readers
 * of its row and with the label of the call, so a label only ever rises on its way through a tool.
 */
import type { Label } from '../../../semiring/label/label.js';
import type { LeafRule, ReadersRule, ResultRule, ToolPolicy } from '../policy/policy.js';
import type { LabelSpace } from './label-space.js';
import { type KnownKeys, mapLeaves } from './leaf.js';
import type { PrincipalResolver } from './principals.js';

export interface Leaf {
  /** The item's index in a list; -1 where the result is not a list. */
  readonly row: number;
  /** `subject`, `author.name`; empty for a whole item or a whole result. */
  readonly field: string;
  readonly value: unknown;
  readonly label: Label;
}

/** The call whose result is labelled. */
export interface LabelledCall extends KnownKeys {
  /** The context's label when the turn began. */
  readonly label: Label;
  /** Arguments after substitution. */
  readonly arguments: ReadonlyMap<string, unknown>;
  readonly argumentLabels: ReadonlyMap<string, Label>;
}

export class Labeller {
  readonly #space: LabelSpace;
  readonly #resolver: PrincipalResolver;

  constructor(space: LabelSpace, resolver: PrincipalResolver) {
    this.#space = space;
    this.#resolver = resolver;
  }

  /** The leaves of `value`, in order. An empty list or object has none. */
  leaves(value: unknown, rule: ResultRule, call: LabelledCall): Leaf[] {
    const leaves: Leaf[] = [];
    let item: unknown;
    let base: Label | undefined;
    mapLeaves(value, rule, call, (leaf) => {
      if (base === undefined || leaf.item !== item) {
        item = leaf.item;
        base = this.#space.join(call.label, this.#readers(rule.readers, item, call));
      }
      const label = this.#leaf(leaf.rule, base, call);
      leaves.push({ row: leaf.row, field: leaf.field, value: leaf.value, label });
      return undefined;
    });
    return leaves;
  }

  /** Error texts carry the label of the call and of its arguments. */
  errorLabel(call: LabelledCall): Label {
    return this.#space.join(call.label, this.#space.joinAll(call.argumentLabels.values()));
  }

  /**
   * The label of a text that a tool wrote where a result was to be. It is a result of unknown shape, whatever
   * the fields of a result may be trusted with: untrusted and for the user alone, unless the policy labels
   * errors; and never for those who could not read a result.
   */
  textLabel({ result, errors }: ToolPolicy, call: LabelledCall): Label {
    const readers = this.#readers(result.readers, undefined, call);
    return this.#leaf(errors, this.#space.join(this.errorLabel(call), readers), call);
  }

  /** The label of rows that are not a result but an object that an argument names. */
  objectLabel(rows: readonly unknown[], rule: ResultRule): Label {
    const none = new Map<string, never>();
    const call: LabelledCall = {
      label: this.#space.bottom,
      arguments: none,
      argumentLabels: none,
      written: none,
      trustsKeys: true,
    };
    return this.#space.joinAll(this.leaves(rows, rule, call).map((leaf) => leaf.label));
  }

  #readers(rule: ReadersRule, row: unknown, call: LabelledCall): Label {
    if (rule.kind === 'arguments') return this.#space.trusted(this.errorLabel(call).readers);
    return this.#space.trusted(this.#resolver.readers(rule.terms, { row, arguments: call.arguments }));
  }

  /** @param rule undefined, for what the policy does not know: untrusted, and readable by the user alone */
  #leaf(rule: LeafRule | undefined, base: Label, call: LabelledCall): Label {
    switch (rule?.kind) {
      case 'trusted':
        return base;
      case 'untrusted':
        return this.#space.join(base, this.#space.untrusted('everyone'));
      case 'argument':
        return this.#space.join(base, call.argumentLabels.get(rule.name) ?? call.label);
      case 'arguments':
        return this.#space.join(base, this.errorLabel(call));
      // A rule that is none of these, in a policy that was not loaded, is not known either.
      default:
        return this.#space.join(base, this.#space.untrusted(this.#resolver.userOnly));
    }
  }
}
