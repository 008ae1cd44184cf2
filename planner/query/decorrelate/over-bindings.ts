/**
 * Any correlated subquery as a plan that stands alone (Neumann and Kemper, "Unnesting Arbitrary Queries",
 * 2015): it is computed for every distinct binding of the columns that it refers to, and each row of its
 * answer names its binding. The bindings are values to compute over and no facts. They add nothing to an
 * annotation or a label; what the row itself is worth comes in where it is joined with its binding's answer.
 */
import { count } from '../../../engine/aggregates/index.js';
import { call, contains, isNotDistinctFrom, isNotNull } from '../../../engine/operators/index.js';
import { type Column, type ColumnId, type Expression, freshColumn } from '../../../engine/plan/expression.js';
import {
  type Aggregate,
  type AggregateCall,
  columnsOf,
  type Join,
  type LogicalPlan,
  type SingleRow,
} from '../../../engine/plan/plan.js';
import { conjunction, outerColumns, substitute } from '../../../engine/plan/traverse-expression.js';
import { mapNodeExpressions } from '../../../engine/plan/traverse-plan.js';
import { literal } from '../optimize/constant.js';
import { choose, leftJoin, reference } from './left-join.js';
import { aggregateCall, anyValue, onlyValue } from './only-value.js';
import type { PulledUp } from './pull-up.js';

/** @param input the rows of the enclosing query, whose columns the plan may refer to */
export function overBindings(input: LogicalPlan, plan: LogicalPlan): PulledUp {
  const read = outerColumns(plan);
  const outer = columnsOf(input).filter((column) => read.has(column.id));
  const computed = new Map<ColumnId, Expression>();
  // References to queries further out stay; they are bound when their turn comes.
  if (outer.length === 0) return { plan, conditions: [], computed, outer: new Set() };
  const bound = new Binder(input, outer).visit(plan);
  return {
    plan: bound.plan,
    conditions: outer.map((column, i) =>
      call(isNotDistinctFrom, reference(column), reference(bound.bindings[i])),
    ),
    computed,
    outer: new Set(outer.map((column) => column.id)),
  };
}

/** A plan that has its own columns and, besides, the binding that each row belongs to. */
interface Bound {
  readonly plan: LogicalPlan;
  /** In the order of the outer columns. */
  readonly bindings: readonly Column[];
}

class Binder {
  readonly #outer: readonly Column[];
  readonly #domain: LogicalPlan;
  readonly #done = new Map<LogicalPlan, Bound>();

  constructor(input: LogicalPlan, outer: readonly Column[]) {
    this.#outer = outer;
    const columns = copies(outer);
    const bindings: LogicalPlan = { kind: 'project', input, columns, expressions: outer.map(reference) };
    this.#domain = { kind: 'distinct', input: bindings, bindings: true };
  }

  visit(plan: LogicalPlan): Bound {
    let bound = this.#done.get(plan);
    if (!bound) {
      bound = this.#refers(plan) ? this.#bind(plan) : this.#forEvery(plan);
      this.#done.set(plan, bound);
    }
    return bound;
  }

  #bind(plan: LogicalPlan): Bound {
    switch (plan.kind) {
      case 'filter':
      case 'sort': {
        const { plan: input, bindings } = this.visit(plan.input);
        return { plan: this.#bound({ ...plan, input }, bindings), bindings };
      }
      case 'project': {
        const input = this.visit(plan.input);
        const bindings = copies(input.bindings);
        const { expressions } = plan;
        return {
          plan: {
            kind: 'project',
            input: input.plan,
            columns: [...plan.columns, ...bindings],
            expressions: [
              ...expressions.map((expression) => this.#over(expression, input.bindings)),
              ...input.bindings.map(reference),
            ],
          },
          bindings,
        };
      }
      case 'join':
        return this.#join(plan);
      case 'contains': {
        const { left, right, text, needle } = plan;
        return this.#join({ kind: 'join', type: 'inner', left, right, on: call(contains, text, needle) });
      }
      case 'aggregate':
        return this.#aggregate(plan);
      case 'distinct': {
        const { plan: input, bindings } = this.visit(plan.input);
        return { plan: { ...plan, input }, bindings };
      }
      case 'union': {
        const bindings = copies(this.#outer);
        const inputs = plan.inputs.map((input) => this.#inOrder(input));
        return { plan: { ...plan, inputs, columns: [...plan.columns, ...bindings] }, bindings };
      }
      case 'except':
      case 'intersect': {
        const bindings = copies(this.#outer);
        const [left, right] = [this.#inOrder(plan.left), this.#inOrder(plan.right)];
        return { plan: { ...plan, left, right, columns: [...plan.columns, ...bindings] }, bindings };
      }
      case 'limit': {
        const { plan: input, bindings } = this.visit(plan.input);
        const limit = this.#bound({ ...plan, input }, bindings);
        if (limit.kind !== 'limit') throw new TypeError('a limit stays one');
        return { plan: { ...limit, by: [...(limit.by ?? []), ...bindings.map(reference)] }, bindings };
      }
      case 'singleRow':
        return this.#singleRow(plan);
      default:
        throw new TypeError(`${plan.kind} reads no columns`);
    }
  }

  #refers(plan: LogicalPlan): boolean {
    const read = outerColumns(plan);
    return this.#outer.some((column) => read.has(column.id));
  }

  #fresh(): Bound {
    const bindings = copies(this.#outer);
    const expressions = columnsOf(this.#domain).map(reference);
    return { plan: { kind: 'project', input: this.#domain, columns: bindings, expressions }, bindings };
  }

  /** A plan that is the same for every binding. */
  #forEvery(plan: LogicalPlan): Bound {
    const { plan: left, bindings } = this.#fresh();
    return { plan: { kind: 'join', type: 'inner', left, right: plan }, bindings };
  }

  /** The expression over the bindings instead of the outer columns. */
  #over(expression: Expression, bindings: readonly Column[]): Expression {
    return substitute(
      expression,
      new Map(this.#outer.map((column, i) => [column.id, reference(bindings[i])])),
    );
  }

  #bound(plan: LogicalPlan, bindings: readonly Column[]): LogicalPlan {
    return mapNodeExpressions(plan, (expression) => this.#over(expression, bindings));
  }

  /** The plan's columns and then the bindings: what operators that go by position need. */
  #inOrder(plan: LogicalPlan): LogicalPlan {
    const bound = this.visit(plan);
    const columns = [...columnsOf(plan), ...bound.bindings];
    return { kind: 'project', input: bound.plan, columns, expressions: columns.map(reference) };
  }

  /** A side whose rows may stand alone in the answer must have bindings; both sides then agree on theirs. */
  #join(plan: Join): Bound {
    const full = plan.type === 'full';
    const leftStands = full || plan.type === 'left' || plan.type === 'semi' || plan.type === 'anti';
    const rightStands = full || plan.type === 'right';
    const rightBound = rightStands || this.#refers(plan.right);
    const leftBound = leftStands || this.#refers(plan.left) || !rightBound;
    const left = leftBound ? this.visit(plan.left) : undefined;
    const right = rightBound ? this.visit(plan.right) : undefined;
    const bindings = (plan.type === 'right' ? right : left)?.bindings ?? right?.bindings ?? [];
    const agree =
      left && right
        ? left.bindings.map((column, i) =>
            call(isNotDistinctFrom, reference(column), reference(right.bindings[i])),
          )
        : [];
    const own = plan.on ? [this.#over(plan.on, bindings)] : [];
    const on = conjunction([...agree, ...own]);
    const { on: _, ...shape } = plan;
    const join: LogicalPlan = {
      ...shape,
      left: left?.plan ?? plan.left,
      right: right?.plan ?? plan.right,
      ...(on ? { on } : {}),
    };
    if (!full || !left || !right) return { plan: join, bindings };
    // Of a full join one side's bindings may be missing.
    const either = copies(this.#outer);
    const columns = columnsOf(plan);
    const expressions = left.bindings.map((column, i) =>
      choose(call(isNotNull, reference(column)), reference(column), reference(right.bindings[i])),
    );
    return {
      plan: {
        kind: 'project',
        input: join,
        columns: [...columns, ...either],
        expressions: [...columns.map(reference), ...expressions],
      },
      bindings: either,
    };
  }

  #aggregate(plan: Aggregate): Bound {
    const input = this.visit(plan.input);
    const bound = this.#bound({ ...plan, input: input.plan }, input.bindings);
    if (bound.kind !== 'aggregate') throw new TypeError('an aggregate stays one');
    if (plan.keys.length > 0) {
      const keys = input.bindings.map((column) => ({
        column: freshColumn(column.name, column.type),
        expression: reference(column),
      }));
      return {
        plan: { ...bound, keys: [...bound.keys, ...keys] },
        bindings: keys.map((key) => key.column),
      };
    }
    // Without keys there is a row for every binding, also over no rows.
    return this.#oneRowEach(
      input,
      bound.aggregates.map((one) => {
        const types = one.arguments.map((argument) => argument.type);
        const call = { ...one, column: freshColumn(one.column.name, one.column.type) };
        return {
          column: one.column,
          calls: [call],
          value: reference(call.column),
          whenEmpty: literal(one.function.finish(one.function.start(types)), one.column.type),
        };
      }),
    );
  }

  #singleRow(plan: SingleRow): Bound {
    const input = this.visit(plan.input);
    const rows = aggregateCall('rows', count, []);
    return this.#oneRowEach(
      input,
      columnsOf(plan).map((column) => {
        const only = aggregateCall(column.name, anyValue, [reference(column)]);
        const value = call(onlyValue, reference(rows.column), reference(only.column));
        return { column, calls: [rows, only], value, whenEmpty: literal(null, column.type) };
      }),
    );
  }

  /** One row for every binding: what is computed of the input's rows that have it. */
  #oneRowEach(
    input: Bound,
    outputs: readonly {
      readonly column: Column;
      readonly calls: readonly AggregateCall[];
      readonly value: Expression;
      readonly whenEmpty: Expression;
    }[],
  ): Bound {
    const keys = input.bindings.map((column) => ({
      column: freshColumn(column.name, column.type),
      expression: reference(column),
    }));
    const aggregates = [...new Set(outputs.flatMap((output) => output.calls))];
    const { plan: every, bindings } = this.#fresh();
    const joined = leftJoin(
      every,
      { kind: 'aggregate', input: input.plan, keys, aggregates },
      bindings.map((column, i) => call(isNotDistinctFrom, reference(column), reference(keys[i].column))),
    );
    return {
      plan: {
        kind: 'project',
        input: joined.plan,
        columns: [...outputs.map((output) => output.column), ...bindings],
        expressions: [
          ...outputs.map(({ value, whenEmpty }) =>
            whenEmpty.kind === 'literal' && whenEmpty.value === null
              ? value
              : choose(call(isNotNull, joined.matched), value, whenEmpty),
          ),
          ...bindings.map(reference),
        ],
      },
      bindings,
    };
  }
}

function copies(columns: readonly Column[]): Column[] {
  return columns.map((column) => freshColumn(column.name, column.type));
}
