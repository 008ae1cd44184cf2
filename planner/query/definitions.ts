/**
 * Tokens that stand for more than themselves: rows that INSERT … SELECT or CREATE TABLE AS made are worth
 * what the query's rows were. Definitions have an order in time, and a definition's circuit sees what tokens
 * meant when it was made, so none refers to itself.
 */
import * as v from 'valibot';
import type { Node } from '../../engine/provenance/circuit.js';
import { type ReadOptions, read } from '../../engine/provenance/read.js';
import type { Reading } from '../../engine/provenance/reading.js';
import type { Token } from '../../engine/provenance/token.js';
import { loadCircuit, saveCircuit, savedCircuit } from '../../engine/storage/index.js';
import type { LiveTokens } from '../../engine/table/live-tokens.js';
import { Bool, type Semiring } from '../../semiring/index.js';

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

type Step = Definition | (Factor & { readonly token: Token });

function isLive(step: Step, live: LiveTokens): boolean {
  return 'token' in step ? live.has(step.token) : live.hasAny(step.first, step.count);
}

const natural = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

export const savedDefinitions = v.object({
  nodes: savedCircuit,
  /** In order of time. */
  steps: v.array(
    v.variant('kind', [
      v.object({ kind: v.literal('define'), first: natural, node: natural }),
      v.object({ kind: v.literal('multiply'), token: natural, node: natural }),
    ]),
  ),
});

export type SavedDefinitions = v.InferOutput<typeof savedDefinitions>;

export class Definitions {
  /** In ascending order of `first`; no two overlap. */
  #definitions: Definition[] = [];
  #factors = new Map<Token, Factor[]>();
  #time = 0;

  get isEmpty(): boolean {
    return this.#definitions.length === 0 && this.#factors.size === 0;
  }

  /** Token `first + i` is from now on worth row i of `node`. */
  define(first: Token, node: Node): void {
    if (node.rows === 0) return;
    // Tokens of rows are issued before those of their cells, so the place is at the end or near it.
    let at = this.#definitions.length;
    while (at > 0 && this.#definitions[at - 1].first > first) at--;
    this.#definitions.splice(at, 0, { first, count: node.rows, node, time: this.#time++ });
  }

  /** The token's value is from now on multiplied by the node's only row. */
  multiply(token: Token, node: Node): void {
    this.#factors.set(token, [...(this.#factors.get(token) ?? []), { node, time: this.#time++ }]);
  }

  /**
   * What is there when these tokens are not: a token that stands for rows is there where one of its
   * derivations is.
   */
  remaining(deleted: ReadonlySet<Token>): (token: Token) => boolean {
    const own = (token: Token): boolean => !deleted.has(token);
    return this.#worth(Bool, own, {}, own);
  }

  /** What every token is worth. @param own what it is worth by itself */
  over<K>(semiring: Semiring<K>, own: (token: Token) => K, options: ReadOptions = {}): (token: Token) => K {
    return this.#worth(semiring, own, options, () => true);
  }

  /** @param isKept whether a token is worth more than 0 at all, whatever it stands for */
  #worth<K>(
    semiring: Semiring<K>,
    own: (token: Token) => K,
    { limit }: ReadOptions,
    isKept: (token: Token) => boolean,
  ): (token: Token) => K {
    if (this.isEmpty) return own;
    const readings = new Map<Definition, Reading<K>>();
    const products = new Map<Factor, K>();
    const definedAs = (definition: Definition, token: Token): K => {
      let reading = readings.get(definition);
      if (!reading) {
        reading = read(definition.node, semiring, asOf(definition.time), undefined, {
          ...(limit !== undefined && { limit }),
          place: (row) => `token ${definition.first + row}, which a query made from other rows`,
        });
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
        if (!isKept(token)) return semiring.zero;
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

  /**
   * Marks the tokens that live ones are made from. A circuit sees what tokens meant when it was made, so
   * looking from the last to the first is enough.
   */
  mark(live: LiveTokens): void {
    for (const step of this.#inTime().reverse()) if (isLive(step, live)) live.markIn(step.node);
  }

  /** Forgets what dead tokens stood for; {@link mark} has been called. */
  keep(live: LiveTokens): void {
    this.#definitions = this.#definitions.filter((definition) => isLive(definition, live));
    this.#factors = new Map([...this.#factors].filter(([token]) => live.has(token)));
  }

  #inTime(): Step[] {
    const factors = [...this.#factors].flatMap(([token, list]) =>
      list.map((factor) => ({ ...factor, token })),
    );
    return [...this.#definitions, ...factors].sort((a, b) => a.time - b.time);
  }

  /** @param live as {@link mark} has marked them: what dead tokens stood for is left out */
  save(live?: LiveTokens): SavedDefinitions {
    const inTime = this.#inTime().filter((step) => live === undefined || isLive(step, live));
    const { nodes, numberOf } = saveCircuit(inTime.map((step) => step.node));
    return {
      nodes: [...nodes],
      steps: inTime.map((step) => {
        const node = numberOf(step.node);
        return 'token' in step
          ? { kind: 'multiply', token: step.token, node }
          : { kind: 'define', first: step.first, node };
      }),
    };
  }

  /** @throws RangeError where the parts do not fit together */
  static load(saved: SavedDefinitions, tokens: number): Definitions {
    const nodes = loadCircuit(saved.nodes, tokens);
    const definitions = new Definitions();
    for (const step of saved.steps) {
      const node = nodes[step.node];
      if (node === undefined) throw new RangeError('a definition without its circuit');
      if (step.kind === 'multiply') {
        if (step.token >= tokens || node.rows !== 1) throw new RangeError('a factor that does not fit');
        definitions.multiply(step.token, node);
      } else {
        if (step.first + node.rows > tokens) throw new RangeError('a definition that does not fit');
        definitions.define(step.first, node);
      }
    }
    const ordered = definitions.#definitions;
    if (ordered.some(({ first, count }, i) => first + count > (ordered[i + 1]?.first ?? tokens)))
      throw new RangeError('a token that is defined twice');
    return definitions;
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
