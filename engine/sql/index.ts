/** The SQL front end: text → checked syntax → bound plan. */
export { bindQuery } from './bind-select.js';
export { bindStatement } from './bind-statement.js';
export { builtinScalars } from './builtin.js';
export type { BindOptions, TableCatalog } from './context.js';
export type { BoundQuery } from './environment.js';
export { type FunctionCatalog, Functions } from './function-catalog.js';
export { type ParsedStatement, parseSql } from './parse.js';
export { savedCheck, savedDefault } from './saved-expression.js';
export { SqlSource } from './source.js';
export { inParentheses } from './source-words.js';
export { SqlError, type SqlErrorOptions } from './sql-error.js';
export type { Statement } from './statement.js';
export { refusedNodes, supportedNodes } from './supported.js';
