/** Conditions: types, reasons, what True means, where each comes from, and what a healthy cluster shows. */
export {
  type ConditionCatalogue,
  type ConditionFacts,
  type ConditionSource,
  goodStatus,
  type Polarity,
} from './condition-facts.ts';
export * from './control-plane-component.ts';
export * from './healthy.ts';
export * from './hosted-cluster.ts';
export * from './hosted-control-plane.ts';
export * from './node-pool.ts';
export * from './reasons.ts';
