/** Plans: of queries (rewriting, join order) and of agents (sessions, designs, oversight). */
export * from './agent/index.js';
export * from './query/index.js';
