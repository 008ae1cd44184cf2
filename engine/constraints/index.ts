/** What tables demand of their rows. */
export type { Check, ConstrainedTable, Constraints, Default, Key, Reference, Size } from './definition.js';
export { RowGuard, type Rules } from './row-guard.js';
export { type ShownConstraint, showConstraints, showType } from './show.js';
