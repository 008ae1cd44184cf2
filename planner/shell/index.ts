/** The shell: a REPL, queries for scripts, pictures and the tutorial. */
export { type GraphCommandOptions, graphCommand } from './entry/graph-command.js';
export { type QueryCommandOptions, queryCommand } from './entry/query-command.js';
export { type ReplCommandOptions, type ReplStreams, replCommand } from './entry/repl-command.js';
export { tutorialCommand } from './entry/tutorial-command.js';
export { draw, type Graph, graphOf, type PictureFormat } from './picture/index.js';
