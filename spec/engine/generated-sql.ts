/**
 * Generated SQL text over the supported language, for a fixed schema. The one thing to know: fast-check generates a
 * list of numbers, and the writer takes the next one wherever the grammar has a choice (0 is the simplest, also when
 * the list has run out), so a failing query shrinks to a short one.
 *
 * Every query has one right answer: LIMIT comes with an order of all columns, divisors are not zero, numbers stay small.
 */
import fc from 'fast-check';
import { type SqlType, sqlTables } from './generated-sql-schema.js';

export interface SqlQuery {
  readonly text: string;
  /** Whether the order of the rows is part of the answer. */
  readonly ordered: boolean;
}

/** @param size about how many choices a query may have that are not the simplest */
export function sqlQueries(size = 80): fc.Arbitrary<SqlQuery> {
  return fc
    .array(fc.nat(999), { maxLength: size, size: 'max' })
    .map((choices) => new Writer(choices).topLevel());
}

interface ScopeColumn {
  readonly sql: string;
  readonly type: SqlType;
}

interface Relation {
  readonly sql: string;
  readonly columns: readonly ScopeColumn[];
}

const types: readonly SqlType[] = ['integer', 'text', 'boolean', 'float', 'date'];

class Writer {
  readonly #choices: readonly number[];
  #at = 0;
  #names = 0;
  #depth = 0;
  /** WITH queries, in order. */
  readonly #with: { readonly name: string; readonly sql: string; readonly columns: readonly SqlType[] }[] =
    [];

  constructor(choices: readonly number[]) {
    this.#choices = choices;
  }

  topLevel(): SqlQuery {
    if (this.#chance(8)) this.#addWith();
    const columns = this.#someTypes();
    const body = this.#query(columns, []);
    const order = this.#pick<'none' | 'some' | 'limit'>('none', 'some', 'limit', 'none');
    const ordering = columns
      .map(
        (_, i) =>
          `${i + 1}${this.#pick('', ' DESC', ' ASC')}${this.#pick('', ' NULLS FIRST', ' NULLS LAST')}`,
      )
      .join(', ');
    const limit =
      order === 'limit' ? ` LIMIT ${this.#next(4)}${this.#chance(3) ? ` OFFSET ${this.#next(3)}` : ''}` : '';
    const head =
      this.#with.length > 0 ? `WITH ${this.#with.map((w) => `${w.name} AS (${w.sql})`).join(', ')} ` : '';
    return {
      text: `${head}${body}${order === 'none' ? '' : ` ORDER BY ${ordering}`}${limit}`,
      ordered: order !== 'none',
    };
  }

  #next(n: number): number {
    const choice = this.#at < this.#choices.length ? this.#choices[this.#at] : 0;
    this.#at += 1;
    return choice % n;
  }

  #pick<T>(...options: readonly T[]): T {
    return options[this.#next(options.length)];
  }

  /** True once in n times, and never when the choices have run out. */
  #chance(n: number): boolean {
    return this.#next(n) === n - 1;
  }

  #name(prefix: string): string {
    this.#names += 1;
    return `${prefix}${this.#names}`;
  }

  /** Whether there is still something to choose and room to nest. */
  get #roomy(): boolean {
    return this.#depth < 4 && this.#at < this.#choices.length;
  }

  #deeper<T>(write: () => T): T {
    this.#depth += 1;
    const result = write();
    this.#depth -= 1;
    return result;
  }

  #someTypes(): SqlType[] {
    return Array.from({ length: 1 + this.#next(3) }, () => this.#pick(...types));
  }

  #addWith(): void {
    const columns = this.#someTypes();
    const sql = this.#deeper(() => this.#query(columns, []));
    this.#with.push({ name: this.#name('w'), sql, columns });
  }

  /** A query that puts out these types, named c1, c2, …; `outer` are the columns of enclosing queries. */
  #query(columns: readonly SqlType[], outer: readonly ScopeColumn[]): string {
    if (this.#roomy && this.#chance(10)) return this.#firstOnes(columns, outer);
    const first = this.#select(columns, outer);
    if (!this.#roomy || !this.#chance(4)) return first;
    const operator = this.#pick('UNION ALL', 'UNION', 'EXCEPT', 'INTERSECT', 'EXCEPT ALL', 'INTERSECT ALL');
    const second = this.#deeper(() => this.#select(columns, outer));
    return `(${first}) ${operator} (${second})`;
  }

  /** LIMIT and DISTINCT ON inside a query: over distinct rows in a total order, so that the answer is one. */
  #firstOnes(columns: readonly SqlType[], outer: readonly ScopeColumn[]): string {
    const inner = this.#deeper(() => this.#query(columns, outer));
    const distinct = `(SELECT DISTINCT * FROM (${inner}) AS ${this.#name('q')}) AS ${this.#name('q')}`;
    const all = columns.map((_, i) => `c${i + 1}`).join(', ');
    const first = this.#chance(2)
      ? `SELECT DISTINCT ON (c1) ${all} FROM ${distinct} ORDER BY ${all}`
      : `SELECT ${all} FROM ${distinct} ORDER BY ${all} LIMIT ${1 + this.#next(2)} OFFSET ${this.#next(2)}`;
    return `SELECT ${all} FROM (${first}) AS ${this.#name('q')}`;
  }

  #select(columns: readonly SqlType[], outer: readonly ScopeColumn[]): string {
    const from = this.#from();
    const scope = [...from.columns, ...outer];
    const where = this.#chance(2) ? ` WHERE ${this.#boolean(scope)}` : '';
    const grouping = this.#pick<'none' | 'global' | 'keys' | 'distinct'>(
      'none',
      'none',
      'keys',
      'distinct',
      'global',
    );
    const names = (expressions: readonly string[]) =>
      expressions.map((sql, i) => `${sql} AS c${i + 1}`).join(', ');
    if (grouping === 'keys' || grouping === 'global') {
      const keys =
        grouping === 'keys' && from.columns.length > 0
          ? Array.from({ length: 1 + this.#next(2) }, () => this.#pick(...from.columns))
          : [];
      // What a grouped query may use: its keys, aggregates over its rows, and outer columns.
      const grouped = columns.map((type) => this.#grouped(type, keys, from.columns));
      const by = keys.length > 0 ? ` GROUP BY ${[...new Set(keys.map((k) => k.sql))].join(', ')}` : '';
      const having = this.#chance(2) ? ` HAVING ${this.#grouped('boolean', keys, from.columns)}` : '';
      return `SELECT ${names(grouped)} FROM ${from.sql}${where}${by}${having}`;
    }
    const items = columns.map((type) => this.#expression(type, scope));
    return `SELECT ${grouping === 'distinct' ? 'DISTINCT ' : ''}${names(items)} FROM ${from.sql}${where}`;
  }

  #from(): Relation {
    let relation = this.#relation();
    for (let joins = 0; joins < 2 && this.#roomy && this.#chance(3); joins += 1) {
      const other = this.#relation();
      const columns = [...relation.columns, ...other.columns];
      const kind = this.#pick('JOIN', 'LEFT JOIN', 'CROSS', ',', 'RIGHT JOIN', 'FULL JOIN');
      if (this.#roomy && this.#chance(8) && (kind === 'JOIN' || kind === 'LEFT JOIN')) {
        relation = this.#lateral(relation, kind);
        continue;
      }
      if (kind === 'CROSS') relation = { sql: `${relation.sql} CROSS JOIN ${other.sql}`, columns };
      // A comma binds weaker than JOIN, so what comes before it must not be joined further: write it as a cross join.
      else if (kind === ',' && joins === 0 && !this.#roomy)
        relation = { sql: `${relation.sql}, ${other.sql}`, columns };
      else {
        const equality = this.#equality(relation.columns, other.columns);
        // PostgreSQL refuses FULL JOIN on anything but equalities.
        const on =
          kind === 'FULL JOIN' || !this.#chance(3)
            ? equality
            : `${equality} AND ${this.#deeper(() => this.#condition(relation.columns, other.columns))}`;
        const join = kind === ',' ? 'JOIN' : kind;
        if (on === 'TRUE' && kind === 'FULL JOIN')
          relation = { sql: `${relation.sql} CROSS JOIN ${other.sql}`, columns };
        else relation = { sql: `${relation.sql} ${join} ${other.sql} ON ${on}`, columns };
      }
    }
    return relation;
  }

  /** In ON; with subqueries where it reads one side only. */
  #condition(left: readonly ScopeColumn[], right: readonly ScopeColumn[]): string {
    if (!this.#chance(3)) return this.#boolean([...left, ...right], false);
    return this.#boolean(this.#chance(2) ? left : right);
  }

  #lateral(left: Relation, kind: string): Relation {
    const alias = this.#name('q');
    const types = this.#someTypes();
    const sql = this.#deeper(() => this.#query(types, left.columns));
    const columns = types.map((type, i) => ({ sql: `${alias}.c${i + 1}`, type }));
    return {
      sql: `${left.sql} ${kind} LATERAL (${sql}) AS ${alias} ON ${this.#chance(2) ? this.#equality(left.columns, columns) : 'TRUE'}`,
      columns: [...left.columns, ...columns],
    };
  }

  #relation(): Relation {
    const alias = this.#name('q');
    if (this.#roomy && this.#chance(6)) {
      const columns = this.#someTypes();
      const sql = this.#deeper(() => this.#query(columns, []));
      return {
        sql: `(${sql}) AS ${alias}`,
        columns: columns.map((type, i) => ({ sql: `${alias}.c${i + 1}`, type })),
      };
    }
    if (this.#with.length > 0 && this.#chance(2)) {
      const { name, columns } = this.#pick(...this.#with);
      return {
        sql: `${name} AS ${alias}`,
        columns: columns.map((type, i) => ({ sql: `${alias}.c${i + 1}`, type })),
      };
    }
    if (this.#chance(12)) {
      return {
        sql: `(VALUES (1, 'a'), (2, NULL), (2, 'b')) AS ${alias}(n, s)`,
        columns: [
          { sql: `${alias}.n`, type: 'integer' },
          { sql: `${alias}.s`, type: 'text' },
        ],
      };
    }
    const table = this.#pick(...sqlTables);
    return {
      sql: `${table.name} AS ${alias}`,
      columns: table.columns.map((c) => ({ sql: `${alias}.${c.name}`, type: c.type })),
    };
  }

  #equality(left: readonly ScopeColumn[], right: readonly ScopeColumn[]): string {
    const pairs = left.flatMap((l) =>
      right.filter((r) => r.type === l.type).map((r) => `${l.sql} = ${r.sql}`),
    );
    return pairs.length === 0 ? 'TRUE' : this.#pick(...pairs);
  }

  /** An expression of a grouped query. */
  #grouped(type: SqlType, keys: readonly ScopeColumn[], rows: readonly ScopeColumn[]): string {
    const parts: ScopeColumn[] = [
      ...keys,
      ...types.flatMap((t) =>
        this.#roomy || t === type ? [{ sql: this.#aggregate(t, rows), type: t }] : [],
      ),
    ];
    const direct = parts.filter((p) => p.type === type);
    return this.#chance(2) ? this.#expression(type, parts, false) : this.#pick(...direct).sql;
  }

  #aggregate(type: SqlType, rows: readonly ScopeColumn[]): string {
    const argument = (t: SqlType) => this.#deeper(() => this.#expression(t, rows, false));
    const distinct = () => (this.#chance(3) ? 'DISTINCT ' : '');
    const any = () => argument(this.#pick(...types));
    const sql = {
      integer: () =>
        this.#pick(
          () => 'count(*)',
          () => `count(${distinct()}${any()})`,
          () => `CAST(sum(${distinct()}${argument('integer')}) AS integer)`,
          () => `max(${argument('integer')})`,
          () => `min(${argument('integer')})`,
        )(),
      float: () =>
        this.#pick(
          () => `sum(${distinct()}${argument('float')})`,
          () => `avg(${argument('float')})`,
          () => `max(${argument('float')})`,
          () => `CAST(avg(${argument('integer')}) AS double precision)`,
        )(),
      text: () =>
        this.#pick(
          () => `min(${argument('text')})`,
          () => `max(${argument('text')})`,
          () => {
            const text = argument('text');
            const order = `ORDER BY ${text}${this.#pick('', ' DESC')}`;
            return `string_agg(${distinct()}${text}, ',' ${order})`;
          },
        )(),
      boolean: () =>
        this.#pick(
          () => `bool_and(${argument('boolean')})`,
          () => `bool_or(${argument('boolean')})`,
        )(),
      date: () =>
        this.#pick(
          () => `min(${argument('date')})`,
          () => `max(${argument('date')})`,
        )(),
    }[type]();
    if (sql.startsWith('CAST') || !this.#chance(5)) return sql;
    return `${sql} FILTER (WHERE ${this.#deeper(() => this.#boolean(rows, false))})`;
  }

  /** @param subqueries whether subqueries may be used */
  #expression(type: SqlType, scope: readonly ScopeColumn[], subqueries = true): string {
    return this.#deeper(() => {
      const columns = scope.filter((c) => c.type === type).map((c) => c.sql);
      if (!this.#roomy || !this.#chance(3))
        return columns.length > 0
          ? this.#pick(...columns, ...columns, this.#literal(type))
          : this.#literal(type);
      const of = (t: SqlType) => this.#expression(t, scope, subqueries);
      const general: (() => string)[] = [
        () => `CASE WHEN ${this.#boolean(scope, subqueries)} THEN ${of(type)} ELSE ${of(type)} END`,
        () => `coalesce(${of(type)}, ${of(type)})`,
        () => `nullif(${of(type)}, ${of(type)})`,
        () => `CASE WHEN ${this.#boolean(scope, subqueries)} THEN ${of(type)} END`,
        () => `${this.#pick('greatest', 'least')}(${of(type)}, ${of(type)})`,
      ];
      if (subqueries) general.push(() => this.#scalarSubquery(type, scope));
      const special: { readonly [t in SqlType]: readonly (() => string)[] } = {
        integer: [
          () => `(${of('integer')} ${this.#pick('+', '-', '*')} ${of('integer')})`,
          () => `(${of('integer')} ${this.#pick('/', '%')} ${this.#pick('2', '3', '(-2)')})`,
          () => `abs(${of('integer')})`,
          () => `(- ${of('integer')})`,
          () => `length(${of('text')})`,
          () => `CAST(${of('boolean')} AS integer)`,
          () => `(${of('date')} - ${of('date')})`,
          () => `CAST(extract(${this.#pick('year', 'month', 'day')} FROM ${of('date')}) AS integer)`,
          () => `position(${of('text')} IN ${of('text')})`,
        ],
        float: [
          () => `(${of('float')} ${this.#pick('+', '-', '*')} ${of('float')})`,
          () => `(${of('float')} / ${this.#pick('2', '4')})`,
          () => `CAST(${of('integer')} AS double precision)`,
          () => `${this.#pick('floor', 'ceil', 'abs')}(${of('float')})`,
          () => `(${of('float')} + ${of('integer')})`,
        ],
        text: [
          () => `(${of('text')} || ${of('text')})`,
          () => `${this.#pick('upper', 'lower', 'trim')}(${of('text')})`,
          () => `substring(${of('text')} FROM ${1 + this.#next(3)} FOR ${this.#next(3)})`,
          () => `CAST(${of('integer')} AS text)`,
          () => `CAST(${of('date')} AS text)`,
          () => `replace(${of('text')}, ${this.#literal('text')}, ${this.#literal('text')})`,
          () => `${this.#pick('left', 'right')}(${of('text')}, ${this.#next(3)})`,
          () => `concat(${of('text')}, ${of('integer')}, ${of('text')})`,
          () => `CAST(${of('boolean')} AS text)`,
        ],
        boolean: [() => this.#boolean(scope, subqueries)],
        date: [() => `(${of('date')} ${this.#pick('+', '-')} CAST(${of('integer')} AS integer))`],
      };
      return this.#pick(...special[type], ...general)();
    });
  }

  #literal(type: SqlType): string {
    switch (type) {
      case 'integer':
        return this.#pick('1', '0', '2', '(-1)', 'CAST(NULL AS integer)');
      case 'float':
        return this.#pick(
          "CAST('0.5' AS double precision)",
          "CAST('2' AS double precision)",
          'CAST(NULL AS double precision)',
        );
      case 'text':
        return this.#pick("'a'", "'b'", "''", "'ab'", "'Bc'", 'CAST(NULL AS text)');
      case 'boolean':
        return this.#pick('TRUE', 'FALSE', 'CAST(NULL AS boolean)');
      case 'date':
        return this.#pick("DATE '2022-01-08'", "DATE '2022-02-28'", 'CAST(NULL AS date)');
    }
  }

  #boolean(scope: readonly ScopeColumn[], subqueries = true): string {
    return this.#deeper(() => {
      const columns = scope.filter((c) => c.type === 'boolean').map((c) => c.sql);
      const type = this.#pick(...types);
      const of = (t: SqlType) => this.#expression(t, scope, subqueries);
      const compare = () => `(${of(type)} ${this.#pick('=', '<', '<>', '<=', '>', '>=')} ${of(type)})`;
      if (!this.#roomy) return columns.length > 0 && this.#chance(2) ? this.#pick(...columns) : compare();
      const choices: (() => string)[] = [
        compare,
        compare,
        () => `(${this.#boolean(scope, subqueries)} AND ${this.#boolean(scope, subqueries)})`,
        () => `(${this.#boolean(scope, subqueries)} OR ${this.#boolean(scope, subqueries)})`,
        () => `(NOT ${this.#boolean(scope, subqueries)})`,
        () => `(${of(type)} IS ${this.#pick('NULL', 'NOT NULL')})`,
        () => `(${of(type)} ${this.#pick('', 'NOT ')}BETWEEN ${of(type)} AND ${of(type)})`,
        () => `(${of(type)} ${this.#pick('', 'NOT ')}IN (${of(type)}, ${this.#literal(type)}))`,
        () =>
          `(${of('text')} ${this.#pick('', 'NOT ')}${this.#pick('LIKE', 'ILIKE')} ${this.#pick("'a%'", "'%b'", "'_'", "'%'", "'a_'", of('text'))})`,
        () => `(${of(type)} IS ${this.#pick('', 'NOT ')}DISTINCT FROM ${of(type)})`,
        () =>
          `(${this.#boolean(scope, subqueries)} IS ${this.#pick('', 'NOT ')}${this.#pick('TRUE', 'FALSE', 'UNKNOWN')})`,
      ];
      if (subqueries) {
        choices.push(
          () => `${this.#pick('', 'NOT ')}EXISTS (${this.#query([this.#pick(...types)], scope)})`,
          () =>
            `(${of(type)} ${this.#pick('', 'NOT ')}IN (${this.#query([type], this.#chance(2) ? scope : [])}))`,
          () =>
            `(${of(type)} ${this.#pick('=', '<', '>', '<>')} ${this.#pick('ANY', 'ALL')} (${this.#query([type], this.#chance(2) ? scope : [])}))`,
          () => `(${of(type)} ${this.#pick('=', '<', '>')} ${this.#scalarSubquery(type, scope)})`,
        );
      }
      return this.#pick(...choices)();
    });
  }

  /** A global aggregate, or the first of the values: at most one row. */
  #scalarSubquery(type: SqlType, scope: readonly ScopeColumn[]): string {
    return this.#deeper(() => {
      const from = this.#from();
      const outer = this.#chance(2) ? scope : [];
      const where = this.#chance(2) ? '' : ` WHERE ${this.#boolean([...from.columns, ...outer])}`;
      const [column] = from.columns.filter((c) => c.type === type);
      if (column && this.#chance(3))
        return `(SELECT DISTINCT ${column.sql} FROM ${from.sql}${where} ORDER BY 1 LIMIT 1)`;
      return `(SELECT ${this.#aggregate(type, from.columns)} FROM ${from.sql}${where})`;
    });
  }
}
