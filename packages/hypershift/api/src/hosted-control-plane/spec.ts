/** A HostedCluster as its control plane operator sees it; admission is weaker because a controller writes it. */
import { kubeconfigSecretReference, localObjectReference } from '../common/references.ts';
import { dns } from '../hosted-cluster/dns.ts';
import { etcd } from '../hosted-cluster/etcd.ts';
import { networking } from '../hosted-cluster/networking.ts';
import { hostedClusterSpec } from '../hosted-cluster/spec.ts';
import { boolean, enumOf, object, string, stringMap } from '../schema/index.ts';

/** Fields that are the same in a HostedCluster. */
const shared = hostedClusterSpec.fields;

export const hostedControlPlaneSpec = object({
  dns,
  etcd,
  infraID: string({ maxLength: 255 }),
  issuerURL: string({ maxLength: 255 }),
  platform: shared.platform,
  pullSecret: shared.pullSecret,
  releaseImage: string({ maxLength: 255 }),
  services: shared.services,
  sshKey: localObjectReference,
  additionalTrustBundle: shared.additionalTrustBundle,
  auditWebhook: shared.auditWebhook,
  autoNode: shared.autoNode,
  autoscaling: shared.autoscaling,
  capabilities: shared.capabilities,
  channel: string({ maxLength: 255 }).optional(),
  clusterID: string({ maxLength: 255 }).optional(),
  configuration: shared.configuration,
  controlPlaneReleaseImage: string({ maxLength: 255 }).optional(),
  controllerAvailabilityPolicy: shared.controllerAvailabilityPolicy,
  fips: boolean().optional(),
  imageContentSources: shared.imageContentSources,
  infrastructureAvailabilityPolicy: shared.infrastructureAvailabilityPolicy,
  kubeAPIServerDNSName: shared.kubeAPIServerDNSName,
  kubeconfig: kubeconfigSecretReference.optional(),
  labels: shared.labels,
  monitoring: shared.monitoring,
  networking: networking.optional(),
  nodeSelector: stringMap().optional(),
  olmCatalogPlacement: enumOf(['management', 'guest']).optional().default('management'),
  operatorConfiguration: shared.operatorConfiguration,
  pausedUntil: string({ maxLength: 255 }).optional(),
  secretEncryption: shared.secretEncryption,
  serviceAccountSigningKey: shared.serviceAccountSigningKey,
  tolerations: shared.tolerations,
  updateService: string().optional(),
})
  .rule(
    "self.platform.type == 'IBMCloud' ? size(self.services) >= 3 : size(self.services) >= 4",
    'spec.services in body should have at least 4 items or 3 for IBMCloud',
  )
  .rule(
    "!has(self.operatorConfiguration) || !has(self.operatorConfiguration.clusterNetworkOperator) || !has(self.operatorConfiguration.clusterNetworkOperator.disableMultiNetwork) || !self.operatorConfiguration.clusterNetworkOperator.disableMultiNetwork || self.networking.networkType == 'Other'",
    "disableMultiNetwork can only be set to true when networkType is 'Other'",
  )
  .rule(
    '!has(oldSelf.secretEncryption) || has(self.secretEncryption)',
    'secretEncryption cannot be removed once configured',
  );
