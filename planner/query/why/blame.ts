/**
 * Which operators lost a row: the lowest ones whose inputs have rows that are compatible with it and whose
 * output has none (Chapman and Jagadish, "Why Not?", 2009). Where a row could have come by several ways (the
 * branches of a union, the two parts of an outer join) each way has its own culprit, and those that lost
 * something count before those that never had it.
 */
import type { Contains, Join, LogicalPlan } from '../../../engine/plan/plan.js';
import { inputsOf } from '../../../engine/plan/traverse-plan.js';
import type { Value } from '../../../engine/value/value.js';
import { type Demand, demandAlone, demandBelow, restricted } from './compatible.js';

/** Runs a plan and says how many rows it has. */
export type CountRows = (plan: LogicalPlan) => number;

export interface Blame {
  readonly node: LogicalPlan;
  /** From the plan's root to `node`: each operator above it, and by which of its inputs the way goes on. */
  readonly path: readonly Step[];
  /** What a row that `node` puts out would have to give. */
  readonly demand: Demand;
  /** How many compatible rows each input has. */
  readonly compatible: readonly number[];
  /**
   * `lost`: the inputs have compatible rows, the output has none. `never there`: no rows below give these
   * values, whatever the conditions. `undecided`: there are too many pairs, or too long an expression, to
   * find out which.
   */
  readonly verdict: 'lost' | 'never there' | 'undecided';
}

export interface Step {
  readonly node: LogicalPlan;
  readonly input: number;
  /** Of an outer join: the row comes by alone, with NULLs for the other side. */
  readonly alone?: true;
}

/** Pairs of rows that are tried. */
const mostPairs = 4_000_000;

/** @param demand that no row of the plan meets */
export function blame(
  plan: LogicalPlan,
  demand: Demand,
  count: CountRows,
  parameters: readonly Value[],
): readonly Blame[] {
  return new Accuser(count, parameters).ofPlan(plan, demand, []);
}

class Accuser {
  readonly #count: CountRows;
  readonly #parameters: readonly Value[];

  constructor(count: CountRows, parameters: readonly Value[]) {
    this.#count = count;
    this.#parameters = parameters;
  }

  ofPlan(node: LogicalPlan, demand: Demand, path: readonly Step[]): readonly Blame[] {
    const accused = (compatible: readonly number[], verdict: Blame['verdict']): readonly Blame[] => [
      { node, path, demand, compatible, verdict },
    ];
    switch (node.kind) {
      case 'scan':
      case 'values':
        return accused([], 'never there');
      case 'union':
        return (
          mostTelling(
            node.inputs.flatMap((_, i) => {
              const below = this.#below(node, i, demand);
              return below ? [this.#into({ node, input: i }, below, path)] : [];
            }),
          ) ??
          accused(
            node.inputs.map(() => 0),
            'never there',
          )
        );
      case 'join':
        if (node.type !== 'semi' && node.type !== 'anti') return this.#ofPairs(node, node.type, demand, path);
        break;
      case 'contains':
        return this.#ofPairs(node, 'inner', demand, path);
      default:
    }
    const inputs = inputsOf(node);
    const demands = inputs.map((_, i) => this.#below(node, i, demand));
    const counts = inputs.map((input, i) => {
      const below = demands[i];
      return below ? this.#compatible(input, below) : 0;
    });
    for (const i of node.kind === 'intersect' ? [0, 1] : [0]) {
      const below = demands[i];
      if (!below) return accused(counts, 'never there');
      if (counts[i] === 0) return this.#into({ node, input: i }, below, path);
    }
    return accused(counts, node.kind === 'project' ? 'undecided' : 'lost');
  }

  /** A join puts out pairs; an outer one also rows of a side alone. */
  #ofPairs(
    node: Join | Contains,
    type: Join['type'],
    demand: Demand,
    path: readonly Step[],
  ): readonly Blame[] {
    const { left, right } = node;
    const sides = [left, right];
    const demands = sides.map((side) => this.#readable(side, demand));
    const counts = sides.map((side, i) => {
      const own = demands[i];
      return own ? this.#compatible(side, own) : 0;
    });
    const accused = (verdict: Blame['verdict']): Blame => ({
      node,
      path,
      demand,
      compatible: counts,
      verdict,
    });
    const ways: (readonly Blame[])[] = [];
    const entered = new Set<number>();
    const enter = (step: Step, below: Demand): void => {
      if (entered.has(step.input)) return;
      entered.add(step.input);
      ways.push(this.#into(step, below, path));
    };
    const empty = counts.indexOf(0);
    if (empty >= 0) {
      const below = demands[empty];
      if (below) enter({ node, input: empty }, below);
    } else {
      const pairs = this.#pairs(left, right, demand, counts);
      if (pairs !== 'never there') return [accused(pairs)];
      ways.push([accused(pairs)]);
    }
    for (const [i, side] of sides.entries()) {
      const alone = type === 'full' || type === (i === 0 ? 'left' : 'right');
      const below = alone ? demandAlone(side, sides[1 - i], demand, this.#parameters) : undefined;
      if (!below) continue;
      if (this.#compatible(side, below) > 0) return [accused('lost')];
      enter({ node, input: i, alone: true }, below);
    }
    return mostTelling(ways) ?? [accused('never there')];
  }

  /** Whether a pair of rows gives what is demanded, whatever the join's condition says of it. */
  #pairs(left: LogicalPlan, right: LogicalPlan, demand: Demand, counts: readonly number[]): Blame['verdict'] {
    const ofSides = [left, right].map((side) => this.#readable(side, demand)?.length ?? 0);
    const pairs: LogicalPlan = { kind: 'join', type: 'inner', left, right };
    const ofPairs = this.#readable(pairs, demand)?.length ?? 0;
    if (ofPairs === ofSides[0] + ofSides[1]) return 'lost';
    if (counts[0] * counts[1] > mostPairs) return 'undecided';
    return this.#compatible(pairs, demand) > 0 ? 'lost' : 'never there';
  }

  #into(step: Step, below: Demand, path: readonly Step[]): readonly Blame[] {
    return this.ofPlan(inputsOf(step.node)[step.input], below, [...path, step]);
  }

  #below(node: LogicalPlan, i: number, demand: Demand): Demand | undefined {
    return demandBelow(node, i, demand, this.#parameters);
  }

  #readable(side: LogicalPlan, demand: Demand): Demand | undefined {
    const sort: LogicalPlan = { kind: 'sort', input: side, keys: [] };
    return demandBelow(sort, 0, demand, this.#parameters);
  }

  #compatible(node: LogicalPlan, demand: Demand): number {
    return this.#count(restricted(node, demand, this.#parameters));
  }
}

/** Of several ways those that lost a row; else all of them. Undefined of none. */
function mostTelling(ways: readonly (readonly Blame[])[]): readonly Blame[] | undefined {
  const all = ways.flat();
  if (all.length === 0) return undefined;
  const lost = all.filter((one) => one.verdict !== 'never there');
  return lost.length > 0 ? lost : all;
}
