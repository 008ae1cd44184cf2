import type { ColumnId, Expression } from '../../../../engine/plan/expression.js';
import { columnsOf, type LogicalPlan } from '../../../../engine/plan/plan.js';
import { operandsOf } from '../../../../engine/plan/traverse-expression.js';
import { inputsOf, rewriteBottomUp } from '../../../../engine/plan/traverse-plan.js';
import type { Rule } from '../rule.js';

/**
 * Equal sub-plans are run once: the second becomes a projection that renames the first's columns. Equal means
 * equal but for the numbers of the columns; a bare scan is not worth it.
 */
export const shareSubplans: Rule = {
  name: 'share sub-plans',
  description: 'sub-plans that occur more than once are run once',
  scope: 'plan',
  apply(plan) {
    const signatures = new Signatures();
    const first = new Map<number, LogicalPlan>();
    const shared = rewriteBottomUp(plan, (node, original) => {
      const signature = signatures.of(original);
      const twin = worthSharing(original) ? first.get(signature) : undefined;
      if (twin) return renamed(twin, original);
      first.set(signature, node);
      return node;
    });
    return shared === plan ? undefined : shared;
  },
};

function worthSharing(plan: LogicalPlan): boolean {
  let node = plan;
  while (node.kind === 'project') node = node.input;
  return node.kind !== 'scan' && node.kind !== 'values';
}

function renamed(twin: LogicalPlan, like: LogicalPlan): LogicalPlan {
  const columns = columnsOf(twin);
  return {
    kind: 'project',
    input: twin,
    columns: columnsOf(like),
    expressions: columns.map((column): Expression => ({ kind: 'column', id: column.id, type: column.type })),
  };
}

/**
 * Numbers for plans; equal exactly where the plans are equal but for the numbers of their columns. Those of
 * the inputs must have been asked for before.
 */
class Signatures {
  readonly #plans = new Map<LogicalPlan, number>();
  readonly #texts = new Map<string, number>();
  readonly #objects = new Map<object, number>();

  of(plan: LogicalPlan): number {
    const known = this.#plans.get(plan);
    if (known !== undefined) return known;
    const inputs = inputsOf(plan);
    // A column is named by the position at which an input puts it out.
    const names = new Map<ColumnId, string>();
    inputs.forEach((input, i) => {
      columnsOf(input).forEach((column, j) => {
        names.set(column.id, `${i}.${j}`);
      });
    });
    const text = JSON.stringify([
      plan.kind,
      inputs.map((input) => this.#plans.get(input)),
      this.#details(plan, names),
    ]);
    const signature = this.#number(text);
    this.#plans.set(plan, signature);
    return signature;
  }

  #details(plan: LogicalPlan, names: ReadonlyMap<ColumnId, string>): unknown {
    const show = (expression: Expression | null | undefined) =>
      expression && this.#expression(expression, names);
    switch (plan.kind) {
      case 'scan':
        return [this.#object(plan.table), plan.indexes, plan.rows];
      case 'values':
        return this.#object(plan.rows);
      case 'filter':
        return show(plan.predicate);
      case 'project':
        return plan.expressions.map(show);
      case 'join':
        return [plan.type, show(plan.on), plan.nullAware === true, plan.lookup === true];
      case 'contains':
        return [show(plan.text), show(plan.needle)];
      case 'aggregate':
        return [
          plan.keys.map((key) => show(key.expression)),
          plan.aggregates.map((call) => [
            this.#object(call.function),
            call.arguments.map(show),
            call.distinct === true,
            show(call.filter),
          ]),
        ];
      case 'union':
        return plan.columns.map((column) => column.type);
      case 'except':
      case 'intersect':
        return plan.all;
      case 'sort':
        return plan.keys.map((key) => [show(key.expression), key.descending, key.nullsFirst]);
      case 'limit':
        return [show(plan.limit), show(plan.offset), plan.by?.map(show)];
      case 'distinct':
        return plan.bindings === true;
      default:
        return null;
    }
  }

  /** Short however deep the expression: an operator has the number of its text over its operands' own. */
  #expression(expression: Expression, names: ReadonlyMap<ColumnId, string>): unknown {
    const operands: unknown[] = [];
    for (const operand of operandsOf(expression)) operands.push(this.#expression(operand, names));
    switch (expression.kind) {
      case 'column':
        return names.get(expression.id) ?? `outer ${expression.id}`;
      case 'literal': {
        const { value, type } = expression;
        const exact =
          typeof value === 'bigint' || typeof value === 'number'
            ? `${typeof value} ${showNumber(value)}`
            : value;
        return ['literal', type, exact];
      }
      case 'parameter':
        return ['parameter', expression.index];
      case 'call':
        return this.#number(JSON.stringify(['call', this.#object(expression.function), operands]));
      case 'subquery':
        return ['subquery', this.#object(expression)];
      default:
        return this.#number(JSON.stringify([expression.kind, expression.type, operands]));
    }
  }

  #number(text: string): number {
    const number = this.#texts.get(text) ?? this.#texts.size;
    this.#texts.set(text, number);
    return number;
  }

  #object(value: object): number {
    const number = this.#objects.get(value) ?? this.#objects.size;
    this.#objects.set(value, number);
    return number;
  }
}

function showNumber(value: number | bigint): string {
  return Object.is(value, -0) ? '-0' : String(value);
}
