/**
 * A policy as it is written, before names are resolved. A file is a base layer and, for each profile, a layer
 * of the same form whose entries replace or refine those of the base (`overlay.ts`).
 */
import type { LeafRule, PolicyRule, ResultLimits } from './policy.js';
import type { Term } from './term.js';
import type { Located } from './tree.js';

export interface PolicySyntax {
  readonly user?: Located<string>;
  readonly aliases: readonly Located<string>[];
  readonly directories: readonly Located<string>[];
  /** Directories of stored objects, by name: of which type the objects are. */
  readonly objects: ReadonlyMap<string, ObjectSyntax>;
  /** The name of what the file says without an overlay. */
  readonly profile?: Located<string>;
  readonly base: Layer;
  readonly profiles: ReadonlyMap<string, Located<Layer>>;
  readonly limits?: Partial<ResultLimits>;
}

export interface Layer {
  readonly groups: ReadonlyMap<string, GroupSyntax>;
  readonly types: ReadonlyMap<string, TypeSyntax>;
  readonly tools: ReadonlyMap<string, ToolSyntax>;
  readonly answer?: ToolSyntax;
}

/** A name that points to another name. */
export interface ObjectSyntax {
  readonly at: number;
  readonly target: Located<string>;
}

export interface GroupSyntax {
  readonly at: number;
  readonly members: readonly Located<string>[];
}

export interface TypeSyntax {
  readonly at: number;
  readonly result: ResultSyntax;
}

/** One tool. What is absent is not said here: the base says it, or the default holds. */
export interface ToolSyntax {
  readonly name: string;
  readonly at: number;
  /** From the signature, `send(to, body)`; absent: not declared. */
  readonly arguments?: readonly Located<string>[];
  readonly rule?: Located<PolicyRule>;
  readonly trustedArguments?: readonly Located<string>[];
  readonly sends?: Located<readonly Term[]>;
  readonly to?: Located<readonly Term[]>;
  readonly links?: Located<'allow' | 'refuse'>;
  /** Arguments that name stored objects whose label joins theirs: argument to directory. */
  readonly objects?: ReadonlyMap<string, ObjectSyntax>;
  readonly consequential?: Located<boolean>;
  readonly egress?: Located<boolean>;
  readonly result?: ResultSyntax;
  /** The label of error texts. */
  readonly errors?: LeafForm;
}

export interface ResultSyntax {
  readonly at: number;
  readonly form?: Form;
  readonly readers?: ReadersSyntax;
  /** For a result that is no record. */
  readonly otherwise?: LeafForm;
}

export type ReadersSyntax =
  | { readonly kind: 'joined'; readonly at: number }
  | { readonly kind: 'terms'; readonly at: number; readonly terms: readonly Term[] };

export type Form = LeafForm | TypeForm | RecordForm;

export interface LeafForm {
  readonly kind: 'leaf';
  readonly at: number;
  readonly leaf: LeafRule;
}

export interface TypeForm {
  readonly kind: 'type';
  readonly at: number;
  readonly name: string;
}

export interface RecordForm {
  readonly kind: 'record';
  readonly at: number;
  /** A record whose fields these replace; then no field may be new. */
  readonly like?: Form;
  readonly fields: readonly FieldSyntax[];
}

export interface FieldSyntax {
  readonly at: number;
  readonly path: readonly string[];
  readonly form: Form;
}
