/** What is known about a hosted cluster. */
import { conditions } from '../common/conditions.ts';
import { localObjectReference } from '../common/references.ts';
import { configurationStatus } from '../configuration/status.ts';
import { hostedClusterPlatformStatus } from '../platforms/platform.ts';
import { enumOf, int32, object, string } from '../schema/index.ts';
import { autoNodeStatus } from './autoscaling.ts';
import { secretEncryptionStatus } from './secret-encryption-status.ts';
import { clusterVersionStatus, controlPlaneVersionStatus } from './version-status.ts';

export const apiEndpoint = object({
  host: string({ maxLength: 255 }).describe('Host name or address.'),
  port: int32().describe('Port number.'),
}).describe('Address at which clients reach the API server; absent until it is known.');

export const hostedClusterStatus = object({
  autoNode: autoNodeStatus.optional(),
  conditions: conditions.optional(),
  configuration: configurationStatus.optional(),
  controlPlaneEndpoint: apiEndpoint.optional(),
  controlPlaneVersion: controlPlaneVersionStatus.optional(),
  customKubeconfig: localObjectReference
    .optional()
    .describe("Secret with an administrator's kubeconfig for the custom DNS name; absent without such a name."),
  ignitionEndpoint: string({ maxLength: 1024 })
    .optional()
    .describe('Host, or host and port, from which new nodes fetch their configuration.'),
  kubeadminPassword: localObjectReference
    .optional()
    .describe('Secret with the password of user kubeadmin; absent when OAuth is configured in the spec.'),
  kubeconfig: localObjectReference.optional().describe("Secret with an administrator's kubeconfig."),
  lastSuccessfulEtcdBackupURL: string({ minLength: 1, maxLength: 2048 })
    .optional()
    .gate('HCPEtcdBackup')
    .describe('Where the latest good backup of etcd lies.')
    .rule(
      "self.matches('^(https|s3)://.*')",
      'lastSuccessfulEtcdBackupURL must be a valid URL with scheme https or s3',
    ),
  oauthCallbackURLTemplate: string({ maxLength: 1024 })
    .optional()
    .describe('Callback URL to register at identity providers, with `[identity-provider-name]` in place of the name.'),
  payloadArch: enumOf(['Multi', 'ARM64', 'AMD64', 'PPC64LE', 'S390X'])
    .optional()
    .describe('CPU architecture the release image is for; `Multi` lets node pools choose.'),
  platform: hostedClusterPlatformStatus.optional(),
  secretEncryption: secretEncryptionStatus.optional(),
  version: clusterVersionStatus
    .optional()
    .describe('Versions of the cluster as its version operator reports them, nodes aside.'),
}).describe('What is known about the hosted cluster.');
