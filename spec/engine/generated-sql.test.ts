/**
 * The generator reaches the whole supported language: what engine/sql/parse/supported.ts lists as run, every
 * function and aggregate of the library, every type name, and the combinations that need more than one node.
 * What it does not reach is listed here, with the reason. So a construct that is added and not generated
 * fails this test.
 */
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import fc from 'fast-check';
import type { ParseResult } from 'libpg-query';
import * as aggregates from '../../engine/aggregates/index.js';
import { builtinScalars } from '../../engine/sql/index.js';
import { supportedNodes } from '../../engine/sql/parse/supported.js';
import { typeNames } from '../../engine/sql/type-name.js';
import { jsonFunctions, scalarLibrary } from '../../udf/scalar/index.js';
import { type SqlQuery, sqlExpressions, sqlQueries, sqlScripts } from './generated-sql.js';
import '../seed.js';

type Fields = Readonly<Record<string, unknown>>;
type Visit = (kind: string, fields: Fields) => void;

/** Nodes and fields that are run and not generated. */
const notGenerated: ReadonlyMap<string, string> = new Map([
  ['ExplainStmt', 'a plan is not an answer'],
  ['DefElem', 'options of EXPLAIN'],
  ['Boolean', 'an option of EXPLAIN'],
  ['Integer', 'an option of EXPLAIN'],
  ['Float', 'an option of EXPLAIN'],
  ['A_Expr.kind=AEXPR_SIMILAR', 'refused by the binder, with a hint'],
  ['Constraint', 'held to PostgreSQL by tests of their own'],
  ['SetToDefault', 'as constraints'],
]);

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Every node of a syntax tree, wrapped (`{ Kind: fields }`) or not, as check-supported.ts reads it. */
function walk(tree: unknown, visit: Visit): void {
  if (Array.isArray(tree)) for (const item of tree) walk(item, visit);
  else if (isFields(tree))
    for (const [kind, fields] of Object.entries(tree)) if (isFields(fields)) walkFields(kind, fields, visit);
}

function walkFields(kind: string, fields: Fields, visit: Visit): void {
  visit(kind, fields);
  for (const [name, value] of Object.entries(fields)) {
    const field = supportedNodes.get(kind)?.[name];
    if (field === 'tree') walk(value, visit);
    else if (typeof field === 'object' && 'struct' in field && isFields(value))
      walkFields(field.struct, value, visit);
  }
}

/**
 * What of the table of supported syntax must occur: `Kind.field`, and `Kind.field=VALUE` where it lists
 * values.
 */
function* supported(): Iterable<string> {
  for (const [kind, fields] of supportedNodes) {
    if (notGenerated.has(kind)) continue;
    yield kind;
    for (const [name, field] of Object.entries(fields)) {
      if (typeof field === 'string' || 'struct' in field) yield `${kind}.${name}`;
      else for (const value of field.values ?? []) yield `${kind}.${name}=${String(value)}`;
    }
  }
}

const has = (fields: Fields, name: string): boolean => fields[name] !== undefined;
const kindsOf = (list: unknown): string[] =>
  Array.isArray(list) ? list.flatMap((item) => (isFields(item) ? Object.keys(item) : [])) : [];
const isSetOperation = (query: unknown): boolean => isFields(query) && query.op !== 'SETOP_NONE';

/** Combinations that the table does not tell apart. */
const combinations: Readonly<Record<string, (kind: string, fields: Fields) => boolean>> = {
  'HAVING without GROUP BY': (kind, f) =>
    kind === 'SelectStmt' && has(f, 'havingClause') && !has(f, 'groupClause'),
  'GROUP BY an ordinal': (kind, f) => kind === 'SelectStmt' && kindsOf(f.groupClause).includes('A_Const'),
  'GROUP BY an expression': (kind, f) => kind === 'SelectStmt' && kindsOf(f.groupClause).includes('A_Expr'),
  'GROUP BY a column': (kind, f) => kind === 'SelectStmt' && kindsOf(f.groupClause).includes('ColumnRef'),
  'ORDER BY an ordinal': (kind, f) => kind === 'SortBy' && kindsOf([f.node]).includes('A_Const'),
  'ORDER BY an expression': (kind, f) => kind === 'SortBy' && kindsOf([f.node]).includes('A_Expr'),
  'ORDER BY a subquery': (kind, f) => kind === 'SortBy' && kindsOf([f.node]).includes('SubLink'),
  'LIMIT with a parameter': (kind, f) =>
    kind === 'SelectStmt' && kindsOf([f.limitCount]).includes('ParamRef'),
  'OFFSET with a parameter': (kind, f) =>
    kind === 'SelectStmt' && kindsOf([f.limitOffset]).includes('ParamRef'),
  'SELECT DISTINCT': (kind, f) =>
    kind === 'SelectStmt' && Array.isArray(f.distinctClause) && kindsOf(f.distinctClause).length === 0,
  'SELECT DISTINCT ON': (kind, f) => kind === 'SelectStmt' && kindsOf(f.distinctClause).length > 0,
  'SELECT without FROM': (kind, f) =>
    kind === 'SelectStmt' && has(f, 'targetList') && !has(f, 'fromClause') && has(f, 'whereClause'),
  'a comma in FROM': (kind, f) => kind === 'SelectStmt' && kindsOf(f.fromClause).length > 1,
  'VALUES in FROM': (kind, f) =>
    kind === 'RangeSubselect' && JSON.stringify(f.subquery).startsWith('{"SelectStmt":{"valuesLists"'),
  'LATERAL in a join': (kind, f) =>
    kind === 'JoinExpr' && JSON.stringify(f.rarg).startsWith('{"RangeSubselect":{"lateral"'),
  'a set operation of a set operation on the left': (kind, f) =>
    kind === 'SelectStmt' && isSetOperation(f) && isSetOperation(f.larg) && isFields(f.larg),
  'a set operation of a set operation on the right': (kind, f) =>
    kind === 'SelectStmt' && isSetOperation(f) && isSetOperation(f.rarg) && isFields(f.rarg),
  'DISTINCT and FILTER in one aggregate': (kind, f) =>
    kind === 'FuncCall' && has(f, 'agg_distinct') && has(f, 'agg_filter'),
  'DISTINCT and ORDER BY in one aggregate': (kind, f) =>
    kind === 'FuncCall' && has(f, 'agg_distinct') && has(f, 'agg_order'),
  'IN of rows': (kind, f) =>
    kind === 'A_Expr' && f.kind === 'AEXPR_IN' && kindsOf([f.lexpr]).includes('RowExpr'),
  'IN of a subquery of rows': (kind, f) => kind === 'SubLink' && kindsOf([f.testexpr]).includes('RowExpr'),
  'LIKE with an escape': (kind, f) =>
    kind === 'A_Expr' && f.kind === 'AEXPR_LIKE' && JSON.stringify(f.rexpr).includes('"like_escape"'),
  'CASE with a subject': (kind, f) => kind === 'CaseExpr' && has(f, 'arg'),
  'CASE without ELSE': (kind, f) => kind === 'CaseExpr' && !has(f, 'defresult'),
  'INSERT of VALUES': (kind, f) =>
    kind === 'InsertStmt' && JSON.stringify(f.selectStmt).startsWith('{"SelectStmt":{"valuesLists"'),
  'INSERT of a query': (kind, f) =>
    kind === 'InsertStmt' && JSON.stringify(f.selectStmt).startsWith('{"SelectStmt":{"targetList"'),
};

for (const op of ['UNION', 'INTERSECT', 'EXCEPT'])
  for (const all of [true, false])
    Object.assign(combinations, {
      [`${op}${all ? ' ALL' : ''}`]: (kind: string, f: Fields) =>
        kind === 'SelectStmt' && f.op === `SETOP_${op}` && (f.all === true) === all,
    });

/** Values of fields that the table takes as data. */
const enumerations: readonly (readonly [string, readonly string[]])[] = [
  ['JoinExpr.jointype', ['JOIN_INNER', 'JOIN_LEFT', 'JOIN_RIGHT', 'JOIN_FULL']],
  ['BoolExpr.boolop', ['AND_EXPR', 'OR_EXPR', 'NOT_EXPR']],
  ['NullTest.nulltesttype', ['IS_NULL', 'IS_NOT_NULL']],
  [
    'BooleanTest.booltesttype',
    ['IS_TRUE', 'IS_NOT_TRUE', 'IS_FALSE', 'IS_NOT_FALSE', 'IS_UNKNOWN', 'IS_NOT_UNKNOWN'],
  ],
  ['MinMaxExpr.op', ['IS_GREATEST', 'IS_LEAST']],
  ['SortBy.sortby_nulls', ['SORTBY_NULLS_DEFAULT', 'SORTBY_NULLS_FIRST', 'SORTBY_NULLS_LAST']],
];

/** Names of calls, operators and types: the last part of a qualified one. */
function lastName(list: unknown): string {
  const text = Array.isArray(list) ? JSON.stringify(list.at(-1)) : '';
  return /"sval":"([^"]*)"/.exec(text)?.[1] ?? '';
}

/** Whether a query names an alias that it does not define. */
function isCorrelated(query: unknown): boolean {
  const defined = new Set<unknown>();
  const named = new Set<unknown>();
  walk(query, (kind, fields) => {
    if (kind === 'Alias') defined.add(fields.aliasname);
    if (kind === 'ColumnRef')
      named.add(/^\[\{"String":\{"sval":"(q\d+)"\}\},/.exec(JSON.stringify(fields.fields))?.[1]);
  });
  return [...named].some((alias) => alias !== undefined && !defined.has(alias));
}

describe('the generator of SQL', () => {
  const found = new Set<string>();
  let usesTwice = false;

  before(async () => {
    const parser = await import('libpg-query');
    await parser.loadModule();
    const seed = 3;
    const expressions = fc.sample(sqlExpressions(), { numRuns: 4000, seed });
    const queries = fc.sample(sqlQueries(), { numRuns: 4000, seed });
    const scripts = fc.sample(sqlScripts(), { numRuns: 400, seed });
    const texts = [
      ...[...expressions, ...queries].map((query: SqlQuery) => query.text),
      ...scripts.flatMap(({ statements, query }) => [...statements, query].map(({ text }) => text)),
    ];
    for (const text of texts) {
      const parsed: ParseResult = parser.parseSync(text);
      const tables: unknown[] = [];
      walk(
        (parsed.stmts ?? []).map((statement) => statement.stmt),
        (kind, fields) => {
          note(kind, fields);
          if (kind === 'RangeVar' && /^w\d/.test(String(fields.relname))) tables.push(fields.relname);
        },
      );
      usesTwice ||= new Set(tables).size < tables.length;
    }
  });

  function note(kind: string, fields: Fields): void {
    found.add(kind);
    for (const [name, value] of Object.entries(fields)) {
      found.add(`${kind}.${name}`);
      if (typeof value === 'string' || typeof value === 'boolean') found.add(`${kind}.${name}=${value}`);
    }
    if (kind === 'FuncCall') found.add(`call ${lastName(fields.funcname)}`);
    if (kind === 'A_Expr') found.add(`call ${lastName(fields.name)}`);
    if (kind === 'TypeName') found.add(`type ${lastName(fields.names)}`);
    if (kind === 'SubLink') {
      found.add(`${String(fields.subLinkType)} ${lastName(fields.operName)}`);
      if (isCorrelated(fields.subselect)) found.add(`correlated ${String(fields.subLinkType)}`);
    }
    for (const [name, holds] of Object.entries(combinations)) if (holds(kind, fields)) found.add(name);
  }

  const missing = (wanted: Iterable<string>) => [...wanted].filter((name) => !found.has(name));

  it('reaches every node and field that is supported', () => {
    assert.deepEqual(
      missing(supported()).filter((name) => !notGenerated.has(name)),
      [],
    );
    assert.deepEqual(
      missing(enumerations.flatMap(([field, values]) => values.map((value) => `${field}=${value}`))),
      [],
    );
  });

  it('reaches every combination', () => {
    assert.deepEqual(missing(Object.keys(combinations)), []);
    const signs = ['', '=', '<', '>', '<>'];
    const quantified = signs.flatMap((sign) => [`ANY_SUBLINK ${sign}`, `ALL_SUBLINK ${sign || '='}`]);
    assert.deepEqual(missing(quantified), []);
    const forms = ['EXISTS', 'ANY', 'ALL', 'EXPR'].map((form) => `correlated ${form}_SUBLINK`);
    assert.deepEqual(missing(forms), []);
    assert.ok(usesTwice, 'a query of WITH used twice');
  });

  it('reaches every function, aggregate and type', () => {
    const json = new Set(jsonFunctions.map((fn) => fn.name));
    // Forms of the grammar, which are reached as nodes.
    const forms = new Set(['coalesce', 'nullif', 'greatest', 'least', 'in', 'like', 'ilike', 'extract']);
    const scalars = [...builtinScalars, ...scalarLibrary].map((fn) => fn.name);
    const called = scalars.filter((name) => !name.includes(' ') && !forms.has(name) && !json.has(name));
    assert.deepEqual(missing(new Set(called.map((name) => `call ${name}`))), []);
    // The order of an object's keys is no part of its value, but of its text; held to PostgreSQL by
    // aggregates.test.ts.
    const objects = new Set(['json_object_agg', 'jsonb_object_agg']);
    const named = Object.values(aggregates).flatMap((a) =>
      typeof a === 'object' && !objects.has(a.name) ? [`call ${a.name}`] : [],
    );
    assert.deepEqual(missing(new Set(named)), []);
    // Written so, these are other names by the time that the grammar has read them.
    const synonyms = new Set(['boolean', 'integer', 'timestamptz', 'json', 'jsonb']);
    const types = [...typeNames()].filter((name) => !synonyms.has(name));
    assert.deepEqual(missing(types.map((name) => `type ${name}`)), []);
  });
});
