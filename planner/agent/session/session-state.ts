/**
 * The state of a session: a fold over its events. The one thing to know: `apply` is the only place where
 * state changes; it never looks at a clock, a policy, a directory or a model, so the same events give the
 * same state.
 */
import type { Integrity, Label } from '../../../semiring/label/label.js';
import type { Decision, LabelledArgument } from '../decision/decide.js';
import type { Design } from '../decision/design.js';
import type { LabelSpace } from '../label/label-space.js';
import type { Leaf } from '../label/labelling.js';
import type { PlannedCall, PlannerView } from '../planners/planner.js';
import type { CallNumber, SessionEvent } from './event.js';
import { answerName, safeField, variableName } from './variables.js';

export interface CallRecord {
  readonly call: CallNumber;
  readonly turn: number;
  /** Which of the turn's calls it is, from 0, where that is known. */
  readonly at?: number;
  readonly tool: string;
  readonly arguments: readonly LabelledArgument[];
  /** The variables that each argument uses, by argument name; an argument without any is absent. */
  readonly variables: ReadonlyMap<string, readonly string[]>;
  /** The context's label when the turn began. */
  readonly label: Label;
  readonly decision: Decision;
  verdict?: 'approve' | 'deny';
  outcome: 'decided' | 'dispatched' | 'returned' | 'failed';
  result?: unknown;
  /** The result is one leaf. */
  whole?: boolean;
  error?: string;
}

/** A leaf of a result (or an error text, or a quarantined answer) as the session keeps it. */
export interface Cell {
  /** Its number in the session, which is also its token's offset. */
  readonly index: number;
  /** 0 for a quarantined answer. */
  readonly call: CallNumber;
  readonly row: number;
  readonly field: string;
  readonly value: unknown;
  /** As labelled when it came in; endorsement does not change it. */
  readonly label: Label;
  /** The event's turn in which it became visible to the planner; undefined while it is hidden. */
  shown?: number;
}

export interface Variable {
  readonly name: string;
  readonly value: unknown;
  /** The cell that holds the value. */
  readonly cell: Cell;
  /**
   * The cells that the value was made of: its own for a leaf of a result, those it was read from for an
   * answer.
   */
  readonly roots: readonly Cell[];
  /** The context's integrity when the value was made by a quarantined model; T for a leaf of a result. */
  readonly context: Integrity;
}

export class SessionState {
  readonly space: LabelSpace;
  readonly design: Design;
  session = '';
  turn = -1;
  /** The join of the labels of all that the planner has seen. */
  context: Label;
  /** The context when the current turn began. */
  turnContext: Label;
  readonly prompts: string[] = [];
  readonly calls: CallRecord[] = [];
  readonly cells: Cell[] = [];
  readonly variables = new Map<string, Variable>();
  /** Hidden from the planner as yet, in order of issue. */
  readonly hidden = new Set<string>();
  readonly endorsed = new Set<string>();
  /**
   * For each call, the variable of each of its leaves in order; undefined for a leaf that was never hidden.
   */
  readonly #names = new Map<CallNumber, (string | undefined)[]>();
  readonly #turns: {
    prompts: number;
    calls: readonly PlannedCall[];
    text: string;
    observations: string[];
  }[] = [];
  readonly #endorsedCells = new Set<Cell>();
  readonly #untrustedSince = new Map<CallNumber, number>();
  readonly plans: string[] = [];
  answer?: string;
  /** The answer is that the planner will not do the task. */
  refused = false;
  /** How often a human was asked, about a call or about an endorsement: v of the trace. */
  interventions = 0;
  #answers = 0;

  constructor(space: LabelSpace, design: Design) {
    this.space = space;
    this.design = design;
    this.context = space.bottom;
    this.turnContext = space.bottom;
  }

  /** All that the planner has seen. */
  get view(): PlannerView {
    return { prompts: this.prompts, turns: this.#turns };
  }

  /** The record of a call. */
  call(number: CallNumber): CallRecord | undefined {
    return this.calls[number - 1];
  }

  /**
   * Minimal sets of variables whose endorsement makes a variable trusted: its own name, or the variables that
   * hold its untrusted roots. `[[]]` for one that is trusted.
   */
  witnessesOf(variable: Variable): readonly (readonly string[])[] {
    if (this.labelOf(variable).integrity === 'T') return [[]];
    const own = [variable.name];
    if (variable.context === 'U' || (variable.roots.length === 1 && variable.roots[0] === variable.cell))
      return [own];
    const roots = new Set(variable.roots.filter((cell) => !this.isCertified(cell)));
    const names = [...this.variables.values()]
      .filter((each) => roots.has(each.cell))
      .map((each) => each.name);
    return names.length === roots.size ? [own, names] : [own];
  }

  /** The record of the current turn's call number `at`, from 0. */
  callAt(at: number): CallRecord | undefined {
    return this.calls.findLast((record) => record.turn === this.turn && record.at === at);
  }

  /** The variables of a call's leaves, in order; undefined for a leaf that was never hidden. */
  namesOf(call: CallNumber): readonly (string | undefined)[] {
    return this.#names.get(call) ?? [];
  }

  /** The name that the next quarantined answer will get. */
  get nextAnswer(): string {
    return answerName(this.#answers + 1);
  }

  /** A variable's label now: an endorsed one is trusted; its readers never change. */
  labelOf(variable: Variable): Label {
    const { label } = variable.cell;
    return label.integrity === 'U' && this.#isTrusted(variable) ? this.space.trusted(label.readers) : label;
  }

  apply(event: SessionEvent): void {
    switch (event.kind) {
      case 'started':
        this.session = event.session;
        break;
      case 'prompted':
        this.prompts.push(event.text);
        this.answer = undefined;
        break;
      case 'turned':
        this.turn = event.turn;
        this.turnContext = this.context;
        if (event.calls) {
          const { calls, text = '' } = event;
          this.#turns.push({ prompts: this.prompts.length, calls, text, observations: [] });
        }
        break;
      case 'observed':
        this.#observe(event.at, event.text);
        break;
      case 'decided':
        this.calls.push({
          call: event.call,
          turn: this.turn,
          ...(event.at !== undefined && { at: event.at }),
          tool: event.tool,
          arguments: event.arguments,
          variables: event.variables,
          label: event.label,
          decision: event.decision,
          outcome: 'decided',
        });
        break;
      case 'reviewed':
        this.interventions += 1;
        this.#update(event.call, { verdict: event.verdict });
        break;
      case 'dispatched':
        this.#update(event.call, { outcome: 'dispatched' });
        break;
      case 'returned':
        this.#update(event.call, {
          outcome: 'returned',
          result: event.value,
          whole: event.leaves.length === 1 && event.leaves[0].row === -1 && event.leaves[0].field === '',
        });
        this.#names.set(
          event.call,
          event.leaves.map((leaf, index) => this.#ingest(event.call, leaf, index)),
        );
        break;
      case 'failed':
        this.#update(event.call, { outcome: 'failed', error: event.text });
        this.#names.set(event.call, [
          this.#ingest(event.call, { row: -1, field: '', value: event.text, label: event.label }, 0),
        ]);
        break;
      case 'expanded':
        for (const name of event.variables) this.#reveal(name);
        break;
      case 'endorsed':
        this.interventions += 1;
        for (const name of event.variables) this.#endorse(name);
        break;
      case 'refused':
        this.interventions += 1;
        break;
      case 'extracted':
        this.#extract(event.name, event.value, event.variables);
        break;
      case 'planned':
        this.plans.push(event.text);
        break;
      case 'answered':
        this.answer = event.text;
        this.refused = event.refused === true;
        break;
    }
  }

  #observe(at: number, text: string): void {
    const turn = this.#turns.at(-1);
    if (turn) turn.observations[at] = text;
  }

  #update(
    call: CallNumber,
    change: Partial<Pick<CallRecord, 'verdict' | 'outcome' | 'result' | 'whole' | 'error'>>,
  ): void {
    const record = this.call(call);
    if (record) Object.assign(record, change);
  }

  /**
   * A leaf above the context, as the design hides, becomes a variable; any other joins the context.
   * @returns the variable's name
   */
  #ingest(call: CallNumber, leaf: Leaf, index: number): string | undefined {
    const cell: Cell = {
      index: this.cells.length,
      call,
      row: leaf.row,
      field: leaf.field,
      value: leaf.value,
      label: leaf.label,
    };
    this.cells.push(cell);
    if (this.#hides(leaf.label)) {
      const name = this.#newName(call, leaf, index);
      this.variables.set(name, { name, value: leaf.value, cell, roots: [cell], context: 'T' });
      this.hidden.add(name);
      return name;
    }
    this.#show(cell, leaf.label);
    return undefined;
  }

  /** Paths may coincide (`a.b` as one field, and `b` in `a`); a name stands for one leaf only. */
  #newName(call: CallNumber, { row, field }: Leaf, index: number): string {
    let name = variableName(call, { row, field: safeField(field, index) });
    for (let n = index; this.variables.has(name); n++) name = variableName(call, { row, field: `leaf-${n}` });
    return name;
  }

  #hides(label: Label): boolean {
    switch (this.design.hides) {
      case 'nothing':
        return false;
      case 'integrity':
        return label.integrity === 'U' && this.context.integrity === 'T';
      case 'label':
        return this.space.join(label, this.context) !== this.context;
    }
  }

  #show(cell: Cell, label: Label): void {
    cell.shown = this.turn;
    if (label.integrity === 'U' && !this.#untrustedSince.has(cell.call))
      this.#untrustedSince.set(cell.call, this.turn);
    this.context = this.space.join(this.context, label);
  }

  #reveal(name: string): void {
    const variable = this.variables.get(name);
    if (!variable || !this.hidden.delete(name)) return;
    this.#show(variable.cell, this.labelOf(variable));
  }

  #extract(name: string, value: unknown, from: readonly string[]): void {
    const sources = from.flatMap((source) => this.variables.get(source) ?? []);
    const roots = [...new Set(sources.flatMap((source) => source.roots))];
    const label = this.space.joinAll([this.context, ...sources.map((source) => this.labelOf(source))]);
    const cell: Cell = { index: this.cells.length, call: 0, row: -1, field: name, value, label };
    this.cells.push(cell);
    this.#answers += 1;
    this.variables.set(name, { name, value, cell, roots, context: this.context.integrity });
    this.hidden.add(name);
  }

  #endorse(name: string): void {
    this.endorsed.add(name);
    const variable = this.variables.get(name);
    if (variable) this.#endorsedCells.add(variable.cell);
  }

  /** Certified itself, or made in a trusted context of nothing but trusted and certified cells. */
  #isTrusted(variable: Variable): boolean {
    if (this.#endorsedCells.has(variable.cell)) return true;
    return variable.context === 'T' && variable.roots.every((cell) => this.isCertified(cell));
  }

  /**
   * The calls of which the planner had seen something untrusted before a turn. What is endorsed after is
   * still among it.
   */
  untrustedBefore(turn: number): CallNumber[] {
    return [...this.#untrustedSince].flatMap(([call, since]) => (since < turn ? [call] : []));
  }

  /** Trusted as it came in, or endorsed since. */
  isCertified(cell: Cell): boolean {
    return cell.label.integrity === 'T' || this.#endorsedCells.has(cell);
  }
}
