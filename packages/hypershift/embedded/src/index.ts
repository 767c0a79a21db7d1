/** The whole product on one machine: a management cluster whose kubelet runs operators and hosted control planes itself. */
export { type ProductProgramsOptions, productPrograms } from './programs/registry.ts';
export { ManagementCluster, type ManagementClusterOptions } from './management-cluster.ts';
export { operatorVersion } from './product-version.ts';
export { ownProgram } from './processes/own-programs.ts';
export { mayNameServices, type RealPrograms } from './processes/real-programs.ts';
export type { ProgramsRun } from './processes/program-words.ts';
