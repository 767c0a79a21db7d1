/** A HostedCluster as its control plane operator sees it; admission is weaker because a controller writes it. */
import { kubeconfigSecretReference, localObjectReference } from '../common/references.ts';
import { toleration } from '../common/scheduling.ts';
import { clusterConfiguration } from '../configuration/cluster-configuration.ts';
import { autoNode, clusterAutoscaling } from '../hosted-cluster/autoscaling.ts';
import { capabilities } from '../hosted-cluster/capabilities.ts';
import { dns } from '../hosted-cluster/dns.ts';
import { etcd } from '../hosted-cluster/etcd.ts';
import { monitoring } from '../hosted-cluster/monitoring.ts';
import { networking } from '../hosted-cluster/networking.ts';
import { operatorConfiguration } from '../hosted-cluster/operator-configuration.ts';
import { secretEncryption } from '../hosted-cluster/secret-encryption.ts';
import { servicePublishing } from '../hosted-cluster/services.ts';
import { imageContentSource } from '../hosted-cluster/spec.ts';
import { hostedClusterPlatform } from '../platforms/platform.ts';
import { boolean, enumOf, list, object, raw, string, stringMap } from '../schema/index.ts';

export const hostedControlPlaneSpec = object({
  dns,
  etcd,
  infraID: string({ maxLength: 255 }),
  issuerURL: string({ maxLength: 255 }),
  platform: hostedClusterPlatform,
  pullSecret: localObjectReference,
  releaseImage: string({ maxLength: 255 }),
  services: list(servicePublishing, { maxItems: 6 }),
  sshKey: localObjectReference,
  additionalTrustBundle: localObjectReference.optional(),
  auditWebhook: localObjectReference.optional(),
  autoNode: autoNode.optional(),
  autoscaling: clusterAutoscaling.optional(),
  capabilities: capabilities.optional().default({}),
  channel: string({ maxLength: 255 }).optional(),
  clusterID: string({ maxLength: 255 }).optional(),
  configuration: clusterConfiguration.optional(),
  controlPlaneReleaseImage: string({ maxLength: 255 }).optional(),
  controllerAvailabilityPolicy: enumOf(['HighlyAvailable', 'SingleReplica'])
    .optional()
    .default('HighlyAvailable')
    .immutable('ControllerAvailabilityPolicy is immutable'),
  fips: boolean().optional(),
  imageContentSources: list(imageContentSource, { maxItems: 255 }).optional(),
  infrastructureAvailabilityPolicy: enumOf(['HighlyAvailable', 'SingleReplica']).optional().default('SingleReplica'),
  kubeAPIServerDNSName: string({ maxLength: 253 })
    .optional()
    .rule(
      raw`self == "" || self.matches('^(?:(?:[a-zA-Z0-9-]+\\.)+[a-zA-Z]{2,}|[a-zA-Z0-9-]+)$')`,
      'kubeAPIServerDNSName must be a valid URL name (e.g., api.example.com)',
    ),
  kubeconfig: kubeconfigSecretReference.optional(),
  labels: stringMap({ maxProperties: 20 }).optional(),
  monitoring: monitoring.optional(),
  networking: networking.optional(),
  nodeSelector: stringMap().optional(),
  olmCatalogPlacement: enumOf(['management', 'guest']).optional().default('management'),
  operatorConfiguration: operatorConfiguration.optional(),
  pausedUntil: string({ maxLength: 255 }).optional(),
  secretEncryption: secretEncryption.optional(),
  serviceAccountSigningKey: localObjectReference.optional(),
  tolerations: list(toleration, { maxItems: 25 }).optional(),
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
