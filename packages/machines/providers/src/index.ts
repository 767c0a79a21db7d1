/** Infrastructure providers of Cluster API: types, resources and CRDs. `awsv1beta2.AWSMachineTemplate`, `awsv1beta2.awsmachinetemplates`. */
export { infrastructureProviders, type InfrastructureProvider, providerCrds } from './crds.ts';
export * from './generated/index.ts';
export * from './simulated/index.ts';
