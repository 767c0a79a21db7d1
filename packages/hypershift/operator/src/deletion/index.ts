/** Deletion of a hosted cluster: phases in order, and one condition that tells phase, blocker and age. */
export { ageText, durationText, parseGoDuration } from './duration.ts';
export * from './phases.ts';
export { deletionPlan } from './plan.ts';
