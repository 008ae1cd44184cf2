/**
 * What tokens mean: the values that a database's readings start from. A token without a value of its own is
 * what its semiring says: its own indeterminate in a provenance semiring, 1 in a semiring of counts, costs or
 * confidences, and untrusted and readable by nobody in a label semiring (failing closed).
 */
import * as v from 'valibot';
import { type Node, times } from '../../engine/provenance/circuit.js';
import type { Expansion } from '../../engine/provenance/polynomial-at.js';
import type { ReadOptions } from '../../engine/provenance/read.js';
import type { Token } from '../../engine/provenance/token.js';
import { TokenRanges } from '../../engine/provenance/token-ranges.js';
import { fromPortable, toPortable } from '../../engine/storage/index.js';
import type { LiveTokens } from '../../engine/table/live-tokens.js';
import { checkSemiring, checkValue } from '../../semiring/contract/carrier.js';
import { tokenValue } from '../../semiring/contract/token-value.js';
import { type Label, Polynomials, type Semiring, semirings, top } from '../../semiring/index.js';
import { checkLabel } from '../../semiring/label/check-label.js';
import { AssayError, SemiringError } from '../../semiring/message/error.js';

import { Definitions, savedDefinitions } from './definitions.js';

type AnySemiring = Semiring<unknown>;

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
  readonly #forgotten = new TokenRanges();

  /**
   * Gives tokens a value in one semiring.
   * @throws SemiringError `semiring/not-a-semiring`; `semiring/not-in-carrier` where the semiring refuses the
   *   value
   */
  set<K>(semiring: Semiring<K>, tokens: Iterable<Token>, value: K): void {
    checkSemiring(semiring);
    const key = semiring as AnySemiring;
    const values = this.#values.get(key) ?? new Map<Token, unknown>();
    let first = true;
    for (const token of tokens) {
      if (first) checkValue(semiring, token, value);
      first = false;
      values.set(token, value);
    }
    this.#values.set(key, values);
  }

  /**
   * Labels tokens, for all semirings of labels, integrity and readers at once.
   * @param place what is labelled, for the message
   * @throws SemiringError `semiring/bad-label`
   */
  label(tokens: Iterable<Token>, label: Label, place?: string): void {
    checkLabel(label, place);
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

  /** Marks the tokens that live ones are made from. */
  mark(live: LiveTokens): void {
    this.#definitions.mark(live);
  }

  /**
   * Forgets what dead tokens mean; {@link mark} has been called. A reading that meets one is an error from
   * then on.
   */
  keep(live: LiveTokens, dead: TokenRanges): void {
    this.#definitions.keep(live);
    for (const values of [this.#labels, ...this.#values.values()])
      for (const token of values.keys()) if (!live.has(token)) values.delete(token);
    for (const { first, count } of dead) this.#forgotten.add(first, count);
  }

  /**
   * The valuation of every token.
   * @throws SemiringError `semiring/not-a-semiring`; when it is asked AssayError `query/no-valuation` where a
   *   semiring of labels or of provenance does not say what a token without a value is
   */
  of<K>(semiring: Semiring<K>, options?: ReadOptions): (token: Token) => K {
    checkSemiring(semiring);
    return this.#definitions.over(semiring, this.own(semiring), options);
  }

  /**
   * Whether a token is there when these are not: a row that a query made is there as long as one of its
   * derivations is.
   */
  remaining(deleted: ReadonlySet<Token>): (token: Token) => boolean {
    return this.#definitions.remaining(deleted);
  }

  /** How the polynomial of a row is written out. */
  get expansion(): Expansion {
    return {
      own: this.own(Polynomials),
      over: (semiring, own) => this.#definitions.over(semiring, own),
    };
  }

  /**
   * As JSON.
   * @param live tokens that {@link mark} has marked: what others mean is left out
   * @throws AssayError `query/not-saved` for a value that has no form in a file, and two semirings of one
   *   name
   */
  save(live?: LiveTokens): unknown {
    const isLive = (token: Token) => live === undefined || live.has(token);
    const byLabel = new Map<Label, Token[]>();
    for (const [token, label] of this.#labels) {
      if (!isLive(token)) continue;
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
          values: [...values].flatMap(([token, value]) => {
            if (!isLive(token)) return [];
            const saved = toPortable(value);
            if (saved === undefined)
              throw notSaved(`the value of token ${token} in ${name} is no plain data`);
            return [[token, saved]];
          }),
        };
      }),
      definitions: this.#definitions.save(live),
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
        valuations.label(labelled, fromPortable(label) as Label);
      for (const { semiring: name, foreign, values } of checked.output.values) {
        const semiring = foreign ? own.find((one) => one.name === name) : semirings.get(name)?.semiring;
        if (!semiring) {
          throw new AssayError(
            'query/unknown-semiring',
            `the file has values in the semiring ${JSON.stringify(name)}: open it with { semirings: [it] }`,
          );
        }
        for (const [token, saved] of values) valuations.set(semiring, [token], fromPortable(saved));
      }
      valuations.#definitions = Definitions.load(checked.output.definitions, tokens);
    } catch (error) {
      if (error instanceof RangeError || error instanceof SemiringError) throw badMeaning(error.message);
      throw error;
    }
    return valuations;
  }

  /** What a token is worth by itself, whatever it stands for. */
  own<K>(semiring: Semiring<K>): (token: Token) => K {
    const given = this.#givenValue(semiring);
    if (this.#forgotten.size === 0) return given;
    return (token) => {
      if (!this.#forgotten.has(token)) return given(token);
      throw new AssayError(
        'query/forgotten-token',
        `token ${token} is of a table that was dropped: what it meant is kept only as long as the table, an answer made while it was there, or a row made from its rows`,
      );
    };
  }

  #givenValue<K>(semiring: Semiring<K>): (token: Token) => K {
    const values = this.#values.get(semiring as AnySemiring);
    const otherwise = this.#defaultOf(semiring);
    if (!values) return otherwise;
    // Stored by `set` for this very semiring, so of its type.
    return (token) => (values.has(token) ? (values.get(token) as K) : otherwise(token));
  }

  /** What a token without a value of its own is worth: what the semiring says that it is. */
  #defaultOf<K>(semiring: Semiring<K>): (token: Token) => K {
    const declared = tokenValue(semiring, (token) => this.#labels.get(token) ?? top);
    if (declared) return declared;
    const member = semiring.reads === 'dependency' ? 'ofLabel' : 'indeterminate';
    return (token) => {
      throw new AssayError(
        'query/no-valuation',
        `token ${token} has no value in ${semiring.name}: give one with db.value(semiring, tokens, value), or let the semiring say what a token is by its member ${member}`,
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

/** A row's worth when some of its cells' provenance has no column of its own to live in. */
export function rowNode(annotation: Node, cells: readonly Node[]): Node {
  return cells.length === 0 ? annotation : times(annotation, ...cells);
}
