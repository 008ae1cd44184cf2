/** The name of a select list's column that has no alias, as PostgreSQL derives it. */
import type { Node } from 'libpg-query';
import { columnFields, names, selectOf } from './parse/tree.js';
import { namedType } from './type-name.js';

export function columnName(node: Node): string {
  return derivedName(node) ?? '?column?';
}

function derivedName(node: Node | undefined): string | undefined {
  if (!node) return undefined;
  if ('ColumnRef' in node) return columnFields(node.ColumnRef).at(-1)?.name;
  if ('FuncCall' in node) return names(node.FuncCall.funcname).at(-1);
  if ('TypeCast' in node) {
    const named = namedType(node.TypeCast.typeName);
    return derivedName(node.TypeCast.arg) ?? (typeof named === 'string' ? undefined : named.name);
  }
  if ('CaseExpr' in node) {
    const otherwise = node.CaseExpr.defresult;
    return (otherwise && 'ColumnRef' in otherwise ? derivedName(otherwise) : undefined) ?? 'case';
  }
  if ('CoalesceExpr' in node) return 'coalesce';
  if ('MinMaxExpr' in node) return node.MinMaxExpr.op === 'IS_LEAST' ? 'least' : 'greatest';
  if ('RowExpr' in node) return 'row';
  if ('SQLValueFunction' in node) return (node.SQLValueFunction.op ?? '').replace('SVFOP_', '').toLowerCase();
  if ('A_Expr' in node && node.A_Expr.kind === 'AEXPR_NULLIF') return 'nullif';
  if ('SubLink' in node) {
    if (node.SubLink.subLinkType === 'EXISTS_SUBLINK') return 'exists';
    if (node.SubLink.subLinkType !== 'EXPR_SUBLINK') return undefined;
    const target = selectOf(node.SubLink.subselect)?.targetList?.[0];
    if (!target || !('ResTarget' in target)) return undefined;
    return target.ResTarget.name ?? derivedName(target.ResTarget.val);
  }
  return undefined;
}
