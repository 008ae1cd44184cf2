/** Aggregate functions. */
export * from './functions.js';
