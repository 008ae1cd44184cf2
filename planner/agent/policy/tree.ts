/**
 * The text of a policy as a plain tree with places. Of YAML only maps, lists and scalars are let in. No
 * anchors, aliases, merge keys, tags or second documents, so the tree is no larger than the text, and depth
 * is bounded before the (recursive) composer runs.
 */
import type { ParsedNode } from 'yaml';
import { nearest } from '../../../semiring/message/nearest.js';
import { visibleText } from '../../../semiring/message/visible-text.js';
import { quote, type Report } from './diagnostic.js';
import { yaml } from './yaml.js';

/** A value and the offset in the text where it starts. */
export interface Located<T> {
  readonly value: T;
  readonly at: number;
}

export type Tree = ScalarTree | ListTree | MapTree;

export interface ScalarTree {
  readonly kind: 'scalar';
  readonly value: string | number | boolean | null;
  readonly at: number;
  /** The offset of the value's first character: behind the quote, if there is one. */
  readonly textAt: number;
}

export interface ListTree {
  readonly kind: 'list';
  readonly items: readonly Tree[];
  readonly at: number;
}

export interface MapTree {
  readonly kind: 'map';
  readonly entries: readonly MapEntry[];
  readonly at: number;
}

export interface MapEntry {
  readonly key: string;
  readonly at: number;
  /** The offset of the key's first character: behind the quote, if there is one. */
  readonly textAt: number;
  readonly value: Tree;
}

/** Characters of a policy's text. */
export const longestPolicy = 1_000_000;
const deepestNesting = 64;

/** Parses YAML 1.2 (so JSON too). Undefined where there is no tree to go on with; the report says why. */
export function parseTree(text: string, report: Report): Tree | undefined {
  if (text.length > longestPolicy) {
    report.error(0, `a policy of ${text.length} characters`, `at most ${longestPolicy} are read`);
    return undefined;
  }
  const document = compose(text, report);
  if (document === undefined) return undefined;
  return new TreeBuilder(text, report).build(document);
}

function compose(text: string, report: Report): ParsedNode | undefined {
  const parser = new (yaml().Parser)();
  const tokens = [];
  for (const lexeme of new (yaml().Lexer)().lex(text)) {
    tokens.push(...parser.next(lexeme));
    if (parser.stack.length > deepestNesting) {
      report.error(
        Math.min(parser.offset, text.length),
        'nested too deeply',
        `at most ${deepestNesting} levels`,
      );
      return undefined;
    }
  }
  tokens.push(...parser.end());
  const composer = new (yaml().Composer)({ version: '1.2', schema: 'core', merge: false, uniqueKeys: false });
  const [document, second] = [...composer.compose(tokens, true, text.length)];
  for (const error of document?.errors ?? [])
    report.error(error.pos[0], `not YAML: ${visibleText(error.message)}`);
  if (second !== undefined) report.error(second.range[0], 'a second document', 'one policy a file');
  if (report.failed) return undefined;
  if (document?.contents === undefined || document.contents === null) {
    report.error(0, 'the policy is empty', 'at least `user` and `tools` are needed');
    return undefined;
  }
  return document.contents;
}

class TreeBuilder {
  readonly #text: string;
  readonly #report: Report;

  constructor(text: string, report: Report) {
    this.#text = text;
    this.#report = report;
  }

  build(node: ParsedNode | null): Tree {
    const at = node?.range[0] ?? 0;
    if (node === null) return nothing(at);
    if (yaml().isAlias(node)) {
      this.#report.error(at, 'an alias', 'write it out, or declare a type under `types` and name it');
      return nothing(at);
    }
    if (node.anchor !== undefined) {
      this.#report.error(at, `an anchor ${quote(node.anchor)}`, 'declare a type under `types` and name it');
    }
    if (node.tag !== undefined) {
      this.#report.error(at, `a tag ${quote(node.tag)}`, 'a policy has plain maps, lists and words only');
    }
    if (yaml().isMap(node)) return this.#map(node.items as readonly Pair[], at);
    if (yaml().isSeq(node))
      return { kind: 'list', at, items: node.items.map((item) => this.build(item as ParsedNode)) };
    return this.#scalar(node, at);
  }

  #map(items: readonly Pair[], at: number): MapTree {
    const entries: MapEntry[] = [];
    const seen = new Set<string>();
    for (const { key, value } of items) {
      const keyAt = key?.range[0] ?? at;
      const name = yaml().isScalar(key) ? key.value : undefined;
      if (typeof name !== 'string') {
        this.#report.error(keyAt, 'a key that is no text', 'put it in quotes');
        continue;
      }
      if (key !== null && key.anchor !== undefined)
        this.#report.error(keyAt, `an anchor ${quote(key.anchor)}`);
      if (seen.has(name)) {
        this.#report.error(keyAt, `${quote(name)} is there twice`, 'keep one');
        continue;
      }
      seen.add(name);
      const textAt = this.#behindQuote(keyAt);
      entries.push({
        key: name,
        at: keyAt,
        textAt,
        value: value === null ? nothing(keyAt) : this.build(value),
      });
    }
    return { kind: 'map', entries, at };
  }

  #scalar(node: ParsedNode, at: number): ScalarTree {
    const value: unknown = yaml().isScalar(node) ? node.value : null;
    const plain = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
    return { kind: 'scalar', value: plain ? value : null, at, textAt: this.#behindQuote(at) };
  }

  #behindQuote(at: number): number {
    return this.#text[at] === '"' || this.#text[at] === "'" ? at + 1 : at;
  }
}

interface Pair {
  readonly key: ParsedNode | null;
  readonly value: ParsedNode | null;
}

function nothing(at: number): ScalarTree {
  return { kind: 'scalar', value: null, at, textAt: at };
}

/** The entries of a map by key; what is not in `known` is an error with the nearest right name. */
export function entriesOf<K extends string>(
  tree: Tree,
  known: readonly K[],
  what: string,
  report: Report,
): ReadonlyMap<K, MapEntry> {
  const found = new Map<K, MapEntry>();
  for (const entry of anyEntries(tree, what, report)) {
    const key = known.find((name) => name === entry.key);
    if (key !== undefined) found.set(key, entry);
    else report.error(entry.at, `unknown key ${quote(entry.key)} in ${what}`, nearest(entry.key, known));
  }
  return found;
}

/** The entries of a map whose keys are names of the author's own. */
export function anyEntries(tree: Tree, what: string, report: Report): readonly MapEntry[] {
  if (tree.kind === 'map') return tree.entries;
  report.error(tree.at, `${what} must be a map`, 'write `name: …` lines below it');
  return [];
}

/** A text; a number is refused, since `007` would lose its zeros. */
export function textOf(tree: Tree, what: string, report: Report): Located<string> | undefined {
  if (tree.kind === 'scalar' && typeof tree.value === 'string' && tree.value !== '') {
    if (invisible.test(tree.value)) {
      report.warning(tree.at, `${what} holds a character that cannot be seen: ${quote(tree.value)}`);
    }
    return { value: tree.value, at: tree.textAt };
  }
  const hint = tree.kind === 'scalar' && tree.value !== null ? 'put it in quotes' : undefined;
  report.error(tree.at, `${what} must be text`, hint);
  return undefined;
}

/** Names are compared as exact strings: one that looks right and is not would match nothing. */
const invisible = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/u;

/** One text or a list of texts. */
export function textsOf(tree: Tree, what: string, report: Report): Located<string>[] {
  const items = tree.kind === 'list' ? tree.items : [tree];
  return items.flatMap((item) => textOf(item, what, report) ?? []);
}

/** A whole number from 1 to `most`. */
export function countOf(
  tree: Tree,
  what: string,
  report: Report,
  most = Number.MAX_SAFE_INTEGER,
): number | undefined {
  if (tree.kind === 'scalar' && Number.isSafeInteger(tree.value)) {
    const count = Number(tree.value);
    if (count >= 1 && count <= most) return count;
  }
  report.error(tree.at, `${what} must be a whole number from 1 to ${most}`);
  return undefined;
}

export function booleanOf(tree: Tree, what: string, report: Report): Located<boolean> | undefined {
  if (tree.kind === 'scalar') {
    if (tree.value === true || tree.value === 'yes') return { value: true, at: tree.at };
    if (tree.value === false || tree.value === 'no') return { value: false, at: tree.at };
  }
  report.error(tree.at, `${what} must be yes or no`);
  return undefined;
}
