/**
 * Generated SQL text over the supported language, for the schema of generated-sql-schema.ts. The text is made
 * from a list of numbers (generated-sql/choices.ts) by the parts in generated-sql/, one for each part of the
 * grammar.
 *
 * Every query has one right answer: LIMIT comes with an order of all columns, divisors are not zero, numbers
 * stay small.
 */
import fc from 'fast-check';
import { writeAggregate } from './generated-sql/aggregates.js';
import { Choices } from './generated-sql/choices.js';
import { writeCondition } from './generated-sql/conditions.js';
import { writeCompound, writeExpression, writeExpressionQuery } from './generated-sql/expressions.js';
import { writeFailingQuery } from './generated-sql/failing-expressions.js';
import { writeFrom } from './generated-sql/from-clause.js';
import { type WrittenQuery, writeQuery, writeTopLevel, writeTypes } from './generated-sql/queries.js';
import { type WrittenStatement, writeStatements } from './generated-sql/statements.js';
import { writeScalarSubquery } from './generated-sql/subqueries.js';
import {
  type CommonQuery,
  type Relation,
  type Scope,
  type ScopeColumn,
  type SqlParameter,
  type Writer,
  withParameters,
} from './generated-sql/writer.js';
import { type SqlTable, type SqlType, sqlTables } from './generated-sql-schema.js';

export type { SqlParameter } from './generated-sql/writer.js';

export interface SqlQuery extends WrittenQuery {
  readonly parameters: readonly SqlParameter[];
}

/** Statements that make tables, and a query over them. */
export interface SqlScript {
  readonly statements: readonly WrittenStatement[];
  readonly query: SqlQuery;
}

/** @param size about how many choices a query may have that are not the simplest */
export function sqlQueries(size = 80): fc.Arbitrary<SqlQuery> {
  return writers(size).map(topLevel);
}

export function sqlScripts(size = 100): fc.Arbitrary<SqlScript> {
  return writers(size).map((w) => ({ statements: writeStatements(w), query: topLevel(w) }));
}

/** Expressions of every type over rows in which each value meets many others. */
export function sqlExpressions(size = 40): fc.Arbitrary<SqlQuery> {
  return writers(size).map((w) => finished(w, { text: writeExpressionQuery(w), ordered: false }));
}

/** Expressions that may raise an error. */
export function failingQueries(size = 30): fc.Arbitrary<SqlQuery> {
  return writers(size).map((w) => finished(w, { text: writeFailingQuery(w), ordered: false }));
}

function topLevel(w: SqlWriter): SqlQuery {
  return finished(w, writeTopLevel(w));
}

function finished(w: SqlWriter, { text, ordered }: WrittenQuery): SqlQuery {
  return { ...withParameters(text, w.parameters), ordered };
}

function writers(size: number): fc.Arbitrary<SqlWriter> {
  return fc.array(fc.nat(999), { maxLength: size, size: 'max' }).map((numbers) => new SqlWriter(numbers));
}

class SqlWriter extends Choices implements Writer {
  readonly tables: SqlTable[] = [...sqlTables];
  readonly common: CommonQuery[] = [];
  readonly parameters: SqlParameter[] = [];

  expression(type: SqlType, scope: Scope): string {
    return writeExpression(this, type, scope);
  }
  compound(type: SqlType, scope: Scope): string {
    return writeCompound(this, type, scope);
  }
  condition(scope: Scope): string {
    return writeCondition(this, scope);
  }
  aggregate(type: SqlType, rows: readonly ScopeColumn[]): string {
    return writeAggregate(this, type, rows);
  }
  from(): Relation {
    return writeFrom(this);
  }
  someTypes(): SqlType[] {
    return writeTypes(this);
  }
  query(types: readonly SqlType[], outer: readonly ScopeColumn[]): string {
    return writeQuery(this, types, outer);
  }
  scalarSubquery(type: SqlType, scope: Scope): string {
    return writeScalarSubquery(this, type, scope);
  }
}
