/**
 * Counts tokens and money, and stops at a limit. Prices are the user's; without one the cost is unknown, not
 * zero.
 */
import { addUsage, type Completion, type Model, type ModelRequest, noUsage, type Usage } from './model.js';
import { ModelError } from './model-error.js';

/** In one currency, for a million tokens. */
export interface Price {
  readonly input: number;
  readonly output: number;
}

export interface MeterOptions {
  readonly price?: Price;
  /** Input and output together. */
  readonly maxTokens?: number;
  /** In the price's currency; needs a price. */
  readonly maxCost?: number;
}

/** A model that counts what goes through it. */
export class Meter implements Model {
  readonly name: string;
  readonly #model: Model;
  readonly #options: MeterOptions;
  #usage: Usage = noUsage;

  /** @throws ModelError `model/bad-setting` for a cost limit without a price */
  constructor(model: Model, options: MeterOptions = {}) {
    if (options.maxCost !== undefined && options.price === undefined) {
      throw new ModelError('model/bad-setting', 'A cost limit needs the price of a million tokens.');
    }
    this.name = model.name;
    this.#model = model;
    this.#options = options;
  }

  get usage(): Usage {
    return this.#usage;
  }

  get price(): Price | undefined {
    return this.#options.price;
  }

  /** Undefined without a price. */
  get cost(): number | undefined {
    return this.#options.price && costOf(this.#usage, this.#options.price);
  }

  /** @throws ModelError `model/limit` once a limit is reached; requests under way are not cut off */
  async complete(request: ModelRequest): Promise<Completion> {
    const { maxTokens = Infinity, maxCost = Infinity } = this.#options;
    const tokens = this.#usage.inputTokens + this.#usage.outputTokens;
    if (tokens >= maxTokens) {
      throw new ModelError('model/limit', `${tokens} tokens are used, the limit is ${maxTokens}.`);
    }
    const cost = this.cost ?? 0;
    if (cost >= maxCost) {
      throw new ModelError('model/limit', `The cost is ${cost}, the limit is ${maxCost}.`);
    }
    const completion = await this.#model.complete(request);
    this.#usage = addUsage(this.#usage, completion.usage);
    return completion;
  }
}

export function costOf(usage: Usage, price: Price): number {
  return (usage.inputTokens * price.input + usage.outputTokens * price.output) / 1e6;
}
