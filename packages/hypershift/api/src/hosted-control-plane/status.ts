/** What the control plane operator reports. */
import { conditions } from '../common/conditions.ts';
import { kubeconfigSecretReference, localObjectReference } from '../common/references.ts';
import { configurationStatus } from '../configuration/status.ts';
import { autoNodeStatus } from '../hosted-cluster/autoscaling.ts';
import { secretEncryptionStatus } from '../hosted-cluster/secret-encryption-status.ts';
import { apiEndpoint } from '../hosted-cluster/status.ts';
import { clusterVersionStatus, controlPlaneVersionStatus } from '../hosted-cluster/version-status.ts';
import { hostedClusterPlatformStatus } from '../platforms/platform.ts';
import { boolean, dateTime, integer, object, string } from '../schema/index.ts';

export const hostedControlPlaneStatus = object({
  initialized: boolean().default(false),
  ready: boolean().default(false),
  autoNode: autoNodeStatus.optional(),
  conditions: conditions.optional(),
  configuration: configurationStatus.optional(),
  controlPlaneEndpoint: apiEndpoint.optional(),
  controlPlaneVersion: controlPlaneVersionStatus.optional(),
  customKubeconfig: kubeconfigSecretReference.optional(),
  externalManagedControlPlane: boolean().optional().default(true),
  kubeConfig: kubeconfigSecretReference.optional(),
  kubeadminPassword: localObjectReference.optional(),
  lastReleaseImageTransitionTime: dateTime().optional(),
  nodeCount: integer().optional(),
  oauthCallbackURLTemplate: string({ maxLength: 255 }).optional(),
  platform: hostedClusterPlatformStatus.optional(),
  releaseImage: string({ maxLength: 255 }).optional(),
  secretEncryption: secretEncryptionStatus.optional(),
  version: string({ maxLength: 255 }).optional(),
  versionStatus: clusterVersionStatus.optional(),
});
