/** The shell: a REPL, queries for scripts, pictures and the tutorial. */
export { type GraphCommandOptions, graphCommand } from './graph-command.js';
export { draw, type Graph, graphOf, type PictureFormat } from './picture/index.js';
export { type QueryCommandOptions, queryCommand } from './query-command.js';
export { type ReplCommandOptions, type ReplStreams, replCommand } from './repl-command.js';
export { tutorialCommand } from './tutorial-command.js';
