/**
 * A session as a database: its calls, their arguments, all cells of all results, what the planner has seen,
 * and one table for each result. The tables are brought up to date when they are asked for, by appending what
 * is new, so a session pays nothing for relations that nobody queries.
 *
 * | table | columns |
 * |---|---|
 * | `calls` | call, turn, tool, decision, integrity, readers |
 * | `arguments` | call, name, value, integrity, readers |
 * | `cells` | cell, call, tool, row, field, value, integrity, readers |
 * | `seen` | cell, call, tool, row, field, value, integrity, readers, turn, and the label of its call |
 * | `TOOL_n` | the result of call n, a row for each item; every column labelled by cell |
 *
 * A cell has one token wherever it occurs, named like `read_file#2.body`.
 */
import { BufferPool } from '../../../engine/memory/pool.js';
import { type Token, Tokens } from '../../../engine/provenance/token.js';
import { Table, type TableColumn } from '../../../engine/table/table.js';
import type { Type } from '../../../engine/value/value.js';
import type { Label } from '../../../semiring/label/label.js';
import { showReaders } from '../../../semiring/label/label.js';
import type { CallRecord, Cell, SessionState } from './session-state.js';
import { textOf } from './variables.js';

const label: readonly [string, Type][] = [
  ['integrity', 'text'],
  ['readers', 'text'],
];

export class SessionRelations {
  readonly #state: SessionState;
  readonly tokens = new Tokens();
  /** Buffers for queries on these tables: a session is asked often, and fresh memory is dear. */
  readonly pool = new BufferPool();
  readonly #calls: Table;
  readonly #arguments: Table;
  readonly #cells: Table;
  readonly #seen: Table;
  readonly #results = new Map<number, Table>();
  /** The token of cell i. */
  readonly #cellTokens: Token[] = [];
  readonly #cellOf = new Map<Token, Cell>();
  /** Cells hidden when last looked at. */
  #hidden: Cell[] = [];
  #knownCalls = 0;

  constructor(state: SessionState) {
    this.#state = state;
    const { tokens } = this;
    const whole: Type = 'integer';
    const text: Type = 'text';
    this.#calls = table(tokens, 'calls', [
      ['call', whole],
      ['turn', whole],
      ['tool', text],
      ['decision', text],
      ['integrity', text],
      ['readers', text],
    ]);
    this.#arguments = table(tokens, 'arguments', [
      ['call', whole],
      ['name', text],
      ['value', text],
      ...label,
    ]);
    const cell: readonly [string, Type][] = [
      ['cell', whole],
      ['call', whole],
      ['tool', text],
      ['row', whole],
      ['field', text],
      ['value', text],
      ...label,
    ];
    this.#cells = table(tokens, 'cells', cell);
    this.#seen = table(tokens, 'seen', [
      ...cell,
      ['turn', whole],
      ['call_integrity', text],
      ['call_readers', text],
    ]);
  }

  get calls(): Table {
    this.#update();
    return this.#calls;
  }

  get arguments(): Table {
    this.#update();
    return this.#arguments;
  }

  get cells(): Table {
    this.#update();
    return this.#cells;
  }

  /** Cells that the planner has seen, with the turn in which it saw them. */
  get seen(): Table {
    this.#update();
    return this.#seen;
  }

  /** All tables by name, one for each result among them. */
  tables(): ReadonlyMap<string, Table> {
    this.#update();
    const tables = [this.#calls, this.#arguments, this.#cells, this.#seen];
    const results = this.#state.calls.flatMap((record) => {
      const result = this.result(record.call);
      return result ? [result] : [];
    });
    return new Map([...tables, ...results].map((each) => [each.name, each]));
  }

  /** The table of a call's result; undefined while there is none. */
  result(call: number): Table | undefined {
    this.#update();
    const known = this.#results.get(call);
    if (known) return known;
    const record = this.#state.call(call);
    if (!record || (record.outcome !== 'returned' && record.outcome !== 'failed')) return undefined;
    const made = this.#resultTable(record);
    this.#results.set(call, made);
    return made;
  }

  /** The cell that a token stands for. */
  cellOf(token: Token): Cell | undefined {
    return this.#cellOf.get(token);
  }

  /** The label of a cell's token: the valuation under which a security semiring reads the session. */
  readonly labelOf = (token: Token): Label => this.#cellOf.get(token)?.label ?? this.#state.space.bottom;

  #update(): void {
    const { calls, cells } = this.#state;
    for (; this.#knownCalls < calls.length; this.#knownCalls++) this.#addCall(calls[this.#knownCalls]);
    const fresh = cells.slice(this.#cellTokens.length);
    for (const cell of fresh) this.#addCell(cell);
    const pending = [...this.#hidden, ...fresh];
    this.#hidden = [];
    for (const cell of pending) this.#see(cell);
  }

  #addCall(record: CallRecord): void {
    const { call, turn, tool, decision } = record;
    this.#calls.append([[call, turn, tool, decision.verdict, ...labelColumns(record.label)]]);
    const rows = record.arguments.map(({ name, value, label: own }) => [
      call,
      name,
      textOf(value),
      ...labelColumns(own),
    ]);
    if (rows.length > 0) this.#arguments.append(rows);
  }

  #addCell(cell: Cell): void {
    const token = this.tokens.issue(1, () => this.nameOf(cell));
    this.#cellTokens.push(token);
    this.#cellOf.set(token, cell);
    this.#cells.append([this.#columns(cell)], { rowTokens: [token] });
  }

  #see(cell: Cell): void {
    if (cell.shown === undefined) {
      this.#hidden.push(cell);
      return;
    }
    const own = this.#state.call(cell.call)?.label ?? this.#state.space.bottom;
    const row = [...this.#columns(cell), cell.shown, ...labelColumns(own)];
    this.#seen.append([row], { rowTokens: [this.#cellTokens[cell.index]] });
  }

  #columns(cell: Cell): unknown[] {
    const tool = this.#state.call(cell.call)?.tool ?? '';
    const { row, field, value } = cell;
    return [
      cell.index,
      cell.call,
      tool,
      row < 0 ? null : row,
      field,
      textOf(value),
      ...labelColumns(cell.label),
    ];
  }

  /** `read_file#2.body`, `search#3[1].title`; a quarantined answer has its variable's name. */
  nameOf(cell: Cell): string {
    const record = this.#state.call(cell.call);
    if (!record) return cell.field;
    const row = cell.row < 0 ? '' : `[${cell.row}]`;
    return `${record.tool}#${cell.call}${row}${cell.field === '' ? '' : `.${cell.field}`}`;
  }

  /** A row for each item, a column for each field that any item has, every cell with its own token. */
  #resultTable(record: CallRecord): Table {
    const items = new Map<number, Map<string, Cell>>();
    const fields = new Set<string>();
    for (const cell of this.#state.cells) {
      if (cell.call !== record.call) continue;
      fields.add(cell.field);
      const item = items.get(cell.row);
      if (item) item.set(cell.field, cell);
      else items.set(cell.row, new Map([[cell.field, cell]]));
    }
    const names = new Map([...fields].map((field) => [field, field === '' ? 'value' : `${field}`]));
    const labelled = [...names.values()];
    const rows = [...items].map(([row, own]) => [
      row < 0 ? null : row,
      ...[...fields].map((field) => plainValue(own.get(field)?.value)),
    ]);
    const tokenOf = (cell: Cell | undefined) =>
      cell ? this.#cellTokens[cell.index] : this.tokens.issue(1, () => `${record.tool}#${record.call}`);
    return Table.fromRows(this.tokens, `${record.tool}_${record.call}`, rows, {
      columns: ['#', ...labelled],
      types: new Map<string, Type>([
        ['#', 'integer'],
        ...labelled.map((name): [string, Type] => [name, 'text']),
      ]),
      labelled,
      cellTokens: new Map(
        [...names].map(([field, name]) => [name, [...items.values()].map((own) => tokenOf(own.get(field)))]),
      ),
    });
  }
}

function table(tokens: Tokens, name: string, columns: readonly (readonly [string, Type])[]): Table {
  const described = columns.map(([column, type]): TableColumn => ({ name: column, type, labelled: false }));
  return new Table(tokens, name, described);
}

function labelColumns(of: Label): [string, string] {
  return [of.integrity, showReaders(of.readers)];
}

function plainValue(value: unknown): string | null {
  return value === undefined || value === null ? null : textOf(value);
}
