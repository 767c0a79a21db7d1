/** What the control plane operator reports. */
import { kubeconfigSecretReference } from '../common/references.ts';
import { hostedClusterStatus } from '../hosted-cluster/status.ts';
import { clusterVersionStatus } from '../hosted-cluster/version-status.ts';
import { boolean, dateTime, integer, object, string } from '../schema/index.ts';

/** Fields that are the same in a HostedCluster. */
const shared = hostedClusterStatus.fields;

export const hostedControlPlaneStatus = object({
  initialized: boolean().default(false),
  ready: boolean().default(false),
  autoNode: shared.autoNode,
  conditions: shared.conditions,
  configuration: shared.configuration,
  controlPlaneEndpoint: shared.controlPlaneEndpoint,
  controlPlaneVersion: shared.controlPlaneVersion,
  customKubeconfig: kubeconfigSecretReference.optional(),
  externalManagedControlPlane: boolean().optional().default(true),
  kubeConfig: kubeconfigSecretReference.optional(),
  kubeadminPassword: shared.kubeadminPassword,
  lastReleaseImageTransitionTime: dateTime().optional(),
  nodeCount: integer().optional(),
  oauthCallbackURLTemplate: string({ maxLength: 255 }).optional(),
  platform: shared.platform,
  releaseImage: string({ maxLength: 255 }).optional(),
  secretEncryption: shared.secretEncryption,
  version: string({ maxLength: 255 }).optional(),
  versionStatus: clusterVersionStatus.optional(),
});
