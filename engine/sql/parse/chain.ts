/**
 * What the grammar nests to the left without end: operators `a + b + c`, joins, set operations. A chain of
 * them is as long as somebody writes it and not deep, so it is checked and bound in a loop.
 */
import type { A_Expr, JoinExpr, SelectStmt } from 'libpg-query';

type Fields = Readonly<Record<string, unknown>>;

/** The member that holds the left side, of a kind of node that makes chains. */
export function leftOf(kind: string): string | undefined {
  if (kind === 'A_Expr') return 'lexpr';
  return kind === 'JoinExpr' || kind === 'SelectStmt' ? 'larg' : undefined;
}

/** The link to the left of a node of an unchecked tree. */
export function leftLink(kind: string, fields: Fields): Fields | undefined {
  const member = leftOf(kind);
  const left = member === undefined ? undefined : fields[member];
  if (!isFields(left)) return undefined;
  switch (kind) {
    case 'A_Expr': {
      const link = left.A_Expr;
      return isFields(link) && isPlain(fields) && isPlain(link) ? link : undefined;
    }
    case 'JoinExpr':
      return isFields(left.JoinExpr) ? left.JoinExpr : undefined;
    default:
      return isBareSetOperation(left) ? left : undefined;
  }
}

/** The operators of a chain from the innermost on; the last one is `node`. */
export function operatorChain(node: A_Expr): readonly A_Expr[] {
  const links = [node];
  for (let left = node.lexpr; left && 'A_Expr' in left; left = left.A_Expr.lexpr) {
    if (!isPlain(left.A_Expr) || !isPlain(links[links.length - 1])) break;
    links.push(left.A_Expr);
  }
  return links.reverse();
}

/** The joins of a chain from the innermost on; the last one is `node`. */
export function joinChain(node: JoinExpr): readonly JoinExpr[] {
  const links = [node];
  for (let left = node.larg; left && 'JoinExpr' in left; left = left.JoinExpr.larg) links.push(left.JoinExpr);
  return links.reverse();
}

/** The set operations of a chain from the innermost on; the last one is `node`. */
export function setOperationChain(node: SelectStmt): readonly SelectStmt[] {
  const links = [node];
  for (let left = node.larg; left && isBareSetOperation(left); left = left.larg) links.push(left);
  return links.reverse();
}

/** An infix operator of two operands, or a prefix one; not IN, BETWEEN, LIKE. */
function isPlain(operator: { readonly kind?: unknown }): boolean {
  return operator.kind === 'AEXPR_OP';
}

/** With nothing around it that would have to be bound before what is to the right of it. */
function isBareSetOperation(select: { readonly op?: unknown }): boolean {
  const around = ['sortClause', 'limitCount', 'limitOffset', 'withClause', 'lockingClause'];
  return (
    select.op !== undefined &&
    select.op !== 'SETOP_NONE' &&
    !around.some((member) => Object.hasOwn(select, member))
  );
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null;
}
