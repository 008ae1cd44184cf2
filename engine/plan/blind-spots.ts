/**
 * Where the provenance of a plan's rows does not tell what a deletion of input rows does to them. A circuit
 * says which of the rows that are there would go; it is blind to rows that would come in (they are not there)
 * and to values that would be others (an inner aggregate's). Each such place is named, with the sub-plans
 * whose rows decide; a deletion that takes none of these rows is read from the circuit, exactly.
 */

import type { Token } from '../provenance/token.js';
import type { Column, ColumnId, Expression } from './expression.js';
import { columnsOf, type LogicalPlan, type Scan } from './plan.js';
import { columnsRead } from './traverse-expression.js';
import { expressionsOf, inputsOf, rewriteBottomUp } from './traverse-plan.js';

export interface BlindSpot {
  /** What is there, in words that follow "below this aggregate is". */
  readonly what: string;
  /** A deletion of rows of these is not told. */
  readonly plans: readonly LogicalPlan[];
  /** Only that of cells is not: an expression of NULL can be true, or another value. */
  readonly cells?: true;
  /** Whether the rows that could come in are there where the query keeps what is only possible. */
  readonly seenIfPossible: boolean;
}

/**
 * @param read expressions over the plan's rows whose values matter
 * @param possible whether the plan was run with `keep: 'possible'`
 */
export function blindSpots(
  plan: LogicalPlan,
  read: readonly Expression[],
  possible: boolean,
): readonly BlindSpot[] {
  const survey = new Survey(plan, { possible });
  survey.decides(read);
  return [...survey.spots];
}

/**
 * The columns whose value in a row that stays can be another one after a deletion: what comes from an
 * aggregate or a subquery, the side of an outer join that may be missing, and cells that are themselves gone.
 */
export function changingColumns(
  plan: LogicalPlan,
  isDeleted: (token: Token) => boolean = () => false,
): ReadonlySet<ColumnId> {
  return new Set(new Survey(plan, { possible: false, isDeleted }).changing.keys());
}

interface SurveyOptions {
  readonly possible: boolean;
  readonly isDeleted?: (token: Token) => boolean;
}

/** What a plan does, from the leaves up. */
class Survey {
  readonly spots = new Set<BlindSpot>();
  /** Columns whose value in a row that stays may change, and where that comes from. */
  readonly changing = new Map<ColumnId, readonly BlindSpot[]>();
  readonly #options: SurveyOptions;

  constructor(plan: LogicalPlan, options: SurveyOptions) {
    this.#options = options;
    rewriteBottomUp(plan, (node) => {
      this.#visit(node);
      return node;
    });
  }

  /** Which rows there are, or what they are worth, depends on these values. */
  decides(expressions: readonly Expression[]): void {
    for (const spot of this.#behind(columnsOfAll(expressions))) this.spots.add(spot);
  }

  #visit(node: LogicalPlan): void {
    switch (node.kind) {
      case 'scan': {
        const { isDeleted } = this.#options;
        if (node.indexes.some((column) => node.table.columns[column].labelled))
          this.spots.add({ ...notTold('a cell that would be NULL', node), cells: true });
        if (isDeleted === undefined) break;
        const gone = (i: number): boolean => hasDeletedCell(node, node.indexes[i], isDeleted);
        this.#change(
          node.columns.filter((_, i) => gone(i)),
          [],
        );
        break;
      }
      case 'filter':
      case 'contains':
        this.decides(expressionsOf(node));
        break;
      case 'join':
        this.decides(expressionsOf(node));
        if (node.type === 'anti') this.#comeIn('NOT EXISTS or NOT IN', node.right);
        if (node.type === 'left' || node.type === 'full') this.#mayBeMissing(node.right);
        if (node.type === 'right' || node.type === 'full') this.#mayBeMissing(node.left);
        break;
      case 'project':
        for (const [i, { id }] of node.columns.entries()) this.#derive(id, columnsRead(node.expressions[i]));
        break;
      case 'union':
        for (const [i, { id }] of node.columns.entries())
          this.#derive(
            id,
            node.inputs.map((input) => columnsOf(input)[i].id),
          );
        break;
      case 'aggregate':
        this.decides(node.keys.map(({ expression }) => expression));
        this.#change(
          node.aggregates.map(({ column }) => column),
          [notTold('another aggregate', node.input)],
        );
        break;
      case 'distinct':
        this.#decidesAll(node.input);
        break;
      case 'except':
      case 'intersect':
        this.#decidesAll(node.left);
        this.#decidesAll(node.right);
        if (node.all) this.spots.add(notTold(`${node.kind.toUpperCase()} ALL`, node.left, node.right));
        else if (node.kind === 'except') this.#comeIn('EXCEPT', node.right);
        break;
      case 'limit':
        if (node.limit !== null || node.offset !== null)
          this.spots.add(notTold('LIMIT or OFFSET', node.input));
        break;
      case 'singleRow': {
        const spot = notTold('a subquery used as a value', node.input);
        this.spots.add(spot);
        this.#change(columnsOf(node), [...this.#behind(idsOf(node)), spot]);
        break;
      }
      case 'values':
      case 'sort':
        break;
    }
  }

  /**
   * Rows come in where rows of the plan go; they are there already where the query keeps what is possible.
   */
  #comeIn(what: string, plan: LogicalPlan): readonly BlindSpot[] {
    if (this.#options.possible) return [];
    const spot = { what, plans: [plan], seenIfPossible: true };
    this.spots.add(spot);
    return [spot];
  }

  /** The side of an outer join. */
  #mayBeMissing(side: LogicalPlan): void {
    const spots = this.#comeIn('an outer join', side);
    if (spots.length > 0) this.#change(columnsOf(side), [...this.#behind(idsOf(side)), ...spots]);
  }

  #decidesAll(plan: LogicalPlan): void {
    for (const spot of this.#behind(idsOf(plan))) this.spots.add(spot);
  }

  #change(columns: readonly Column[], because: readonly BlindSpot[]): void {
    for (const { id } of columns) this.changing.set(id, because);
  }

  /** A column that is made from others changes where one of them does. */
  #derive(id: ColumnId, from: Iterable<ColumnId>): void {
    const ids = [...from];
    if (ids.some((one) => this.changing.has(one))) this.changing.set(id, this.#behind(ids));
  }

  #behind(ids: Iterable<ColumnId>): readonly BlindSpot[] {
    const found = new Set<BlindSpot>();
    for (const id of ids) for (const spot of this.changing.get(id) ?? []) found.add(spot);
    return [...found];
  }
}

function notTold(what: string, ...plans: readonly LogicalPlan[]): BlindSpot {
  return { what, plans, seenIfPossible: false };
}

function idsOf(plan: LogicalPlan): readonly ColumnId[] {
  return columnsOf(plan).map(({ id }) => id);
}

function columnsOfAll(expressions: readonly Expression[]): ReadonlySet<ColumnId> {
  const ids = new Set<ColumnId>();
  for (const expression of expressions) columnsRead(expression, ids);
  return ids;
}

/** The first of the spots that rows or cells decide of which some are not there any more. */
export function struckSpot(
  spots: readonly BlindSpot[],
  isThere: (token: Token) => boolean,
): BlindSpot | undefined {
  return spots.find(({ plans, cells }) => plans.some((plan) => hasDeleted(plan, isThere, cells)));
}

function hasDeleted(plan: LogicalPlan, isThere: (token: Token) => boolean, cells = false): boolean {
  const isDeleted = (token: Token): boolean => !isThere(token);
  const seen = new Set<LogicalPlan>();
  const waiting = [plan];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (seen.has(node)) continue;
    seen.add(node);
    if (node.kind === 'scan') {
      const { table, indexes, rows = table.rowCount } = node;
      if (indexes.some((column) => hasDeletedCell(node, column, isDeleted))) return true;
      for (let row = 0; row < rows && !cells; row++) if (isDeleted(table.rowToken(row))) return true;
    }
    // What is computed for a binding is only ever joined to rows that have it, so it goes where they go.
    else if (node.kind !== 'distinct' || !node.bindings) waiting.push(...inputsOf(node));
  }
  return false;
}

/** Whether a row that is left has lost its cell. */
function hasDeletedCell(
  { table, rows = table.rowCount }: Scan,
  column: number,
  isDeleted: (token: Token) => boolean,
): boolean {
  for (let row = 0; row < rows; row++) {
    const cell = table.cellToken(column, row);
    if (cell === undefined) return false;
    if (isDeleted(cell) && !isDeleted(table.rowToken(row))) return true;
  }
  return false;
}
