/**
 * Forgetting the tokens of dropped tables. A token stays as long as a table has it, a row of another table
 * was made from it, or something in memory refers to its table; a file needs the first two only.
 */
import type { Catalog } from '../../engine/table/catalog.js';
import { LiveTokens } from '../../engine/table/live-tokens.js';
import type { Valuations } from './valuations.js';

/** Fewer tokens than these are not worth looking for. */
const fewest = 256;

export class DroppedTables {
  readonly #catalog: Catalog;
  readonly #valuations: Valuations;
  #worthwhile = fewest;

  constructor(catalog: Catalog, valuations: Valuations) {
    this.#catalog = catalog;
    this.#valuations = valuations;
  }

  /** The tokens that a file has to have. */
  saved(): LiveTokens {
    const { tokens, tables } = this.#catalog;
    const live = new LiveTokens(tokens.dropped, tables);
    this.#valuations.mark(live);
    return live;
  }

  /**
   * Forgets what it may, where there is enough of it: the work is a constant share of that of issuing the
   * tokens.
   */
  forget(): void {
    const { tokens, tables } = this.#catalog;
    if (tokens.collected.size < this.#worthwhile) return;
    const live = new LiveTokens(tokens.collected, tables);
    this.#valuations.mark(live);
    const dead = live.dead();
    this.#valuations.keep(live, dead);
    tokens.retire(dead);
    this.#worthwhile = Math.max(fewest, 2 * tokens.collected.size, live.visited);
  }
}
