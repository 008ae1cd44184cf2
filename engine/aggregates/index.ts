/** Aggregate functions. */
export * from './bits.js';
export * from './functions.js';
export * from './json.js';
export * from './ordered-set.js';
export * from './regression.js';
