/**
 * Grouping and aggregates. A group is annotated δ(Σ ann · P(keys)); without keys there is one group,
 * annotated 1. The value of an aggregate is a tensor Σ ann ⊗ value, kept as the input's annotation, the
 * group-index vector and the argument (see tensor.ts). For labels an aggregate depends on the whole input: a
 * row of another group might have been of this one.
 */

import { compile } from '../../evaluate/compile.js';
import { materialise } from '../../evaluate/materialise.js';
import {
  type Factor,
  type Frame,
  type FrameColumn,
  guard,
  productNode,
  provenanceOf,
  select,
  type TensorInputs,
} from '../../frame/frame.js';
import type { Index } from '../../memory/packed-index.js';
import { blindSpots } from '../../plan/blind-spots.js';
import type { ColumnId, Expression } from '../../plan/expression.js';
import type { Aggregate, AggregateCall } from '../../plan/plan.js';
import { columnsRead } from '../../plan/traverse-expression.js';
import { delta, either, type Node, spread } from '../../provenance/circuit.js';
import type { Vector } from '../../value/vector.js';
import { type Context, checkAborted } from '../context.js';
import { cellsOf, membershipWith, reachOf } from '../membership.js';
import { computed } from '../project.js';
import { aggregateRows, aggregateValues, rowsOf } from './aggregate-values.js';
import { Collapsed } from './collapse.js';
import { presentGroups } from './distinct.js';
import { groupRows } from './grouping.js';

/** The groups of an aggregation; `group` null: one group of all rows. */
interface Groups {
  readonly group: Int32Array | null;
  readonly count: number;
}

export function aggregate(plan: Aggregate, input: Frame, context: Context): Frame {
  const { keys, aggregates } = plan;
  const { arena, capture } = context;
  checkAborted(context.signal);
  const keyExpressions = keysOf(plan);
  const keyColumns = keys.map((key) => computed(key.column, key.expression, input, context));
  const grouping = keys.length === 0 ? null : groupRows(keyColumns, input.rows, arena);
  const groups: Groups = grouping ?? { group: null, count: 1 };
  const whole = capture ? membershipWith(input, keyExpressions) : [];
  const bare = keyColumns.map((column) => ({ ...column, provenance: [], reach: [], tensor: undefined }));
  const keyFrame = select(
    { ...input, columns: bare, annotation: [], present: null },
    arena,
    grouping?.first ?? new Int32Array(1),
    groups.count,
  );
  const vectors = aggregateValues(aggregates, groups.group, groups.count, input, context);
  const collapsed = capture
    ? new Collapsed(input, cellsOf(input, keyExpressions), groups.group, arena)
    : undefined;
  const values = aggregates.map((call, i) =>
    collapsed
      ? tensorColumn(call, vectors[i], { plan, input, collapsed, groups: groups.count, whole, context })
      : { column: call.column, vector: vectors[i], selection: null, provenance: [], reach: [] },
  );
  return {
    rows: groups.count,
    columns: [...keyFrame.columns, ...values],
    annotation: collapsed && grouping ? groupAnnotation(collapsed, groups.count) : [],
    membership: whole,
    present: grouping ? presentGroups(input.present, grouping.group, input.rows, groups.count) : null,
  };
}

function groupAnnotation(collapsed: Collapsed, groups: number): readonly Factor[] {
  return collapsed
    .sum(groups)
    .map((factor) =>
      factor.constant ? factor : { ...factor, node: either(delta(factor.node), factor.node) },
    );
}

/** What the columns of one aggregation have in common. */
interface Aggregation {
  readonly plan: Aggregate;
  readonly input: Frame;
  readonly collapsed: Collapsed;
  readonly groups: number;
  /** What the set of input rows depends on. */
  readonly whole: readonly Node[];
  readonly context: Context;
}

function tensorColumn(call: AggregateCall, vector: Vector, aggregation: Aggregation): FrameColumn {
  const { plan, groups, input, collapsed, whole, context } = aggregation;
  const read = readBy(call);
  const provenance = [...guard(whole), ...collapsed.product(cellsOf(input, read), groups)];
  const ids = columnsOfAll(read);
  const kept: Frame = {
    ...input,
    columns: input.columns
      .filter(({ column }) => ids.has(column.id))
      .map((column) => ({ ...collapsed.column(column), provenance: [], reach: [], tensor: undefined })),
    annotation: [...collapsed.annotation, ...collapsed.factors(cellsBeside(read, keysOf(plan), input))],
    membership: [],
  };
  return {
    column: call.column,
    vector,
    selection: null,
    provenance: eachGroup(provenance, groups),
    reach: reachOf(input, read),
    tensor: {
      input: kept,
      group: collapsed.group,
      inputs: () => tensorInputs(call, plan, collapsed.group, kept, context),
    },
  };
}

function columnsOfAll(expressions: readonly Expression[]): ReadonlySet<ColumnId> {
  const ids = new Set<ColumnId>();
  for (const expression of expressions) columnsRead(expression, ids);
  return ids;
}

function keysOf({ keys }: Aggregate): readonly Expression[] {
  return keys.map((key) => key.expression);
}

/** The cells that an aggregate reads and the keys do not, row by row. */
function cellsBeside(
  read: readonly Expression[],
  keys: readonly Expression[],
  input: Frame,
): readonly Factor[] {
  const counted = columnsOfAll(keys);
  return provenanceOf(
    input,
    [...columnsOfAll(read)].filter((id) => !counted.has(id)),
  );
}

/**
 * A constant factor as one of the cell, so that the NULL of an outer join's missing side has provenance 1.
 */
function eachGroup(factors: readonly Factor[], groups: number): readonly Factor[] {
  return factors.map(({ constant, node, ...factor }) => ({
    ...factor,
    node: constant ? spread(node, groups) : node,
  }));
}

function readBy(call: AggregateCall): readonly Expression[] {
  return call.filter ? [...call.arguments, call.filter] : call.arguments;
}

function tensorInputs(
  call: AggregateCall,
  plan: Aggregate,
  group: Index | null,
  input: Frame,
  context: Context,
): TensorInputs {
  const rows = rowsOf(call, input, context, false);
  const args: Vector[] = call.arguments.map((argument) =>
    materialise(compile(argument, input, context.parameters), null, input.rows, context.arena),
  );
  const takesPart = rows === null ? null : new Uint8Array(input.rows);
  if (rows !== null && takesPart !== null) for (let i = 0; i < rows.count; i++) takesPart[rows.index[i]] = 1;
  return {
    function: call.distinct ? `${call.function.name} distinct` : call.function.name,
    rows: input.rows,
    annotation: productNode(input.annotation, input.rows),
    group,
    arguments: args,
    takesNull: call.function.takesNull === true,
    blindSpots: () => blindSpots(plan.input, [...keysOf(plan), ...readBy(call)], context.possible),
    takesPart,
    aggregate: (chosen) => aggregateRows(call, args, chosen),
  };
}
