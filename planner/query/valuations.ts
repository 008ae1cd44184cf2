/**
 * What tokens mean: the values that a database's readings start from. The one thing to know: a token without a value
 * of its own is its own indeterminate in a provenance semiring, 1 in a semiring of counts, costs or confidences, and
 * untrusted and readable by nobody in a label semiring (failing closed).
 */
import * as v from 'valibot';
import { type Node, times } from '../../engine/circuit.js';
import { fromPortable, toPortable } from '../../engine/storage/index.js';
import type { Token } from '../../engine/token.js';
import { AssayError } from '../../semiring/error.js';
import {
  alternativeIntegrity,
  alternativeLabels,
  alternativeReaders,
  BooleanPolynomials,
  conservativeIntegrity,
  conservativeLabels,
  conservativeReaders,
  Formula,
  formulaOf,
  token as indeterminate,
  type Label,
  Lin,
  Polynomials,
  PosBool,
  type Semiring,
  Sorp,
  semirings,
  Trio,
  top,
  Why,
  witness,
} from '../../semiring/index.js';

import { Definitions, savedDefinitions } from './definitions.js';

type AnySemiring = Semiring<unknown>;

/** Semirings in which a token is its own indeterminate. */
const indeterminates: ReadonlyMap<unknown, (token: Token) => unknown> = new Map<
  unknown,
  (token: Token) => unknown
>([
  [Polynomials, indeterminate],
  [BooleanPolynomials, indeterminate],
  [Trio, indeterminate],
  [Sorp, indeterminate],
  [Why, (token) => witness(token)],
  [PosBool, (token) => witness(token)],
  [Lin, (token) => [token]],
  [Formula, formulaOf],
]);

/** What a label means in each semiring of labels. */
const labelViews: ReadonlyMap<unknown, (label: Label) => unknown> = new Map<
  unknown,
  (label: Label) => unknown
>([
  [conservativeLabels, (label) => label],
  [alternativeLabels, (label) => label],
  [conservativeIntegrity, (label) => label.integrity],
  [alternativeIntegrity, (label) => label.integrity],
  [conservativeReaders, (label) => label.readers],
  [alternativeReaders, (label) => label.readers],
]);

const savedValuations = v.object({
  labels: v.array(v.object({ label: v.unknown(), tokens: v.array(v.number()) })),
  values: v.array(
    v.object({
      semiring: v.string(),
      /** Not one of assay's own. */
      foreign: v.boolean(),
      values: v.array(v.tuple([v.number(), v.unknown()])),
    }),
  ),
  definitions: savedDefinitions,
});

export class Valuations {
  readonly #values = new Map<AnySemiring, Map<Token, unknown>>();
  readonly #labels = new Map<Token, Label>();
  #definitions = new Definitions();

  /** Gives tokens a value in one semiring. */
  set<K>(semiring: Semiring<K>, tokens: Iterable<Token>, value: K): void {
    const key = semiring as AnySemiring;
    const values = this.#values.get(key) ?? new Map<Token, unknown>();
    for (const token of tokens) values.set(token, value);
    this.#values.set(key, values);
  }

  /** Labels tokens, for all semirings of labels, integrity and readers at once. */
  label(tokens: Iterable<Token>, label: Label): void {
    for (const token of tokens) this.#labels.set(token, label);
  }

  labelOf(token: Token): Label | undefined {
    return this.#labels.get(token);
  }

  /** The labels that were given, by token. */
  get labels(): ReadonlyMap<Token, Label> {
    return this.#labels;
  }

  /** The values that were given, by semiring and token. */
  get values(): ReadonlyMap<Semiring<unknown>, ReadonlyMap<Token, unknown>> {
    return this.#values;
  }

  /** Token `first + i` is from now on worth row i of `node`. */
  define(first: Token, node: Node): void {
    this.#definitions.define(first, node);
  }

  /** The token's value is from now on multiplied by the node's only row. */
  multiply(token: Token, node: Node): void {
    this.#definitions.multiply(token, node);
  }

  /** Whether some token stands for more than itself. */
  get hasDefinitions(): boolean {
    return !this.#definitions.isEmpty;
  }

  /** The valuation of every token. @throws AssayError `query/no-valuation` when a label semiring that assay does not know meets a token without a value */
  of<K>(semiring: Semiring<K>): (token: Token) => K {
    return this.#definitions.over(semiring, this.#ownValue(semiring));
  }

  /**
   * As JSON.
   * @throws AssayError `query/not-saved` for a value that has no form in a file, and two semirings of one name
   */
  save(): unknown {
    const byLabel = new Map<Label, Token[]>();
    for (const [token, label] of this.#labels) {
      const tokens = byLabel.get(label) ?? [];
      tokens.push(token);
      byLabel.set(label, tokens);
    }
    const names = new Set<string>();
    return {
      labels: [...byLabel].map(([label, tokens]) => ({ label: toPortable(label), tokens })),
      values: [...this.#values].map(([semiring, values]) => {
        const { name } = semiring;
        if (names.has(name)) throw notSaved(`two semirings are called ${JSON.stringify(name)}`);
        names.add(name);
        return {
          semiring: name,
          foreign: semirings.get(name)?.semiring !== semiring,
          values: [...values].map(([token, value]) => {
            const saved = toPortable(value);
            if (saved === undefined)
              throw notSaved(`the value of token ${token} in ${name} is no plain data`);
            return [token, saved];
          }),
        };
      }),
      definitions: this.#definitions.save(),
    };
  }

  /**
   * @param own the semirings in it that are not assay's
   * @throws AssayError `engine/bad-file`, `query/unknown-semiring`
   */
  static load(saved: unknown, tokens: number, own: readonly Semiring<unknown>[] = []): Valuations {
    const checked = v.safeParse(savedValuations, saved);
    if (!checked.success) throw badMeaning(checked.issues[0].message);
    const valuations = new Valuations();
    try {
      for (const { label, tokens: labelled } of checked.output.labels)
        valuations.label(labelled, labelFrom(fromPortable(label)));
      for (const { semiring: name, foreign, values } of checked.output.values) {
        const semiring = foreign ? own.find((one) => one.name === name) : semirings.get(name)?.semiring;
        if (!semiring) {
          throw new AssayError(
            'query/unknown-semiring',
            `the file has values in the semiring ${JSON.stringify(name)}: open it with { semirings: [it] }`,
          );
        }
        // Values of a semiring that is not ours are its own affair.
        valuations.#values.set(
          semiring as AnySemiring,
          new Map(values.map(([token, value]) => [token, fromPortable(value)])),
        );
      }
      valuations.#definitions = Definitions.load(checked.output.definitions, tokens);
    } catch (error) {
      if (error instanceof RangeError) throw badMeaning(error.message);
      throw error;
    }
    return valuations;
  }

  #ownValue<K>(semiring: Semiring<K>): (token: Token) => K {
    const values = this.#values.get(semiring as AnySemiring);
    const otherwise = this.#defaultOf(semiring);
    if (!values) return otherwise;
    // Stored by `set` for this very semiring, so of its type.
    return (token) => (values.has(token) ? (values.get(token) as K) : otherwise(token));
  }

  /** The casts hold since the tables above pair each semiring with values of its type. */
  #defaultOf<K>(semiring: Semiring<K>): (token: Token) => K {
    const own = indeterminates.get(semiring);
    if (own) return own as (token: Token) => K;
    const view = labelViews.get(semiring) as ((label: Label) => K) | undefined;
    if (view) return (token) => view(this.#labels.get(token) ?? top);
    if (semiring.reads !== 'dependency') return () => semiring.one;
    const registered = semirings.get(semiring.name);
    if (registered?.semiring === semiring) return registered.valuation as (token: Token) => K;
    return (token) => {
      throw new AssayError(
        'query/no-valuation',
        `token ${token} has no value in ${semiring.name}: give one with db.value(semiring, tokens, value)`,
      );
    };
  }
}

function notSaved(what: string): AssayError {
  return new AssayError('query/not-saved', `the database cannot be saved: ${what}`);
}

function badMeaning(what: string): AssayError {
  return new AssayError('engine/bad-file', `damaged file: what tokens mean: ${what}`);
}

function labelFrom(value: unknown): Label {
  const checked = v.safeParse(savedLabel, value);
  if (checked.success) return checked.output;
  throw badMeaning(`a label: ${checked.issues[0].message}`);
}

const savedLabel = v.object({
  integrity: v.picklist(['T', 'U']),
  readers: v.union([v.literal('everyone'), v.set(v.string())]),
});

/** A row's worth when some of its cells' provenance has no column of its own to live in. */
export function rowNode(annotation: Node, cells: readonly Node[]): Node {
  return cells.length === 0 ? annotation : times(annotation, ...cells);
}
