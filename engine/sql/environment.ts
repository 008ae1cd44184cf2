/**
 * What the binding of one expression may use. Recursion goes through `bind` and `bindQuery` here, so the
 * files that bind one kind of node each do not import one another in a circle.
 */
import type { Node, SelectStmt } from 'libpg-query';
import type { Column, Expression } from '../plan/expression.js';
import type { AggregateCall, LogicalPlan } from '../plan/plan.js';
import type { BindContext } from './context.js';
import type { Scope } from './scope.js';

/** A query that is bound: its plan puts out exactly `columns`. */
export interface BoundQuery {
  readonly plan: LogicalPlan;
  readonly columns: readonly Column[];
}

export interface Environment {
  readonly context: BindContext;
  readonly scope: Scope;
  /**
   * Where aggregate calls of this query are collected; a text says where we are and that none may stand here.
   */
  readonly aggregates: AggregateCall[] | string;
  bind(node: Node): Expression;
  bindQuery(select: SelectStmt): BoundQuery;
  /** The same without aggregates; `where` completes "aggregate functions are not allowed in …". */
  withoutAggregates(where: string): Environment;
}
