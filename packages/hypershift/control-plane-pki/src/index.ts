/** The PKI of a hosted control plane: what it consists of, what is to be done about it, and the doing. */
export * from './desired.ts';
export * from './errors.ts';
export * from './facts.ts';
export * from './issue.ts';
export type { PkiState } from './material.ts';
export { leafPolicy, type PkiItem, type PkiPlan, planPki } from './plan.ts';
export * from './reconcile.ts';
export * from './table/index.ts';
