/** Labels of HyperShift: keys, what carries them, what they mean. */
export type { LabelFacts } from './label-facts.ts';
export * from './labels.ts';
