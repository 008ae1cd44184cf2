/**
 * Why a row is not in an answer, in words: the operators that lost it (blame.ts), with the query's own
 * expressions and their places. A subquery is a join by then, so what stood in the query in its place is
 * looked up.
 */

import { call } from '../../../engine/operators/define.js';
import { isNull } from '../../../engine/operators/index.js';
import type { Expression, Place } from '../../../engine/plan/expression.js';
import { columnsOf, type Join, type LogicalPlan } from '../../../engine/plan/plan.js';
import { columnsRead, conjuncts, operandsOf } from '../../../engine/plan/traverse-expression.js';
import { expressionsOf } from '../../../engine/plan/traverse-plan.js';
import type { Value } from '../../../engine/value/value.js';
import { shorten } from '../../../semiring/message/visible-text.js';
import type { Origins } from '../decorrelate/decorrelate.js';
import { operatorOf } from '../explain.js';
import { literal } from '../optimize/constant.js';
import { type ColumnNames, columnNames, type SubqueryText, showExpression } from '../show-expression.js';
import { type Blame, blame, type CountRows } from './blame.js';
import { demandBelow, demandOf, gives, restricted, type Wanted } from './compatible.js';
import type { WantedTuple } from './wanted-tuple.js';

export interface WhyNot {
  /** True where the row is in the answer after all. */
  readonly present: boolean;
  /** The operator that lost it: `filter`, `inner join`, `scan`, … */
  readonly operator?: string;
  /** The predicate to blame, as text. */
  readonly predicate?: string;
  /** Where in the SQL. */
  readonly place?: Place;
  /** How many compatible rows each input of the operator had. */
  readonly compatible?: readonly number[];
  /**
   * Whether compatible rows came as far as the operator. False: there never were any, whatever the
   * conditions. Absent also where it was too much to find out.
   */
  readonly lost?: boolean;
  /**
   * Where the row could have come by several ways (the branches of a UNION): what each lost. The first is
   * told above.
   */
  readonly branches?: readonly WhyNot[];
  readonly text: string;
}

/** With line and column of the places, where the query is SQL. */
export interface PlacedWhyNot extends Omit<WhyNot, 'branches'> {
  readonly line?: number;
  readonly column?: number;
  readonly branches?: readonly PlacedWhyNot[];
}

export interface WhyNotContext {
  readonly count: CountRows;
  readonly parameters: readonly Value[];
  /** What stood in the query where the plan has joins. */
  readonly origins?: Origins;
  readonly subqueryText?: SubqueryText;
}

/**
 * @param plan a decorrelated plan, not yet rewritten, so that operators are the query's own
 */
export function whyNot(plan: LogicalPlan, tuple: WantedTuple, context: WhyNotContext): WhyNot {
  const { count, parameters } = context;
  const demand = demandOf(plan, tuple);
  if (count(restricted(plan, demand, parameters)) > 0)
    return { present: true, text: 'the row is in the answer' };
  const teller = new Teller(columnNames(plan), context);
  const told = blame(plan, demand, count, parameters).map((one) => teller.tell(one));
  const branches = told.filter((one, i) => told.findIndex((other) => other.text === one.text) === i);
  if (branches.length === 1) return branches[0];
  return { ...branches[0], branches, text: branches.map((one) => one.text).join('; ') };
}

class Teller {
  readonly #names: ColumnNames;
  readonly #context: WhyNotContext;

  constructor(names: ColumnNames, context: WhyNotContext) {
    this.#names = names;
    this.#context = context;
  }

  tell(one: Blame): WhyNot {
    const { node, compatible, verdict } = one;
    const predicate = this.#predicateOf(one);
    const shown = predicate && this.#show(predicate);
    const place = this.#placeOf(one, predicate);
    return {
      present: false,
      operator: operatorOf(node),
      ...(shown === undefined ? {} : { predicate: shown }),
      ...(place ? { place } : {}),
      compatible,
      ...(verdict === 'undecided' ? {} : { lost: verdict === 'lost' }),
      text: verdict === 'never there' ? this.#neverThere(one) : this.#lost(one, predicate, shown),
    };
  }

  #show(expression: Expression): string {
    return showExpression(expression, this.#names, this.#context.subqueryText);
  }

  /** As it stood in the query; of several conditions the first that no compatible row meets. */
  #predicateOf({ node, demand, verdict }: Blame): Expression | undefined {
    const { origins, parameters } = this.#context;
    if (verdict === 'never there') return undefined;
    if (node.kind === 'join') return origins?.get(node) ?? node.on;
    if (node.kind !== 'filter') return undefined;
    const all = conjuncts(node.predicate);
    const input = restricted(node.input, demand, parameters);
    const guilty =
      all.length === 1
        ? all[0]
        : all.find((one) => this.#countWhere(input, gives(one, true, parameters)) === 0);
    return guilty ? (origins?.get(guilty) ?? guilty) : node.predicate;
  }

  #countWhere(input: LogicalPlan, predicate: Expression): number {
    return this.#context.count({ kind: 'filter', input, predicate });
  }

  #placeOf({ node, demand }: Blame, predicate: Expression | undefined): Place | undefined {
    if (predicate) {
      const place = firstPlace(predicate);
      if (place) return place;
    }
    if (node.kind === 'aggregate') {
      const read = new Set(demand.flatMap(({ expression }) => [...columnsRead(expression)]));
      const asked = node.aggregates.find((one) => read.has(one.column.id));
      const place = (asked ?? node.aggregates[0])?.place;
      if (place) return place;
    }
    if (node.kind === 'project') {
      const read = new Set(demand.flatMap(({ expression }) => [...columnsRead(expression)]));
      const asked = node.expressions.find((_, i) => read.has(node.columns[i].id));
      const place = asked && firstPlace(asked);
      if (place) return place;
    }
    if ('place' in node && node.place) return node.place;
    for (const expression of expressionsOf(node)) {
      const place = firstPlace(expression);
      if (place) return place;
    }
    return undefined;
  }

  #neverThere({ node, demand, compatible }: Blame): string {
    const values = [...new Set(demand.map((wanted) => this.#value(wanted)))].join(', ');
    const computed = demand.some(({ expression }) => expression.kind !== 'column');
    switch (node.kind) {
      case 'scan': {
        const table = shorten(node.table.name, 40);
        return computed ? `no row of table ${table} gives ${values}` : `table ${table} has no compatible row`;
      }
      case 'values':
        return computed ? `no row of VALUES gives ${values}` : 'VALUES has no compatible row';
      case 'join':
      case 'contains':
        return `no pair of ${rows(compatible[0])} on the left and ${rows(compatible[1])} on the right gives ${values}`;
      case 'project': {
        const own = new Map(node.columns.map((column, i) => [column.id, node.expressions[i]]));
        const constants = demand.flatMap(({ expression }) =>
          [...columnsRead(expression)].flatMap((id) => own.get(id) ?? []),
        );
        return `no row gives ${values}: the select list says ${constants.map((one) => this.#show(one)).join(', ')}`;
      }
      default:
        return `no row gives ${values}`;
    }
  }

  #value({ column, value }: Wanted): string {
    const shown = this.#show(literal(value, column.type));
    return `${shorten(column.name, 40)} ${value === null ? 'IS' : '='} ${shown}`;
  }

  #lost(one: Blame, predicate: Expression | undefined, shown: string | undefined): string {
    const { node, compatible, verdict } = one;
    const [first, second] = compatible;
    const origin = this.#context.origins?.get(node);
    switch (node.kind) {
      case 'filter':
        return `the condition ${shown} drops all of ${rows(first)}${this.#unknown(one, predicate)}`;
      case 'join':
        if (node.type === 'anti') return this.#anti(one, node, shown);
        if (node.type === 'semi')
          return origin
            ? `${shown} holds for none of ${rows(first)}`
            : `none of ${rows(first)} has a match: ${shown ?? 'any row'} (EXISTS or IN)`;
        if (origin) return `${shown} gives none of ${rows(first)} these values`;
        if (verdict === 'undecided')
          return `there are too many pairs of ${rows(first)} on the left and ${rows(second)} on the right to tell whether ${shown ?? 'the join'} or the values lost the row`;
        return `no pair of ${rows(first)} on the left and ${rows(second)} on the right satisfies ${shown ?? 'the join'}`;
      case 'contains':
        return `in no pair of ${rows(first)} on the left and ${rows(second)} on the right does ${this.#show(node.text)} contain ${this.#show(node.needle)}`;
      case 'limit':
        return node.by && node.by.length > 0
          ? `only the first rows of those with equal ${node.by.map((key) => this.#show(key)).join(', ')} are kept: that cuts off ${rows(first)}`
          : `LIMIT or OFFSET cuts off ${rows(first)}`;
      case 'except':
        return `EXCEPT removes ${rows(first)}: the right side has them too`;
      case 'intersect':
        return `INTERSECT finds none of ${rows(first)} on the left among ${rows(second)} on the right`;
      case 'aggregate':
        return node.keys.length > 0
          ? `no group of the ${rows(first)} has these aggregate values`
          : `the aggregate over ${rows(first)} has other values`;
      case 'project':
        return `no expression of the select list gives these values for ${rows(first)}`;
      default:
        return `${operatorOf(node)} loses ${compatible.map(rows).join(' and ')}`;
    }
  }

  /** A NULL makes a condition unknown, which surprises. */
  #unknown({ node, demand, compatible }: Blame, predicate: Expression | undefined): string {
    if (node.kind !== 'filter' || !predicate) return '';
    const { origins, parameters } = this.#context;
    const bound = conjuncts(node.predicate).find((one) => (origins?.get(one) ?? one) === predicate);
    const input = restricted(node.input, demand, parameters);
    const unknown = this.#countWhere(input, gives(bound ?? node.predicate, null, parameters));
    if (unknown === 0) return '';
    const of = unknown === compatible[0] ? '' : ` for ${unknown} of them`;
    return `: a NULL makes it unknown${of}, not true`;
  }

  /** NOT EXISTS, NOT IN and ALL. */
  #anti({ demand, compatible: [all] }: Blame, node: Join, shown: string | undefined): string {
    const origin = this.#context.origins?.get(node);
    const everyOne = origin
      ? `${shown} fails: every one of ${rows(all)} has a match`
      : `every one of ${rows(all)} has a match: ${shown ?? 'any row'} (NOT EXISTS or NOT IN)`;
    if (!node.nullAware) return everyOne;
    const { count, parameters } = this.#context;
    const { nullAware: _, ...plain } = node;
    const left = restricted(node.left, demandBelow(node, 0, demand, parameters) ?? [], parameters);
    const matched = count({ ...plain, type: 'semi', left });
    const isAll = origin?.kind === 'subquery';
    if (matched === all) return isAll ? `${shown} is false for all of ${rows(all)}` : everyOne;
    const counted =
      matched === 0
        ? `${shown} is unknown for all of ${rows(all)}, though nothing ${isAll ? 'makes it false' : 'matches'}`
        : `${shown} is false for ${matched} and unknown for ${all - matched} of ${rows(all)}`;
    return `${counted}: ${this.#nullOf(node, left)}`;
  }

  /** Where the NULL is that an unknown comparison met. */
  #nullOf(node: Join, left: LogicalPlan): string {
    const last = conjuncts(node.on).at(-1);
    const test = last?.kind === 'not' ? last.argument : last;
    const operands = test ? operandsOf(test) : [];
    for (const input of [node.right, left]) {
      const own = new Set(columnsOf(input).map((column) => column.id));
      const operand = operands.find((one) => {
        const read = [...columnsRead(one)];
        return read.length > 0 && read.every((id) => own.has(id));
      });
      const nulls = operand ? this.#countWhere(input, call(isNull, operand)) : 0;
      if (nulls === 0) continue;
      return input === node.right
        ? `the subquery gives a NULL in ${nulls} ${nulls === 1 ? 'row' : 'rows'}, and whether a value equals NULL is unknown`
        : 'the value that is compared is NULL';
    }
    return 'a comparison with NULL is unknown';
  }
}

function rows(n: number): string {
  return `${n} compatible ${n === 1 ? 'row' : 'rows'}`;
}

/** Where the expression stands: its own place, or that of the first part that has one. */
function firstPlace(expression: Expression): Place | undefined {
  if (expression.place) return expression.place;
  for (const operand of operandsOf(expression)) {
    const place = firstPlace(operand);
    if (place) return place;
  }
  return undefined;
}
