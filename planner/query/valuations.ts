/**
 * What tokens mean: the values that a database's readings start from. The one thing to know: a token without a value
 * of its own is its own indeterminate in a provenance semiring, 1 in a semiring of counts, costs or confidences, and
 * untrusted and readable by nobody in a label semiring (failing closed).
 *
 * A token may also be *defined*: rows that INSERT … SELECT or CREATE TABLE AS made are worth what the query's rows were.
 */
import { type Node, times } from '../../engine/circuit.js';
import { type Reading, read } from '../../engine/read.js';
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

/** Consecutive tokens that are worth what the rows of a node are. */
interface Definition {
  readonly first: Token;
  readonly count: number;
  readonly node: Node;
  readonly time: number;
}

/** A one-row node that a token's own value is multiplied by. */
interface Factor {
  readonly node: Node;
  readonly time: number;
}

export class Valuations {
  readonly #values = new Map<AnySemiring, Map<Token, unknown>>();
  readonly #labels = new Map<Token, Label>();
  /** In ascending order of `first`: tokens are issued in order. */
  readonly #definitions: Definition[] = [];
  readonly #factors = new Map<Token, Factor[]>();
  /** Counts definitions and factors: a node sees what tokens meant when it was made, so none refers to itself. */
  #time = 0;

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

  /** Token `first + i` is from now on worth row i of `node`. */
  define(first: Token, node: Node): void {
    if (node.rows > 0) this.#definitions.push({ first, count: node.rows, node, time: this.#time++ });
  }

  /** The token's value is from now on multiplied by the node's only row. */
  multiply(token: Token, node: Node): void {
    this.#factors.set(token, [...(this.#factors.get(token) ?? []), { node, time: this.#time++ }]);
  }

  /** Whether some token stands for more than itself. */
  get hasDefinitions(): boolean {
    return this.#definitions.length > 0 || this.#factors.size > 0;
  }

  /** The valuation of every token. @throws AssayError `query/no-valuation` when a label semiring that assay does not know meets a token without a value */
  of<K>(semiring: Semiring<K>): (token: Token) => K {
    const own = this.#ownValue(semiring);
    if (this.#definitions.length === 0 && this.#factors.size === 0) return own;
    const readings = new Map<Definition, Reading<K>>();
    const products = new Map<Factor, K>();
    const definedAs = (definition: Definition, token: Token): K => {
      let reading = readings.get(definition);
      if (!reading) {
        reading = read(definition.node, semiring, asOf(definition.time));
        readings.set(definition, reading);
      }
      return reading.at(token - definition.first);
    };
    const factorOf = (factor: Factor): K => {
      let value = products.get(factor);
      if (value === undefined) {
        value = read(factor.node, semiring, asOf(factor.time)).at(0);
        products.set(factor, value);
      }
      return value;
    };
    /** What tokens meant before this time. */
    const asOf =
      (time: number) =>
      (token: Token): K => {
        const definition = this.#definitionOf(token);
        if (definition && definition.time < time) return definedAs(definition, token);
        const factors = this.#factors.get(token) ?? [];
        return factors.reduce(
          (product, factor) => (factor.time < time ? semiring.times(product, factorOf(factor)) : product),
          own(token),
        );
      };
    return asOf(this.#time);
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

  #definitionOf(token: Token): Definition | undefined {
    let low = 0;
    let high = this.#definitions.length - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      const definition = this.#definitions[middle];
      if (token < definition.first) high = middle - 1;
      else if (token >= definition.first + definition.count) low = middle + 1;
      else return definition;
    }
    return undefined;
  }
}

/** A row's worth when some of its cells' provenance has no column of its own to live in. */
export function rowNode(annotation: Node, cells: readonly Node[]): Node {
  return cells.length === 0 ? annotation : times(annotation, ...cells);
}
