/**
 * What of PostgreSQL's grammar runs, and what is refused. The one thing to know: this table is the whole
 * answer. A node or a field that is not in it is refused too, so nothing that carries meaning is ever
 * ignored.
 *
 * A field is one of
 * - `data`: a plain value, understood;
 * - `tree`: a node or a list of nodes, checked by their own entries;
 * - `struct(name)`: an unwrapped node of that kind;
 * - `only(name, …values)`: one of these values; anything else is refused as `name`;
 * - `always(name, value)`: this value; since the parser leaves out members that are false, absence is refused
 *   too;
 * - a text: the name under which its presence is refused.
 */
export type Field =
  | 'data'
  | 'tree'
  | { readonly struct: string }
  | { readonly refusedAs: string; readonly values?: readonly unknown[]; readonly required?: boolean };

const refused = (refusedAs: string): Field => ({ refusedAs });
const struct = (name: string): Field => ({ struct: name });
const only = (refusedAs: string, ...values: readonly unknown[]): Field => ({ refusedAs, values });

const always = (refusedAs: string, value: unknown): Field => ({ refusedAs, values: [value], required: true });

/** Node kind → its fields. `location` is understood everywhere. */
export const supportedNodes: ReadonlyMap<string, Readonly<Record<string, Field>>> = new Map<
  string,
  Record<string, Field>
>([
  // Statements.
  [
    'SelectStmt',
    {
      distinctClause: 'tree',
      intoClause: refused('SELECT INTO (write CREATE TABLE … AS)'),
      targetList: 'tree',
      fromClause: 'tree',
      whereClause: 'tree',
      groupClause: 'tree',
      groupDistinct: refused('GROUP BY DISTINCT'),
      havingClause: 'tree',
      windowClause: refused('WINDOW'),
      valuesLists: 'tree',
      sortClause: 'tree',
      limitOffset: 'tree',
      limitCount: 'tree',
      limitOption: only('FETCH … WITH TIES', 'LIMIT_OPTION_DEFAULT', 'LIMIT_OPTION_COUNT'),
      lockingClause: refused('FOR UPDATE/SHARE'),
      withClause: struct('WithClause'),
      op: 'data',
      all: 'data',
      larg: struct('SelectStmt'),
      rarg: struct('SelectStmt'),
    },
  ],
  [
    'InsertStmt',
    {
      relation: struct('RangeVar'),
      cols: 'tree',
      selectStmt: 'tree',
      onConflictClause: refused('ON CONFLICT'),
      returningClause: refused('RETURNING'),
      withClause: struct('WithClause'),
      override: only('OVERRIDING', 'OVERRIDING_NOT_SET'),
    },
  ],
  [
    'CreateStmt',
    {
      relation: struct('RangeVar'),
      tableElts: 'tree',
      inhRelations: refused('INHERITS'),
      partbound: refused('PARTITION OF'),
      partspec: refused('PARTITION BY'),
      ofTypename: refused('CREATE TABLE OF'),
      constraints: refused('table constraint'),
      options: refused('WITH (storage options)'),
      oncommit: only('ON COMMIT', 'ONCOMMIT_NOOP'),
      tablespacename: refused('TABLESPACE'),
      accessMethod: refused('USING (access method)'),
      if_not_exists: 'data',
    },
  ],
  [
    'CreateTableAsStmt',
    {
      query: 'tree',
      into: struct('IntoClause'),
      objtype: only('CREATE MATERIALIZED VIEW', 'OBJECT_TABLE'),
      is_select_into: refused('SELECT INTO (write CREATE TABLE … AS)'),
      if_not_exists: 'data',
    },
  ],
  [
    'IntoClause',
    {
      rel: struct('RangeVar'),
      colNames: 'tree',
      accessMethod: refused('USING (access method)'),
      options: refused('WITH (storage options)'),
      onCommit: only('ON COMMIT', 'ONCOMMIT_NOOP'),
      tableSpaceName: refused('TABLESPACE'),
      skipData: refused('WITH NO DATA'),
    },
  ],
  [
    'DropStmt',
    {
      objects: 'tree',
      removeType: only('DROP of anything but a table', 'OBJECT_TABLE'),
      behavior: only('DROP … CASCADE', 'DROP_RESTRICT'),
      missing_ok: 'data',
      concurrent: refused('CONCURRENTLY'),
    },
  ],
  ['ExplainStmt', { query: 'tree', options: 'tree' }],
  ['DefElem', { defname: 'data', arg: 'tree', defaction: 'data', defnamespace: refused('qualified option') }],
  [
    'ColumnDef',
    {
      colname: 'data',
      typeName: struct('TypeName'),
      is_local: 'data',
      constraints: 'tree',
      compression: refused('COMPRESSION'),
      storage_name: refused('STORAGE'),
      collClause: refused('COLLATE'),
      fdwoptions: refused('OPTIONS'),
    },
  ],
  [
    'Constraint',
    {
      contype: 'data',
      generated_when: refused('GENERATED'),
      exclusions: refused('EXCLUDE'),
      conname: 'data',
      is_enforced: 'data',
      initially_valid: 'data',
      skip_validation: 'data',
      deferrable: refused('DEFERRABLE'),
      initdeferred: refused('INITIALLY DEFERRED'),
      is_no_inherit: refused('NO INHERIT'),
      raw_expr: 'tree',
      nulls_not_distinct: 'data',
      keys: 'tree',
      without_overlaps: refused('WITHOUT OVERLAPS'),
      including: refused('INCLUDE'),
      options: refused('WITH (storage options)'),
      indexname: refused('USING INDEX'),
      indexspace: refused('USING INDEX TABLESPACE'),
      pktable: struct('RangeVar'),
      fk_attrs: 'tree',
      pk_attrs: 'tree',
      fk_with_period: refused('PERIOD'),
      pk_with_period: refused('PERIOD'),
      fk_matchtype: only('MATCH FULL or PARTIAL', 's'),
      // Rows of a table are neither changed nor deleted, so what would happen then is never asked.
      fk_upd_action: only('ON UPDATE with an action', 'a', 'r'),
      fk_del_action: only('ON DELETE with an action', 'a', 'r'),
      fk_del_set_cols: refused('ON DELETE SET'),
    },
  ],

  // FROM.
  [
    'RangeVar',
    {
      catalogname: refused('database name before a table'),
      schemaname: refused('schema name before a table'),
      relname: 'data',
      inh: always('ONLY', true),
      relpersistence: only('TEMPORARY or UNLOGGED', 'p'),
      alias: struct('Alias'),
    },
  ],
  ['RangeSubselect', { lateral: 'data', subquery: 'tree', alias: struct('Alias') }],
  [
    'JoinExpr',
    {
      jointype: 'data',
      isNatural: 'data',
      larg: 'tree',
      rarg: 'tree',
      usingClause: 'tree',
      join_using_alias: struct('Alias'),
      quals: 'tree',
      alias: struct('Alias'),
    },
  ],
  ['Alias', { aliasname: 'data', colnames: 'tree' }],
  ['WithClause', { ctes: 'tree', recursive: refused('WITH RECURSIVE') }],
  [
    'CommonTableExpr',
    {
      ctename: 'data',
      aliascolnames: 'tree',
      ctematerialized: 'data',
      ctequery: 'tree',
      search_clause: refused('SEARCH'),
      cycle_clause: refused('CYCLE'),
    },
  ],

  // Lists and names.
  ['ResTarget', { name: 'data', val: 'tree', indirection: refused('subscript or field of a target column') }],
  [
    'SortBy',
    {
      node: 'tree',
      sortby_dir: only('ORDER BY … USING', 'SORTBY_DEFAULT', 'SORTBY_ASC', 'SORTBY_DESC'),
      sortby_nulls: 'data',
      useOp: refused('ORDER BY … USING'),
    },
  ],
  ['List', { items: 'tree' }],
  ['String', { sval: 'data' }],
  ['Integer', { ival: 'data' }],
  ['Float', { fval: 'data' }],
  ['Boolean', { boolval: 'data' }],
  [
    'TypeName',
    {
      names: 'tree',
      typemod: 'data',
      typmods: 'tree',
      setof: refused('SETOF'),
      pct_type: refused('%TYPE'),
      arrayBounds: refused('array type'),
    },
  ],

  // Expressions.
  [
    'A_Const',
    {
      ival: 'data',
      fval: 'data',
      boolval: 'data',
      sval: 'data',
      isnull: 'data',
      bsval: refused('bit string'),
    },
  ],
  ['ColumnRef', { fields: 'tree' }],
  ['A_Star', {}],
  ['ParamRef', { number: 'data' }],
  ['SetToDefault', {}],
  [
    'A_Expr',
    {
      kind: only(
        'array comparison',
        'AEXPR_OP',
        'AEXPR_DISTINCT',
        'AEXPR_NOT_DISTINCT',
        'AEXPR_NULLIF',
        'AEXPR_IN',
        'AEXPR_LIKE',
        'AEXPR_ILIKE',
        'AEXPR_SIMILAR',
        'AEXPR_BETWEEN',
        'AEXPR_NOT_BETWEEN',
        'AEXPR_BETWEEN_SYM',
        'AEXPR_NOT_BETWEEN_SYM',
      ),
      name: 'tree',
      lexpr: 'tree',
      rexpr: 'tree',
      rexpr_list_start: 'data',
      rexpr_list_end: 'data',
    },
  ],
  ['BoolExpr', { boolop: 'data', args: 'tree' }],
  ['NullTest', { arg: 'tree', nulltesttype: 'data' }],
  ['BooleanTest', { arg: 'tree', booltesttype: 'data' }],
  ['CaseExpr', { arg: 'tree', args: 'tree', defresult: 'tree' }],
  ['CaseWhen', { expr: 'tree', result: 'tree' }],
  ['CoalesceExpr', { args: 'tree' }],
  ['MinMaxExpr', { op: 'data', args: 'tree' }],
  ['TypeCast', { arg: 'tree', typeName: struct('TypeName') }],
  ['RowExpr', { args: 'tree', row_format: 'data' }],
  [
    'FuncCall',
    {
      funcname: 'tree',
      args: 'tree',
      agg_filter: 'tree',
      agg_star: 'data',
      agg_distinct: 'data',
      funcformat: 'data',
      agg_order: 'tree',
      over: refused('window function (OVER)'),
      agg_within_group: 'data',
      func_variadic: refused('VARIADIC'),
    },
  ],
  [
    'SQLValueFunction',
    {
      op: only(
        'this session variable',
        'SVFOP_CURRENT_DATE',
        'SVFOP_CURRENT_TIMESTAMP',
        'SVFOP_LOCALTIMESTAMP',
      ),
      typmod: 'data',
    },
  ],
  [
    'SubLink',
    {
      subLinkType: only(
        'this form of subquery',
        'EXISTS_SUBLINK',
        'ANY_SUBLINK',
        'ALL_SUBLINK',
        'EXPR_SUBLINK',
      ),
      testexpr: 'tree',
      operName: 'tree',
      subselect: 'tree',
    },
  ],
]);

/** Names for nodes that are refused as a whole; others are refused under a name made from their kind. */
export const refusedNodes: ReadonlyMap<string, string> = new Map([
  ['UpdateStmt', 'UPDATE'],
  ['DeleteStmt', 'DELETE'],
  ['MergeStmt', 'MERGE'],
  ['TruncateStmt', 'TRUNCATE'],
  ['AlterTableStmt', 'ALTER'],
  ['RenameStmt', 'ALTER … RENAME'],
  ['IndexStmt', 'CREATE INDEX'],
  ['ViewStmt', 'CREATE VIEW'],
  ['CopyStmt', 'COPY'],
  ['TransactionStmt', 'transaction control'],
  ['VariableSetStmt', 'SET'],
  ['VariableShowStmt', 'SHOW'],
  ['PrepareStmt', 'PREPARE'],
  ['ExecuteStmt', 'EXECUTE'],
  ['DoStmt', 'DO'],
  ['CallStmt', 'CALL'],
  ['CreateFunctionStmt', 'CREATE FUNCTION'],
  ['CreateSchemaStmt', 'CREATE SCHEMA'],
  ['CreateExtensionStmt', 'CREATE EXTENSION'],
  ['GrantStmt', 'GRANT'],
  ['VacuumStmt', 'VACUUM'],
  ['WindowDef', 'WINDOW'],
  ['GroupingSet', 'GROUPING SETS, ROLLUP and CUBE'],
  ['GroupingFunc', 'GROUPING()'],
  ['RangeFunction', 'function in FROM'],
  ['RangeTableSample', 'TABLESAMPLE'],
  ['RangeTableFunc', 'XMLTABLE'],
  ['JsonTable', 'JSON_TABLE'],
  ['A_ArrayExpr', 'ARRAY[…]'],
  ['A_Indirection', 'subscript or field selection'],
  ['CollateClause', 'COLLATE'],
  ['CurrentOfExpr', 'CURRENT OF'],
  ['MultiAssignRef', 'assignment of several columns'],
  ['NamedArgExpr', 'named argument'],
  ['XmlExpr', 'XML expression'],
  ['XmlSerialize', 'XMLSERIALIZE'],
  ['TableLikeClause', 'LIKE in CREATE TABLE'],
]);
