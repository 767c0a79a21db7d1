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
  host: string({ maxLength: 255 }),
  port: int32(),
});

export const hostedClusterStatus = object({
  autoNode: autoNodeStatus.optional(),
  conditions: conditions.optional(),
  configuration: configurationStatus.optional(),
  controlPlaneEndpoint: apiEndpoint.optional(),
  controlPlaneVersion: controlPlaneVersionStatus.optional(),
  customKubeconfig: localObjectReference.optional(),
  ignitionEndpoint: string({ maxLength: 1024 }).optional(),
  kubeadminPassword: localObjectReference.optional(),
  kubeconfig: localObjectReference.optional(),
  lastSuccessfulEtcdBackupURL: string({ minLength: 1, maxLength: 2048 })
    .optional()
    .gate('HCPEtcdBackup')
    .rule(
      "self.matches('^(https|s3)://.*')",
      'lastSuccessfulEtcdBackupURL must be a valid URL with scheme https or s3',
    ),
  oauthCallbackURLTemplate: string({ maxLength: 1024 }).optional(),
  payloadArch: enumOf(['Multi', 'ARM64', 'AMD64', 'PPC64LE', 'S390X']).optional(),
  platform: hostedClusterPlatformStatus.optional(),
  secretEncryption: secretEncryptionStatus.optional(),
  version: clusterVersionStatus.optional(),
});
