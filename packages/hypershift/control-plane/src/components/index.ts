export { capiProvider, type ProviderOptions, providerManager } from './capi-provider/component.ts';
export { clusterApi } from './cluster-api/component.ts';
export { controlPlaneOperator } from './control-plane-operator/component.ts';
export { controlPlaneComponentList } from './registry.ts';
