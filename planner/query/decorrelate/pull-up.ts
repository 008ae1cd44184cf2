/**
 * Pulling references to the enclosing query up to the top of a subquery's plan. What comes back is a plan
 * that stands alone, and the conditions under which one of its rows belongs to a row of the enclosing query;
 * the subquery is then a join on these conditions.
 *
 * The rules are the usual ones (Kim 1982, Dayal 1987, and for aggregates over no rows Muralikrishna 1992):
 * conditions rise through filters, projections and inner joins; through a grouping and DISTINCT rise
 * equalities, whose inner side becomes a key. Anything else is left to over-bindings.ts.
 */
import { type ColumnId, type Expression, freshColumn } from '../../../engine/plan/expression.js';
import {
  type Aggregate,
  columnsOf,
  type Distinct,
  type Filter,
  type Join,
  type LogicalPlan,
  type Project,
} from '../../../engine/plan/plan.js';
import {
  columnsRead,
  conjunction,
  conjuncts,
  equalExpressions,
  outerColumns,
  substitute,
} from '../../../engine/plan/traverse-expression.js';
import { expressionsOf } from '../../../engine/plan/traverse-plan.js';
import { foldConstant, isLiteral, literal } from '../optimize/constant.js';
import { type CorrelatedEquality, correlatedEquality, reads } from './equality.js';

/** A subquery's plan without references to the enclosing query. */
export interface PulledUp {
  readonly plan: LogicalPlan;
  /** Conditions over columns of `plan` and of the enclosing query. */
  readonly conditions: readonly Expression[];
  /**
   * Columns that the subquery put out and `plan` does not: what they are, over its columns and the enclosing
   * query's.
   */
  readonly computed: ReadonlyMap<ColumnId, Expression>;
  /**
   * Present where the subquery had exactly one row for every row of the enclosing query (an aggregate without
   * keys), while `plan` has none where nothing matches: the values of the columns in that case.
   */
  readonly whenEmpty?: ReadonlyMap<ColumnId, Expression>;
  /** The columns of the enclosing query that the subquery refers to. */
  readonly outer: ReadonlySet<ColumnId>;
}

const nothing: ReadonlyMap<ColumnId, Expression> = new Map();

/** Thrown inside this file where the standard rules end. */
const beyondRules = Symbol('beyond the standard rules');

/** Undefined where the standard rules do not do: then {@link overBindings} does. */
export function pullUp(plan: LogicalPlan): PulledUp | undefined {
  const outer = outerColumns(plan);
  if (outer.size === 0) return { plan, conditions: [], computed: nothing, outer };
  try {
    return new PullUp(outer).visit(plan);
  } catch (error) {
    if (error === beyondRules) return undefined;
    throw error;
  }
}

class PullUp {
  readonly #outer: ReadonlySet<ColumnId>;

  constructor(outer: ReadonlySet<ColumnId>) {
    this.#outer = outer;
  }

  visit(plan: LogicalPlan): PulledUp {
    if (!this.#correlated(plan)) return { plan, conditions: [], computed: nothing, outer: this.#outer };
    switch (plan.kind) {
      case 'filter':
        return this.#filter(plan);
      case 'project':
        return this.#project(plan);
      case 'join':
        return this.#join(plan);
      case 'aggregate':
        return this.#aggregate(plan);
      case 'distinct':
        return this.#distinct(plan);
      case 'sort': {
        // The order of a subquery's rows is of no account without LIMIT.
        return this.visit(plan.input);
      }
      default:
        throw beyondRules;
    }
  }

  #filter(plan: Filter): PulledUp {
    const input = this.visit(plan.input);
    const predicate = substitute(plan.predicate, input.computed);
    const inner: Expression[] = [];
    const correlated: Expression[] = [];
    for (const conjunct of conjuncts(predicate)) (this.#reads(conjunct) ? correlated : inner).push(conjunct);
    const kept = conjunction(inner);
    const result: PulledUp = {
      ...input,
      plan: kept ? { kind: 'filter', input: input.plan, predicate: kept } : input.plan,
      conditions: [...input.conditions, ...correlated],
    };
    if (!input.whenEmpty) return result;
    // HAVING over an aggregate without keys: where nothing matches, it decides about the values of no rows.
    const decision = foldConstant(substitute(predicate, input.whenEmpty));
    if (!decision || correlated.length > 0) {
      throw beyondRules;
    }
    if (isLiteral(decision, true)) {
      throw beyondRules;
    }
    const { whenEmpty: _, ...without } = result;
    return without;
  }

  #project(plan: Project): PulledUp {
    const input = this.visit(plan.input);
    const computed = new Map<ColumnId, Expression>();
    const columns = [];
    const expressions = [];
    for (const [i, column] of plan.columns.entries()) {
      const expression = substitute(plan.expressions[i], input.computed);
      if (this.#reads(expression)) computed.set(column.id, expression);
      else {
        columns.push(column);
        expressions.push(expression);
      }
    }
    // Columns that the conditions still read travel along.
    const below = columnsOf(input.plan);
    const needed = new Set<ColumnId>();
    for (const expression of [...input.conditions, ...computed.values()]) columnsRead(expression, needed);
    const made = new Set(columns.map((column) => column.id));
    for (const column of below) {
      if (!needed.has(column.id) || made.has(column.id)) continue;
      columns.push(column);
      expressions.push(reference(column));
    }
    const result: PulledUp = {
      plan: { kind: 'project', input: input.plan, columns, expressions },
      conditions: input.conditions,
      computed,
      outer: this.#outer,
    };
    const { whenEmpty } = input;
    if (!whenEmpty) return result;
    const values = plan.columns.map((column, i): [ColumnId, Expression] => {
      const value = substitute(substitute(plan.expressions[i], input.computed), whenEmpty);
      return [column.id, foldConstant(value) ?? value];
    });
    return { ...result, whenEmpty: new Map(values) };
  }

  #join(plan: Join): PulledUp {
    const left = this.visit(plan.left);
    const rightReads = this.#correlated(plan.right);
    if (
      plan.type !== 'inner' &&
      (rightReads || plan.type === 'full' || plan.type === 'right' || left.whenEmpty)
    ) {
      throw beyondRules;
    }
    const right = this.visit(plan.right);
    if (left.whenEmpty || right.whenEmpty) {
      throw beyondRules;
    }
    const computed = new Map([...left.computed, ...right.computed]);
    const on = plan.on && substitute(plan.on, computed);
    const inner: Expression[] = [];
    const correlated: Expression[] = [];
    for (const conjunct of conjuncts(on)) (this.#reads(conjunct) ? correlated : inner).push(conjunct);
    if (plan.type !== 'inner' && correlated.length > 0) {
      throw beyondRules;
    }
    const { on: _, ...rest } = plan;
    const kept = conjunction(inner);
    return {
      plan: { ...rest, left: left.plan, right: right.plan, ...(kept ? { on: kept } : {}) },
      conditions: [...left.conditions, ...right.conditions, ...correlated],
      computed,
      outer: this.#outer,
    };
  }

  #aggregate(plan: Aggregate): PulledUp {
    const input = this.visit(plan.input);
    if (input.whenEmpty) {
      throw beyondRules;
    }
    for (const expression of expressionsOf(plan)) {
      if (this.#reads(substitute(expression, input.computed))) {
        throw beyondRules;
      }
    }
    const keys = plan.keys.map((key) => ({ ...key, expression: substitute(key.expression, input.computed) }));
    const aggregates = plan.aggregates.map((call) => ({
      ...call,
      arguments: call.arguments.map((argument) => substitute(argument, input.computed)),
      ...(call.filter ? { filter: substitute(call.filter, input.computed) } : {}),
    }));
    const conditions = input.conditions.map((condition) => {
      const { inner, remake } = this.#equality(condition);
      let key = keys.find((candidate) => equalExpressions(candidate.expression, inner));
      if (!key) {
        key = { column: freshColumn('correlation', inner.type), expression: inner };
        keys.push(key);
      }
      return remake(reference(key.column));
    });
    const result: PulledUp = {
      plan: { ...plan, input: input.plan, keys, aggregates },
      conditions,
      computed: nothing,
      outer: this.#outer,
    };
    if (plan.keys.length > 0) return result;
    const empty = plan.aggregates.map((call): [ColumnId, Expression] => {
      const types = call.arguments.map((argument) => argument.type);
      return [call.column.id, literal(call.function.finish(call.function.start(types)), call.column.type)];
    });
    return { ...result, whenEmpty: new Map(empty) };
  }

  #distinct(plan: Distinct): PulledUp {
    if (plan.bindings) throw beyondRules;
    const input = this.visit(plan.input);
    if (input.whenEmpty) return input;
    if (input.computed.size > 0) {
      throw beyondRules;
    }
    const below = columnsOf(input.plan);
    const columns = [...columnsOf(plan)];
    const expressions: Expression[] = columns.map(reference);
    const conditions = input.conditions.map((condition) => {
      const { inner, remake } = this.#equality(condition);
      const column = freshColumn('correlation', inner.type);
      columns.push(column);
      expressions.push(inner);
      return remake(reference(column));
    });
    const same = below.length === columns.length && below.every((column, i) => column === columns[i]);
    const projected: LogicalPlan = same
      ? input.plan
      : { kind: 'project', input: input.plan, columns, expressions };
    return {
      plan: { kind: 'distinct', input: projected },
      conditions,
      computed: nothing,
      outer: this.#outer,
    };
  }

  #reads(expression: Expression): boolean {
    return reads(expression, this.#outer);
  }

  #correlated(plan: LogicalPlan): boolean {
    for (const id of outerColumns(plan)) if (this.#outer.has(id)) return true;
    return false;
  }

  #equality(condition: Expression): CorrelatedEquality {
    const equality = correlatedEquality(condition, this.#outer);
    if (!equality) throw beyondRules;
    return equality;
  }
}

function reference(column: { readonly id: ColumnId; readonly type: Expression['type'] }): Expression {
  return { kind: 'column', id: column.id, type: column.type };
}
