/** What the control plane operator reports. */
import { kubeconfigSecretReference } from '../common/references.ts';
import { hostedClusterStatus } from '../hosted-cluster/status.ts';
import { clusterVersionStatus } from '../hosted-cluster/version-status.ts';
import { boolean, dateTime, integer, object, string } from '../schema/index.ts';

/** Fields that are the same in a HostedCluster. */
const shared = hostedClusterStatus.fields;

export const hostedControlPlaneStatus = object({
  initialized: boolean()
    .default(false)
    .describe('True once the operator has processed the object for the first time; Cluster API waits for it.'),
  ready: boolean().default(false).describe('True while the control plane is available; Cluster API waits for it.'),
  autoNode: shared.autoNode,
  conditions: shared.conditions,
  configuration: shared.configuration,
  controlPlaneEndpoint: shared.controlPlaneEndpoint,
  controlPlaneVersion: shared.controlPlaneVersion,
  customKubeconfig: kubeconfigSecretReference
    .optional()
    .describe("Secret with an administrator's kubeconfig for the custom DNS name."),
  externalManagedControlPlane: boolean()
    .optional()
    .default(true)
    .describe('Tells Cluster API that no machines belong to the control plane; always true.'),
  kubeConfig: kubeconfigSecretReference
    .optional()
    .describe("Secret with an administrator's kubeconfig; the API server is not available before it exists."),
  kubeadminPassword: shared.kubeadminPassword,
  lastReleaseImageTransitionTime: dateTime()
    .optional()
    .describe('Deprecated: when `releaseImage` last changed. See `versionStatus`.'),
  nodeCount: integer().optional().describe('Number of nodes in the hosted cluster.'),
  oauthCallbackURLTemplate: string({ maxLength: 255 })
    .optional()
    .describe('Callback URL to register at identity providers, with `[identity-provider-name]` in place of the name.'),
  platform: shared.platform,
  releaseImage: string({ maxLength: 255 })
    .optional()
    .describe('Deprecated: release image last rolled out. See `versionStatus`.'),
  secretEncryption: shared.secretEncryption,
  version: string({ maxLength: 255 })
    .optional()
    .describe('Deprecated: version last rolled out, as text. See `versionStatus`.'),
  versionStatus: clusterVersionStatus
    .optional()
    .describe('Versions of the cluster as its version operator reports them.'),
}).describe('What the control plane operator reports.');
