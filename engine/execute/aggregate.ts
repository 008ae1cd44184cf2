/**
 * Grouping and aggregates. A group is annotated δ(Σ ann · P(keys)); without keys there is one group, annotated 1. The
 * value of an aggregate is a tensor Σ ann ⊗ value, kept as the input's annotation, the group-index vector and the
 * argument (see tensor.ts). For labels an aggregate depends on the whole input: a row of another group might
 * have been of this one.
 */
import { delta, either, productBy, spread } from '../circuit.js';
import { compile } from '../evaluate/compile.js';
import { materialise } from '../evaluate/materialise.js';
import type { Expression } from '../expression.js';
import {
  type Factor,
  type Frame,
  type FrameColumn,
  guard,
  productNode,
  productOverRows,
  select,
  type TensorInputs,
} from '../frame.js';
import type { Aggregate, AggregateCall } from '../plan.js';
import type { Vector } from '../vector.js';
import { aggregateRows, aggregateValues, rowsOf } from './aggregate-values.js';
import { type Context, checkAborted } from './context.js';
import { presentGroups, sumOver } from './distinct.js';
import { groupRows } from './grouping.js';
import { cellsOf, membershipWith, reachOf } from './membership.js';
import { computed } from './project.js';

/** The groups of an aggregation; `group` null: one group of all rows. */
interface Groups {
  readonly group: Int32Array | null;
  readonly count: number;
}

export function aggregate(plan: Aggregate, input: Frame, context: Context): Frame {
  const { keys, aggregates } = plan;
  const { arena, capture } = context;
  checkAborted(context.signal);
  const keyExpressions = keys.map((key) => key.expression);
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
  const values = aggregates.map((call, i) =>
    aggregateColumn(call, vectors[i], groups, keyExpressions, input, guard(whole), context),
  );
  return {
    rows: groups.count,
    columns: [...keyFrame.columns, ...values],
    annotation:
      capture && grouping ? groupAnnotation(input, keyExpressions, grouping.group, groups.count) : [],
    membership: whole,
    present: grouping ? presentGroups(input.present, grouping.group, input.rows, groups.count) : null,
  };
}

function groupAnnotation(
  input: Frame,
  keys: Parameters<typeof cellsOf>[1],
  group: Int32Array,
  groups: number,
): readonly Factor[] {
  return sumOver(input, cellsOf(input, keys), group, groups).map((factor) =>
    factor.constant ? factor : { ...factor, node: either(delta(factor.node), factor.node) },
  );
}

function aggregateColumn(
  call: AggregateCall,
  vector: Vector,
  groups: Groups,
  keys: readonly Expression[],
  input: Frame,
  whole: readonly Factor[],
  context: Context,
): FrameColumn {
  const { column } = call;
  if (!context.capture) return { column, vector, selection: null, provenance: [], reach: [] };
  return {
    column,
    vector,
    selection: null,
    provenance: eachGroup([...whole, ...argumentCells(call, groups, input)], groups.count),
    reach: reachOf(input, readBy(call)),
    tensor: { inputs: () => tensorInputs(call, groups, keys, input, context) },
  };
}

/** A constant factor as one of the cell, so that the NULL of an outer join's missing side has provenance 1. */
function eachGroup(factors: readonly Factor[], groups: number): readonly Factor[] {
  return factors.map(({ constant, node, ...factor }) => ({
    ...factor,
    node: constant ? spread(node, groups) : node,
  }));
}

function readBy(call: AggregateCall): readonly Expression[] {
  return call.filter ? [...call.arguments, call.filter] : call.arguments;
}

/** For labels: the product over the group of the cells that the arguments and the filter read. */
function argumentCells(call: AggregateCall, { group, count }: Groups, input: Frame): readonly Factor[] {
  const cells = cellsOf(input, readBy(call));
  if (cells.length === 0) return [];
  if (group === null) return guard(productOverRows(cells, input.rows));
  return [
    {
      node: productBy(
        productNode(
          cells.map((cell) => ({ ...cell, dependency: false })),
          input.rows,
        ),
        group,
        count,
      ),
      selection: null,
      dependency: true,
    },
  ];
}

function tensorInputs(
  call: AggregateCall,
  { group }: Groups,
  keys: readonly Expression[],
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
    function: call.function.name,
    rows: input.rows,
    annotation: productNode([...input.annotation, ...cellsOf(input, [...keys, ...readBy(call)])], input.rows),
    group,
    arguments: args,
    takesPart,
    aggregate: (chosen) => aggregateRows(call, args, chosen),
  };
}
