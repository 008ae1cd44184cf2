/**
 * EXPLAIN and EXPLAIN ANALYZE: the plan as a tree, the rules that fired, and what was estimated and measured.
 * Estimates are rows; "actual" figures are of one run, own time without inputs.
 */

import type { OperatorStatistics } from '../../engine/execute.js';
import type { LogicalPlan } from '../../engine/plan/plan.js';
import { inputsOf } from '../../engine/plan/traverse-plan.js';
import type { Node } from '../../engine/provenance/circuit.js';
import { shorten } from '../../semiring/message/visible-text.js';
import type { OptimizedPlan } from './optimize/optimize.js';
import { type ColumnNames, columnNames, showExpression } from './show-expression.js';

export interface ExplainedNode {
  readonly operator: string;
  readonly details: string;
  readonly estimatedRows: number;
  /** Present after ANALYZE. */
  readonly actual?: OperatorStatistics;
  /** Set where the same sub-plan stood before: it is run once, and its inputs are shown there. */
  readonly sharedWith?: number;
  /** Numbered where it is shared. */
  readonly number?: number;
  readonly inputs: readonly ExplainedNode[];
}

export interface Explanation {
  /** One row: the product of all that the explained tables hold, which what is shown depends on. */
  readonly dependsOn: Node;
  readonly root: ExplainedNode;
  /** How often each rule fired. */
  readonly rules: ReadonlyMap<string, number>;
  /** Milliseconds; `run` after ANALYZE only. */
  readonly planning: number;
  readonly run?: number;
  /** What `run` is made of. */
  readonly parts?: RunParts;
  readonly text: string;
}

/** Milliseconds of one run, which add up to all of it. */
export interface RunParts {
  /** The operators' own times. */
  readonly operators: number;
  /** The model's answers, with the parts of the plan that say what to ask. */
  readonly answering: number;
  /**
   * Turns of the event loop between operators: other work of the process. In the first query this is mostly
   * the SQL parser's WebAssembly, which goes on being compiled after it has parsed.
   */
  readonly waiting: number;
  /** Keeping what the answer needs, and measuring. */
  readonly rest: number;
}

export interface Analysis {
  readonly statistics: ReadonlyMap<LogicalPlan, OperatorStatistics>;
  /** All of the run. */
  readonly milliseconds: number;
  readonly answering: number;
  readonly waiting: number;
}

function partsOf({ statistics, milliseconds, answering, waiting }: Analysis): RunParts {
  let operators = 0;
  for (const own of statistics.values()) operators += own.milliseconds;
  return { operators, answering, waiting, rest: milliseconds - operators - answering - waiting };
}

export function explain(
  optimized: OptimizedPlan,
  planning: number,
  dependsOn: Node,
  analysis?: Analysis,
): Explanation {
  const names = columnNames(optimized.plan);
  const numbers = numberShared(optimized.plan);
  const shown = new Set<LogicalPlan>();
  const visit = (plan: LogicalPlan): ExplainedNode => {
    const number = numbers.get(plan);
    const repeated = shown.has(plan);
    shown.add(plan);
    const actual = analysis?.statistics.get(plan);
    return {
      operator: operatorOf(plan),
      details: detailsOf(plan, names),
      estimatedRows: Math.round(optimized.estimates.rows(plan)),
      ...(actual ? { actual } : {}),
      ...(number === undefined ? {} : repeated ? { sharedWith: number } : { number }),
      inputs: repeated ? [] : inputsOf(plan).map(visit),
    };
  };
  const root = visit(optimized.plan);
  const partial = {
    root,
    rules: optimized.fired,
    planning,
    ...(analysis ? { run: analysis.milliseconds, parts: partsOf(analysis) } : {}),
  };
  return { dependsOn, ...partial, text: render(partial) };
}

function numberShared(plan: LogicalPlan): ReadonlyMap<LogicalPlan, number> {
  const seen = new Set<LogicalPlan>();
  const numbers = new Map<LogicalPlan, number>();
  const visit = (node: LogicalPlan): void => {
    if (seen.has(node)) {
      if (!numbers.has(node)) numbers.set(node, numbers.size + 1);
      return;
    }
    seen.add(node);
    for (const input of inputsOf(node)) visit(input);
  };
  visit(plan);
  return numbers;
}

export function operatorOf(plan: LogicalPlan): string {
  switch (plan.kind) {
    case 'join':
      return `${plan.type} join`;
    case 'except':
    case 'intersect':
      return plan.all ? `${plan.kind} all` : plan.kind;
    case 'union':
      return 'union all';
    case 'singleRow':
      return 'single row';
    default:
      return plan.kind;
  }
}

/** The node's own part of EXPLAIN. */
export function detailsOf(plan: LogicalPlan, names: ColumnNames): string {
  const show = (expression: Parameters<typeof showExpression>[0]): string =>
    showExpression(expression, names);
  switch (plan.kind) {
    case 'scan':
      return `${shorten(plan.table.name, 40)} (${plan.columns.map((column) => shorten(column.name, 40)).join(', ')})`;
    case 'values':
      return `${plan.rows.length} ${plan.rows.length === 1 ? 'row' : 'rows'}`;
    case 'filter':
      return show(plan.predicate);
    case 'project':
      return plan.expressions
        .map((expression, i) => {
          const text = show(expression);
          const name = shorten(plan.columns[i].name, 40);
          return text === name || text.endsWith(`.${name}`) ? text : `${text} AS ${name}`;
        })
        .join(', ');
    case 'join':
      return `${plan.on ? show(plan.on) : 'every pair'}${plan.nullAware ? ', NULLs count as matches' : ''}${plan.lookup ? ', looked up' : ''}`;
    case 'contains':
      return `${show(plan.text)} contains ${show(plan.needle)}`;
    case 'aggregate': {
      const keys = plan.keys.map((key) => show(key.expression));
      const calls = plan.aggregates.map((call) => {
        const operands = call.arguments.length === 0 ? '*' : call.arguments.map(show).join(', ');
        const filter = call.filter ? ` FILTER (${show(call.filter)})` : '';
        return `${call.function.name}(${call.distinct ? 'DISTINCT ' : ''}${operands})${filter}`;
      });
      return [keys.length > 0 ? `by ${keys.join(', ')}` : 'one group', ...calls].join('; ');
    }
    case 'sort':
      return plan.keys.map((key) => `${show(key.expression)}${key.descending ? ' DESC' : ''}`).join(', ');
    case 'limit':
      return [
        plan.limit && `LIMIT ${show(plan.limit)}`,
        plan.offset && `OFFSET ${show(plan.offset)}`,
        plan.by && `for each ${plan.by.map(show).join(', ')}`,
      ]
        .filter((part) => part)
        .join(' ');
    case 'distinct':
      return plan.bindings ? 'bindings of a correlated subquery' : '';
    default:
      return '';
  }
}

function render({ root, rules, planning, run, parts }: Omit<Explanation, 'text' | 'dependsOn'>): string {
  const lines: string[] = [];
  const visit = (node: ExplainedNode, depth: number): void => {
    const mark = node.number !== undefined ? ` #${node.number}` : '';
    const details = node.sharedWith !== undefined ? `as #${node.sharedWith}` : node.details;
    const measured = node.actual
      ? `, actual ${node.actual.rows} in ${node.actual.milliseconds.toFixed(3)} ms, provenance ${node.actual.provenanceBytes} bytes`
      : '';
    const head = `${'  '.repeat(depth)}${node.operator}${mark}`;
    lines.push(`${head}${details === '' ? '' : ` ${details}`}  (rows ≈ ${node.estimatedRows}${measured})`);
    for (const input of node.inputs) visit(input, depth + 1);
  };
  visit(root, 0);
  const fired = [...rules].map(([name, times]) => (times > 1 ? `${name} ×${times}` : name));
  lines.push(`rules: ${fired.length === 0 ? 'none' : fired.join(', ')}`);
  const ran = run === undefined || !parts ? '' : `, run in ${run.toFixed(3)} ms${showParts(parts)}`;
  lines.push(`planned in ${planning.toFixed(3)} ms${ran}`);
  return lines.join('\n');
}

function showParts({ operators, answering, waiting, rest }: RunParts): string {
  const shown = [
    `operators ${operators.toFixed(3)}`,
    ...(answering >= 0.1 ? [`the model's answers ${answering.toFixed(3)}`] : []),
    `waiting for the event loop ${waiting.toFixed(3)}`,
    `the rest ${rest.toFixed(3)}`,
  ];
  return ` (${shown.join(', ')})`;
}
