/** The SQL front end: text → checked syntax → bound plan. */
export { bindQuery } from './bind/select.js';
export { bindStatement } from './bind/statement.js';
export { builtinScalars } from './builtin.js';
export type { BindOptions, TableCatalog } from './context.js';
export type { BoundQuery } from './environment.js';
export { type FunctionCatalog, Functions } from './function-catalog.js';
export { type ParsedStatement, parseSql } from './parse/parse.js';
export { savedCheck, savedDefault } from './parse/saved-expression.js';
export { SqlSource } from './parse/source.js';
export { inParentheses } from './parse/source-words.js';
export { SqlError, type SqlErrorOptions } from './parse/sql-error.js';
export { refusedNodes, supportedNodes } from './parse/supported.js';
export type { Statement } from './statement.js';
