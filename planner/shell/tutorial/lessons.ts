/** The lessons in their order. */
import { agentLesson } from './agent-lesson.js';
import type { Lesson } from './lesson.js';
import { provenanceLesson } from './provenance-lesson.js';
import { securityLesson } from './security-lesson.js';

export const lessons: readonly Lesson[] = [provenanceLesson, securityLesson, agentLesson];
