/** The Machine API of OpenShift: types, resources, CRDs and what machines say to their clouds. */
export * from './control-plane-machine-set/types.ts';
export { machineApiCrds } from './crds.ts';
export * from './generated/index.ts';
export * from './provider-spec/index.ts';
