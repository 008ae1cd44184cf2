/**
 * Estimated cardinalities. Base tables know their rows and the distinct values of each column exactly;
 * everything above assumes that columns are independent and that the smaller set of values lies in the
 * larger.
 */
import { equal } from '../../../engine/operators/comparison.js';
import type { ColumnId, Expression } from '../../../engine/plan/expression.js';
import { columnsOf, type Join, type LogicalPlan } from '../../../engine/plan/plan.js';
import { conjuncts } from '../../../engine/plan/traverse-expression.js';
import { columnIdsOf, inputsFirst, inputsOf } from '../../../engine/plan/traverse-plan.js';

/** The share of rows that a function passes which does not say. */
const unknownShare = 0.33;

export class Estimates {
  readonly #rows = new WeakMap<LogicalPlan, number>();
  /** What fixed plans were found to give; set for sub-plans that a rewrite replaced by a stand-in. */
  readonly #standIns = new Map<LogicalPlan, LogicalPlan>();

  standsFor(standIn: LogicalPlan, plan: LogicalPlan): void {
    this.#standIns.set(standIn, plan);
  }

  rows(plan: LogicalPlan): number {
    const known = this.#rows.get(this.#real(plan));
    if (known !== undefined) return known;
    const inputs = (node: LogicalPlan) => {
      const real = this.#real(node);
      if (real !== node) return [real];
      return this.#rows.has(node) ? [] : inputsOf(node);
    };
    for (const node of inputsFirst(plan, inputs)) {
      if (node === this.#real(node) && !this.#rows.has(node))
        this.#rows.set(node, Math.max(0, this.#estimate(node)));
    }
    return this.#rows.get(this.#real(plan)) ?? 0;
  }

  /** Distinct values of a column of the plan's output, at most its rows and at least 1. */
  distinct(plan: LogicalPlan, id: ColumnId): number {
    let sum = 0;
    const seen = new Map<LogicalPlan, Set<ColumnId>>();
    const stack: Origin[] = [{ input: plan, id }];
    for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
      let [node, column] = [this.#real(next.input), next.id];
      let most = this.rows(node);
      for (let below = comesFrom(node, column); below; below = comesFrom(node, column)) {
        [node, column] = [this.#real(below.input), below.id];
        most = Math.min(most, this.rows(node));
      }
      // Branches of a union that read the same have the same values.
      const columns = seen.get(node) ?? new Set<ColumnId>();
      if (columns.has(column)) continue;
      seen.set(node, columns.add(column));
      if (node.kind === 'union') {
        const position = node.columns.findIndex((candidate) => candidate.id === column);
        for (const input of node.inputs) stack.push({ input, id: columnsOf(input)[position]?.id ?? -1 });
      } else sum += Math.max(1, Math.min(most, this.#made(node, column)));
    }
    return Math.max(1, Math.min(sum, this.rows(plan)));
  }

  #real(plan: LogicalPlan): LogicalPlan {
    return this.#standIns.get(plan) ?? plan;
  }

  /** Distinct values of a column that does not come from one input as it is. */
  #made(plan: LogicalPlan, id: ColumnId): number {
    switch (plan.kind) {
      case 'scan': {
        const i = plan.columns.findIndex((column) => column.id === id);
        return i < 0 ? 1 : plan.table.distinct(plan.indexes[i]);
      }
      case 'project': {
        const expression = plan.expressions[plan.columns.findIndex((column) => column.id === id)];
        return expression === undefined || expression.kind === 'literal' ? 1 : this.rows(plan.input);
      }
      case 'values':
      case 'aggregate':
        return this.rows(plan);
      default:
        return 1;
    }
  }

  #estimate(plan: LogicalPlan): number {
    switch (plan.kind) {
      case 'scan':
        return plan.rows ?? plan.table.rowCount;
      case 'values':
        return plan.rows.length;
      case 'filter':
        return this.rows(plan.input) * this.selectivity(plan.predicate, [plan.input]);
      case 'project':
      case 'sort':
        return this.rows(plan.input);
      case 'join': {
        const [left, right] = [this.rows(plan.left), this.rows(plan.right)];
        const pairs = left * right * (plan.on ? this.selectivity(plan.on, [plan.left, plan.right]) : 1);
        switch (plan.type) {
          case 'inner':
            return pairs;
          case 'left':
            return Math.max(left, pairs);
          case 'right':
            return Math.max(right, pairs);
          case 'full':
            return Math.max(left + right, pairs);
          case 'semi':
            return left * this.#matchedShare(plan, right);
          case 'anti':
            return left * Math.max(0.1, 1 - this.#matchedShare(plan, right));
        }
        break;
      }
      case 'contains':
        return this.rows(plan.left) * this.rows(plan.right) * 0.01;
      case 'aggregate': {
        const rows = this.rows(plan.input);
        if (plan.keys.length === 0) return 1;
        let groups = 1;
        for (const { expression } of plan.keys) {
          groups *= expression.kind === 'column' ? this.distinct(plan.input, expression.id) : Math.sqrt(rows);
        }
        return Math.min(rows, groups);
      }
      case 'distinct': {
        const rows = this.rows(plan.input);
        let groups = 1;
        for (const column of columnsOf(plan.input)) groups *= this.distinct(plan.input, column.id);
        return Math.min(rows, groups);
      }
      case 'union':
        return plan.inputs.reduce((sum, input) => sum + this.rows(input), 0);
      case 'except':
        return this.rows(plan.left) * 0.5;
      case 'intersect':
        return Math.min(this.rows(plan.left), this.rows(plan.right)) * 0.5;
      case 'limit': {
        const rows = this.rows(plan.input);
        if (plan.by) return rows * 0.5;
        return plan.limit?.kind === 'literal' ? Math.min(rows, Number(plan.limit.value)) : rows;
      }
      case 'singleRow':
        return 1;
    }
    return 1;
  }

  /**
   * The share of the left rows that have a partner: many equal rows on the right find no more of them than
   * one does.
   */
  #matchedShare({ on, left, right }: Join, rows: number): number {
    if (!on) return Math.min(1, rows);
    let keys = 1;
    for (const conjunct of conjuncts(on)) {
      const [own, other] = equalColumns(conjunct, left, right) ?? [];
      if (own !== undefined && other !== undefined) keys *= this.distinct(right, other);
      else keys = Number.POSITIVE_INFINITY;
    }
    return Math.min(1, Math.min(rows, keys) * this.selectivity(on, [left, right]));
  }

  /** The share of rows (of the inputs' product) for which a predicate is true. */
  selectivity(predicate: Expression, inputs: readonly LogicalPlan[]): number {
    return conjuncts(predicate).reduce((share, conjunct) => share * this.#share(conjunct, inputs), 1);
  }

  #share(predicate: Expression, inputs: readonly LogicalPlan[]): number {
    switch (predicate.kind) {
      case 'literal':
        return predicate.value === true ? 1 : 0;
      case 'and':
        return this.selectivity(predicate, inputs);
      case 'or':
        return (
          1 - predicate.arguments.reduce((rest, operand) => rest * (1 - this.#share(operand, inputs)), 1)
        );
      case 'not':
        return 1 - this.#share(predicate.argument, inputs);
      case 'call':
        return this.#callShare(predicate, inputs);
      default:
        return 0.5;
    }
  }

  #callShare(call: Extract<Expression, { kind: 'call' }>, inputs: readonly LogicalPlan[]): number {
    const distinct = () => call.arguments.map((argument) => this.#valuesOf(argument, inputs));
    return call.function.share ? call.function.share(distinct()) : unknownShare;
  }

  /** How many values an operand has; a constant has one, an expression about as many as its column. */
  #valuesOf(operand: Expression, inputs: readonly LogicalPlan[]): number {
    if (operand.kind === 'cast') return this.#valuesOf(operand.argument, inputs);
    if (operand.kind === 'column') {
      const input = inputs.find((candidate) => columnIdsOf(candidate).has(operand.id));
      return input ? this.distinct(input, operand.id) : 1;
    }
    return operand.kind === 'literal' || operand.kind === 'parameter' ? 1 : 10;
  }
}

/** A column of an input. */
interface Origin {
  readonly input: LogicalPlan;
  readonly id: ColumnId;
}

/** The one column of an input whose values a column has, if there is one. */
function comesFrom(plan: LogicalPlan, id: ColumnId): Origin | undefined {
  const of = (input: LogicalPlan, expression: Expression | undefined) =>
    expression?.kind === 'column' ? { input, id: expression.id } : undefined;
  switch (plan.kind) {
    case 'scan':
    case 'values':
    case 'union':
      return undefined;
    case 'project':
      return of(plan.input, plan.expressions[plan.columns.findIndex((column) => column.id === id)]);
    case 'aggregate':
      return of(plan.input, plan.keys.find((key) => key.column.id === id)?.expression);
    case 'except':
    case 'intersect': {
      const below = columnsOf(plan.left)[plan.columns.findIndex((column) => column.id === id)];
      return below && { input: plan.left, id: below.id };
    }
    default: {
      const input = inputsOf(plan).find((candidate) => columnIdsOf(candidate).has(id));
      return input && { input, id };
    }
  }
}

/** The columns of the left and of the right side that an equality compares. */
function equalColumns(
  conjunct: Expression,
  left: LogicalPlan,
  right: LogicalPlan,
): readonly [ColumnId, ColumnId] | undefined {
  if (conjunct.kind !== 'call' || conjunct.function !== equal) return undefined;
  const [a, b] = conjunct.arguments;
  if (a.kind !== 'column' || b.kind !== 'column') return undefined;
  if (columnIdsOf(left).has(a.id) && columnIdsOf(right).has(b.id)) return [a.id, b.id];
  return columnIdsOf(left).has(b.id) && columnIdsOf(right).has(a.id) ? [b.id, a.id] : undefined;
}
