export { capiProvider, type ProviderOptions, providerManager } from './capi-provider/component.ts';
export { clusterApi, clusterApiGroups } from './cluster-api/component.ts';
export { controlPlaneOperator } from './control-plane-operator/component.ts';
export { controlPlaneOperatorRules } from './control-plane-operator/rules.ts';
export { controlPlaneComponentList } from './registry.ts';
