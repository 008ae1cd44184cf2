/** The built-in operators, as the binder and the builder use them. */
export * from './arithmetic.js';
export * from './cast.js';
export * from './compare.js';
export * from './comparison.js';
export * from './define.js';
export * from './in-list.js';
export * from './like.js';
export * from './null.js';
export * from './regexp.js';
export * from './text.js';
