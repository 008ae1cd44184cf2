/**
 * Estimated cardinalities. The one thing to know: base tables know their rows and the distinct values of each column
 * exactly; everything above assumes that columns are independent and that the smaller set of values lies in the larger.
 */
import type { ColumnId, Expression } from '../../engine/expression.js';
import { columnsOf, type LogicalPlan } from '../../engine/plan.js';
import { conjuncts, inputsOf } from '../../engine/traverse.js';

export class Estimates {
  readonly #rows = new WeakMap<LogicalPlan, number>();
  /** What fixed plans were found to give; set for sub-plans that a rewrite replaced by a stand-in. */
  readonly #standIns = new Map<LogicalPlan, LogicalPlan>();

  standsFor(standIn: LogicalPlan, plan: LogicalPlan): void {
    this.#standIns.set(standIn, plan);
  }

  rows(plan: LogicalPlan): number {
    const real = this.#standIns.get(plan) ?? plan;
    let rows = this.#rows.get(real);
    if (rows === undefined) {
      rows = Math.max(0, this.#estimate(real));
      this.#rows.set(real, rows);
    }
    return rows;
  }

  /** Distinct values of a column of the plan's output, at most its rows and at least 1. */
  distinct(plan: LogicalPlan, id: ColumnId): number {
    const real = this.#standIns.get(plan) ?? plan;
    return Math.max(1, Math.min(this.#distinct(real, id), this.rows(real)));
  }

  #distinct(plan: LogicalPlan, id: ColumnId): number {
    switch (plan.kind) {
      case 'scan': {
        const i = plan.columns.findIndex((column) => column.id === id);
        return i < 0 ? 1 : plan.table.distinct(plan.indexes[i]);
      }
      case 'values':
        return plan.rows.length;
      case 'project': {
        const expression = plan.expressions[plan.columns.findIndex((column) => column.id === id)];
        if (expression?.kind === 'literal') return 1;
        return expression?.kind === 'column'
          ? this.distinct(plan.input, expression.id)
          : this.rows(plan.input);
      }
      case 'aggregate': {
        const key = plan.keys.find((candidate) => candidate.column.id === id);
        return key?.expression.kind === 'column'
          ? this.distinct(plan.input, key.expression.id)
          : this.rows(plan);
      }
      case 'union':
      case 'except':
      case 'intersect': {
        const position = columnsOf(plan).findIndex((column) => column.id === id);
        const inputs = plan.kind === 'union' ? plan.inputs : [plan.left];
        return inputs.reduce(
          (sum, input) => sum + this.distinct(input, columnsOf(input)[position]?.id ?? -1),
          0,
        );
      }
      default: {
        const input = inputsOf(plan).find((candidate) =>
          columnsOf(candidate).some((column) => column.id === id),
        );
        return input ? this.distinct(input, id) : 1;
      }
    }
  }

  #estimate(plan: LogicalPlan): number {
    switch (plan.kind) {
      case 'scan':
        return plan.table.rowCount;
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
            return Math.min(left, pairs);
          case 'anti':
            return Math.max(left * 0.1, left - pairs);
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
    const values = call.arguments.map((argument) => this.#valuesOf(argument, inputs));
    const most = Math.max(1, ...values.slice(0, 2));
    switch (call.function.name) {
      case '=':
      case 'is not distinct from':
        return 1 / most;
      case '<>':
      case 'is distinct from':
        return 1 - 1 / most;
      case 'in':
        return Math.min(1, (call.arguments.length - 1) / Math.max(1, values[0]));
      case 'not in':
        return 1 - Math.min(1, (call.arguments.length - 1) / Math.max(1, values[0]));
      case 'is null':
        return 0.05;
      case 'is not null':
        return 0.95;
      case 'like':
      case 'ilike':
      case 'starts_with':
      case 'contains':
        return 0.1;
      default:
        return 0.33;
    }
  }

  /** How many values an operand has; a constant has one, an expression about as many as its column. */
  #valuesOf(operand: Expression, inputs: readonly LogicalPlan[]): number {
    if (operand.kind === 'cast') return this.#valuesOf(operand.argument, inputs);
    if (operand.kind === 'column') {
      const input = inputs.find((candidate) =>
        columnsOf(candidate).some((column) => column.id === operand.id),
      );
      return input ? this.distinct(input, operand.id) : 1;
    }
    return operand.kind === 'literal' || operand.kind === 'parameter' ? 1 : 10;
  }
}
