/** Cluster API: types, resources and CRDs of its core kinds. `capiv1beta1.Machine`, `capiv1beta1.machines`. */
export { type ClusterApiCrdOptions, type ClusterApiVersion, clusterApiCrds } from './crds.ts';
export * from './generated/index.ts';
