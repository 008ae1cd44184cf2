/**
 * Who may import whom. Imports go down this list only: semiring <- engine <- udf <- planner/query <-
 * planner/agent <- bench <- cli, with index.ts above all but bench and cli; and no file imports itself round
 * in a circle. The one exception: types of one folder may refer to each other (a plan holds expressions, and
 * an expression may hold a plan), because a type-only import is gone when the program runs.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = fileURLToPath(new URL('..', import.meta.url));
const folders = ['semiring', 'engine', 'udf', 'planner', 'bench'];

interface Import {
  readonly from: string;
  readonly to: string;
  readonly typeOnly: boolean;
}

/** What each part of the house may import besides itself. */
const below: ReadonlyMap<string, readonly string[]> = new Map([
  ['semiring', []],
  ['engine', ['semiring']],
  ['udf', ['semiring', 'engine']],
  ['planner/query', ['semiring', 'engine', 'udf']],
  ['planner/agent', ['semiring', 'engine', 'udf', 'planner/query']],
  ['planner', ['semiring', 'engine', 'udf', 'planner/query', 'planner/agent']],
  ['index.ts', ['semiring', 'engine', 'udf', 'planner', 'planner/query', 'planner/agent']],
  ['bench', ['semiring', 'engine', 'udf', 'planner', 'planner/query', 'planner/agent', 'index.ts']],
  ['cli.ts', ['semiring', 'engine', 'udf', 'planner', 'planner/query', 'planner/agent', 'bench', 'index.ts']],
]);

function partOf(file: string): string {
  const [first, second] = file.split('/');
  return first === 'planner' && (second === 'query' || second === 'agent') ? `${first}/${second}` : first;
}

function sourceFiles(): string[] {
  const found: string[] = [];
  const walk = (folder: string): void => {
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      const path = `${folder}/${entry.name}`;
      if (entry.isDirectory() && entry.name !== 'node_modules') walk(path);
      else if (entry.isFile() && path.endsWith('.ts')) found.push(path);
    }
  };
  for (const folder of folders) walk(folder);
  for (const entry of readdirSync(root)) if (/^(index|cli)\.ts$/.test(entry)) found.push(entry);
  return found;
}

/** The relative imports and re-exports of a file, dynamic `import()` and `import('x').T` types included. */
function importsIn(file: string, text: string): Import[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.ES2023, true);
  const imports: Import[] = [];
  const add = (specifier: ts.Node, typeOnly: boolean): void => {
    if (!ts.isStringLiteralLike(specifier) || !specifier.text.startsWith('.')) return;
    const to = relative(root, resolve(root, dirname(file), specifier.text))
      .split(sep)
      .join('/');
    imports.push({ from: file, to: to.replace(/\.js$/, '.ts'), typeOnly });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) {
      const named = node.importClause?.namedBindings;
      const eachIsType =
        named !== undefined &&
        ts.isNamedImports(named) &&
        !node.importClause?.name &&
        named.elements.length > 0 &&
        named.elements.every((element) => element.isTypeOnly);
      add(node.moduleSpecifier, node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword || eachIsType);
    } else if (ts.isExportDeclaration(node) && node.moduleSpecifier) {
      const clause = node.exportClause;
      const eachIsType =
        clause !== undefined &&
        ts.isNamedExports(clause) &&
        clause.elements.length > 0 &&
        clause.elements.every((element) => element.isTypeOnly);
      add(node.moduleSpecifier, node.isTypeOnly || eachIsType);
    } else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      add(node.arguments[0], false);
    } else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
      add(node.argument.literal, true);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return imports;
}

/** Imports that go upwards, as `from -> to: reason`. */
function upwards(imports: readonly Import[]): string[] {
  return imports.flatMap(({ from, to }) => {
    const [part, target] = [partOf(from), partOf(to)];
    if (part === target || below.get(part)?.includes(target)) return [];
    return [`${from} -> ${to}: ${part} may import only ${below.get(part)?.join(', ') || 'itself'}`];
  });
}

/** Import circles, each as the chain of files, first file repeated at the end. */
function circles(imports: readonly Import[]): string[] {
  const allowed = (edge: Import) => edge.typeOnly && dirname(edge.from) === dirname(edge.to);
  const next = new Map<string, string[]>();
  for (const edge of imports) {
    if (allowed(edge)) continue;
    next.set(edge.from, [...(next.get(edge.from) ?? []), edge.to]);
  }
  const found: string[] = [];
  const done = new Set<string>();
  const chain: string[] = [];
  const visit = (file: string): void => {
    const at = chain.indexOf(file);
    if (at >= 0) found.push([...chain.slice(at), file].join(' -> '));
    if (at >= 0 || done.has(file)) return;
    chain.push(file);
    for (const to of next.get(file) ?? []) visit(to);
    chain.pop();
    done.add(file);
  };
  for (const file of next.keys()) visit(file);
  return found;
}

describe('imports', () => {
  const imports = sourceFiles().flatMap((file) => importsIn(file, readFileSync(join(root, file), 'utf8')));

  it('go down the list only', () => {
    assert.deepEqual(upwards(imports), []);
  });

  it('never go round in a circle', () => {
    assert.deepEqual(circles(imports), []);
  });

  it('are read from every form that TypeScript has', () => {
    const text = [
      `import { a } from './a.js';`,
      `import type { b } from './b.js';`,
      `import { type c } from './c.js';`,
      `export * from './d.js';`,
      `export type { e } from './e.js';`,
      `const f = await import('./f.js');`,
      `type G = import('./g.js').G;`,
      `import h from 'node:fs';`,
      `import './i.js';`,
    ].join('\n');
    assert.deepEqual(
      importsIn('engine/x.ts', text).map((found) => `${found.to} ${found.typeOnly ? 'type' : 'value'}`),
      ['a value', 'b type', 'c type', 'd value', 'e type', 'f value', 'g type', 'i value'].map((line) =>
        line.replace(/^./, (letter) => `engine/${letter}.ts`),
      ),
    );
  });

  it('that go upwards or round in a circle are found', () => {
    const edge = (from: string, to: string, typeOnly = false): Import => ({ from, to, typeOnly });
    assert.equal(upwards([edge('engine/a.ts', 'udf/b.ts', true)]).length, 1);
    assert.equal(upwards([edge('planner/query/a.ts', 'planner/agent/b.ts')]).length, 1);
    assert.equal(upwards([edge('index.ts', 'bench/b.ts')]).length, 1);
    assert.equal(upwards([edge('planner/agent/a.ts', 'planner/query/b.ts')]).length, 0);
    assert.deepEqual(
      circles([
        edge('engine/a.ts', 'engine/b.ts'),
        edge('engine/b.ts', 'engine/c.ts'),
        edge('engine/c.ts', 'engine/b.ts'),
      ]),
      ['engine/b.ts -> engine/c.ts -> engine/b.ts'],
    );
    assert.deepEqual(
      circles([edge('engine/a.ts', 'engine/b.ts', true), edge('engine/b.ts', 'engine/a.ts')]),
      [],
    );
  });
});
