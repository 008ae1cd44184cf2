/**
 * Absorption: keeps the minimal elements of a finite set. A kept element is filed under its rarest token, and
 * what it absorbs must hold that token, so nearly all pairs are never compared.
 */

/** How elements over tokens are ordered. */
export interface TokenOrder<T> {
  /** Monotone: what is strictly below an element is strictly smaller. */
  size(element: T): number;
  /** The tokens of an element in increasing order; what is below it has a subset of them. */
  tokens(element: T): readonly number[];
  /** a ≤ b: a absorbs b. */
  atMost(a: T, b: T): boolean;
}

/** The elements that no other element is below, in the order given; `elements` has no two equal ones. */
export function minimal<T>(elements: readonly T[], order: TokenOrder<T>): readonly T[] {
  if (elements.length < 2) return elements;
  const bySize = [...elements].sort((a, b) => order.size(a) - order.size(b));
  const kept = new Absorber(order, elements);
  const absorbed = new Set<T>();
  for (const element of bySize) {
    if (kept.absorbs(element)) absorbed.add(element);
    else kept.add(element);
  }
  return absorbed.size === 0 ? elements : elements.filter((element) => !absorbed.has(element));
}

/** The elements of `elements` that no element of `others` is below or equal to. */
export function notAbove<T>(
  elements: readonly T[],
  others: readonly T[],
  order: TokenOrder<T>,
): readonly T[] {
  const absorber = new Absorber(order, others);
  for (const other of others) absorber.add(other);
  return elements.filter((element) => !absorber.absorbs(element));
}

class Absorber<T> {
  readonly #order: TokenOrder<T>;
  readonly #byRarestToken = new Map<number, T[]>();
  readonly #uses = new Map<number, number>();
  /** Set once an element without tokens is in: it is below everything. */
  #all = false;

  /** @param candidates what may be added */
  constructor(order: TokenOrder<T>, candidates: readonly T[]) {
    this.#order = order;
    for (const candidate of candidates) {
      for (const token of order.tokens(candidate)) this.#uses.set(token, (this.#uses.get(token) ?? 0) + 1);
    }
  }

  add(element: T): void {
    let rarest: number | undefined;
    let fewest = Number.POSITIVE_INFINITY;
    for (const token of this.#order.tokens(element)) {
      const uses = this.#uses.get(token) ?? 0;
      if (uses < fewest) {
        fewest = uses;
        rarest = token;
      }
    }
    if (rarest === undefined) {
      this.#all = true;
      return;
    }
    const filed = this.#byRarestToken.get(rarest);
    if (filed) filed.push(element);
    else this.#byRarestToken.set(rarest, [element]);
  }

  absorbs(element: T): boolean {
    if (this.#all) return true;
    for (const token of this.#order.tokens(element)) {
      const filed = this.#byRarestToken.get(token);
      if (filed?.some((small) => this.#order.atMost(small, element))) return true;
    }
    return false;
  }
}
