/** The rewrite rules, by phase. To add one: write it as a value in a file of its own and list it here. */
import type { Rule } from '../rule.js';
import { containsJoin } from './contains-join.js';
import { equalitiesToList } from './equalities-to-list.js';
import { flattenUnion } from './flatten-union.js';
import { foldConstants } from './fold-constants.js';
import { mergeFilters } from './merge-filters.js';
import { mergeProjects } from './merge-projects.js';
import { orderJoins } from './order-joins.js';
import { orderPredicates } from './order-predicates.js';
import { outerToInner } from './outer-to-inner.js';
import { pruneColumns } from './prune-columns.js';
import { pushFilterBelowSort } from './push-filter-below-sort.js';
import { pushFilterIntoJoin } from './push-filter-into-join.js';
import { pushFilterThroughGrouping } from './push-filter-through-grouping.js';
import { pushFilterThroughProject } from './push-filter-through-project.js';
import { pushFilterThroughUnion } from './push-filter-through-union.js';
import { pushJoinCondition } from './push-join-condition.js';
import { pushSemiJoin, pushSemiJoinIntoOrder } from './push-semi-join.js';
import { shareSubplans } from './share-subplans.js';

/** Each phase runs until none of its rules applies; a rule of another scope than `node` runs once, before. */
export const phases: readonly (readonly Rule[])[] = [
  [
    foldConstants,
    equalitiesToList,
    outerToInner,
    mergeFilters,
    pushFilterThroughProject,
    pushFilterIntoJoin,
    pushJoinCondition,
    pushFilterThroughGrouping,
    pushFilterThroughUnion,
    pushFilterBelowSort,
    pushSemiJoin,
    flattenUnion,
    mergeProjects,
  ],
  [orderJoins],
  [pushSemiJoinIntoOrder],
  [containsJoin],
  [mergeProjects],
  [pruneColumns],
  [mergeProjects],
  [orderPredicates],
  [shareSubplans],
];

export const rules: readonly Rule[] = [...new Set(phases.flat())];
