/** The `hyperfleet` command: every service of a fleet. */
export { hyperfleet } from './hyperfleet.ts';
