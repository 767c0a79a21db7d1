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
  infraID: string({ maxLength: 255 }).describe(
    'Name that marks all cloud resources of the cluster, as the HostedCluster has it.',
  ),
  issuerURL: string({ maxLength: 255 }).describe('Issuer in the tokens of service accounts.'),
  platform: shared.platform,
  pullSecret: shared.pullSecret,
  releaseImage: string({ maxLength: 255 }).describe('Release image the cluster should run.'),
  services: shared.services,
  sshKey: localObjectReference.describe(
    'Secret in this namespace with the public key that may log in to nodes; an empty name means nobody.',
  ),
  additionalTrustBundle: shared.additionalTrustBundle,
  auditWebhook: shared.auditWebhook,
  autoNode: shared.autoNode,
  autoscaling: shared.autoscaling,
  capabilities: shared.capabilities,
  channel: string({ maxLength: 255 }).optional().describe('Update channel to ask for new releases.'),
  clusterID: string({ maxLength: 255 })
    .optional()
    .describe('UUID that identifies the cluster in metrics and towards the vendor.'),
  configuration: shared.configuration,
  controlPlaneReleaseImage: string({ maxLength: 255 })
    .optional()
    .describe(
      'Release image for the components on the management cluster when they differ from the rest;',
      'absent means `releaseImage`.',
    ),
  controllerAvailabilityPolicy: shared.controllerAvailabilityPolicy,
  fips: boolean().optional().describe('Whether nodes run in FIPS mode.'),
  imageContentSources: shared.imageContentSources,
  infrastructureAvailabilityPolicy: shared.infrastructureAvailabilityPolicy,
  kubeAPIServerDNSName: shared.kubeAPIServerDNSName,
  kubeconfig: kubeconfigSecretReference
    .optional()
    .describe("Secret to write the administrator's kubeconfig to; absent lets the operator choose."),
  labels: shared.labels,
  monitoring: shared.monitoring,
  networking: networking.optional(),
  nodeSelector: stringMap()
    .optional()
    .describe('Labels a management cluster node must have to run this control plane.'),
  olmCatalogPlacement: enumOf(['management', 'guest'])
    .optional()
    .default('management')
    .describe('Whether the operator catalogs run beside the control plane or on the nodes.'),
  operatorConfiguration: shared.operatorConfiguration,
  pausedUntil: string({ maxLength: 255 })
    .optional()
    .describe('Stops reconciliation until this RFC3339 time, or with `true` until the field is removed.'),
  secretEncryption: shared.secretEncryption,
  serviceAccountSigningKey: shared.serviceAccountSigningKey,
  tolerations: shared.tolerations,
  updateService: string().optional().describe('URL of the update service to ask; absent means the public one.'),
})
  .describe(
    'The HostedCluster as its control plane operator needs it; written by a controller,',
    'so edit the HostedCluster instead.',
  )
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
