/** Deletion of a hosted cluster: phases in order, and one condition that tells phase, blocker and age. */
export { ageText } from './age.ts';
export * from './phases.ts';
export { deletionPlan } from './plan.ts';
