import { auditLogPersistenceConfig } from './audit-log-persistence/index.ts';
import {
  certificateRevocationRequest,
  certificateSigningRequestApproval,
  legacyCertificateSigningRequestApproval,
} from './certificates/index.ts';
import { clusterSizingConfiguration } from './cluster-sizing/index.ts';
import { controlPlaneComponent } from './control-plane-component/index.ts';
import { hcpEtcdBackup } from './etcd-backup/index.ts';
import { type FeatureSet, featureSets } from './feature-gates.ts';
import { hostedCluster } from './hosted-cluster/index.ts';
import { hostedControlPlane } from './hosted-control-plane/index.ts';
import { ec2NodeClass, karpenterNodePool, nodeClaim, nodeOverlay, openshiftEC2NodeClass } from './karpenter/index.ts';
import { nodePool } from './node-pool/index.ts';
import { monitoringCrds, openshiftCrds } from './openshift/index.ts';
import { awsEndpointService, azurePrivateLinkService, gcpPrivateServiceConnect } from './private-connectivity/index.ts';
import { type CrdManifest, crdOf, type KindDefinition } from './schema/index.ts';

/** Kinds of a management cluster. */
export const managementKinds: readonly KindDefinition[] = [
  hostedCluster,
  nodePool,
  hostedControlPlane,
  controlPlaneComponent,
  hcpEtcdBackup,
  awsEndpointService,
  azurePrivateLinkService,
  gcpPrivateServiceConnect,
  certificateSigningRequestApproval,
  legacyCertificateSigningRequestApproval,
  certificateRevocationRequest,
  clusterSizingConfiguration,
  auditLogPersistenceConfig,
];

/** Kinds the Karpenter operator installs inside a hosted cluster. */
export const karpenterKinds: readonly KindDefinition[] = [
  openshiftEC2NodeClass,
  ec2NodeClass,
  nodeClaim,
  karpenterNodePool,
  nodeOverlay,
];

/** The CRDs of a management cluster in a feature set. */
export function managementCrds(set: FeatureSet): readonly CrdManifest[] {
  return managementKinds.map((kind) => crdOf(kind, set)).filter((crd) => crd !== undefined);
}

/** The CRDs of Karpenter, which has no feature sets. */
export function karpenterCrds(): readonly CrdManifest[] {
  return karpenterKinds.map((kind) => crdOf(kind, 'Default')).filter((crd) => crd !== undefined);
}

/** The folders below `deploy/crds` and what belongs there. */
export function crdFolders(): ReadonlyMap<string, readonly CrdManifest[]> {
  return new Map([
    ...featureSets.map((set) => [set as string, managementCrds(set)] as const),
    ['karpenter', karpenterCrds()],
    ['openshift', openshiftCrds()],
    ['monitoring', monitoringCrds()],
  ]);
}
