/** Machine API and Cluster API say the same thing differently: conversions between both, and how they are compared. */
export type { AppliedStatus } from './applied-status.ts';
export type { ClusterFacts, InfrastructureFacts, VSphereFailureDomain } from './conversion/cluster-facts.ts';
export type { Conversion } from './conversion/findings.ts';
export type { InfraObject, InfraTemplate } from './conversion/infra-objects.ts';
export { type ClusterApiMachine, machineToClusterApi } from './conversion/machine/to-cluster-api.ts';
export { machineToMachineApi } from './conversion/machine/to-machine-api.ts';
export { type ClusterApiMachineSet, machineSetToClusterApi } from './conversion/machine-set/to-cluster-api.ts';
export { machineSetToMachineApi } from './conversion/machine-set/to-machine-api.ts';
export type { PlatformConversion } from './conversion/platform-conversion.ts';
export { convertiblePlatforms, platformConversion } from './conversion/platforms.ts';
export { templateName } from './conversion/template-name.ts';
export {
  clusterApiOwner,
  clusterApiSetOwner,
  machineApiOwner,
  machineApiSetOwner,
  type Owner,
  type OwnerOutcome,
  ownerReferences,
} from './conversion/owner-references.ts';
export * from './differ/index.ts';
export { type AdmissionPolicy, commonPolicies, platformPolicies } from './policies/index.ts';
export { policyTransports, readPolicyTransport } from './policies/transport.ts';
export { type HandoverStep, nextHandoverStep, type WaitReason } from './handover/next-step.ts';
export type { Authority, HandoverObjects, Mirror } from './handover/objects.ts';
export { type PendingMigration, pendingMigration } from './handover/pending.ts';
export { handoverManagers, handoverStatus } from './handover/status.ts';
export { machineDeletion, type MachinePair } from './sync/deletion/machine.ts';
export { machineSetDeletion, type MachineSetPair } from './sync/deletion/machine-set.ts';
export type { DeletionStep } from './sync/deletion/step.ts';
export { owningSet, type SyncDirection, syncDirection } from './sync/direction.ts';
export { desiredClusterApiMachine, desiredInfraMachine, desiredMachineApiMachine } from './sync/desired/machine.ts';
export {
  desiredClusterApiMachineSet,
  desiredMachineApiMachineSet,
  outdatedTemplates,
} from './sync/desired/machine-set.ts';
export { mergedConditions } from './sync/merged-conditions.ts';
export { type SyncFailure, type SyncOutcome, synchronizedManagers, synchronizedStatus } from './sync/synchronized.ts';
export { stalledMigrationRule } from './controllers/pending-metric.ts';
export { type MigrationControllersOptions, migrationControllers, runMigrationControllers } from './controllers/run.ts';
export type { MigrationSettings } from './controllers/scope.ts';
