import type { HostedCluster } from '@hypershift-ts/hypershift-api';
import type { corev1 } from '@hypershift-ts/kube-apimachinery';
import { PlatformError } from '../errors.ts';
import type { CredentialScope } from '../platform.ts';
import { tokenFile } from '../shared/provider-pod.ts';
import { opaqueSecret } from '../shared/secrets.ts';
import { settingsOf } from '../shared/settings.ts';

type Roles = NonNullable<HostedCluster['spec']['platform']['aws']>['rolesRef'];

/** Role to the Secret its users mount. A list of pairs, because several Secrets may hold the same role. */
const secretsOfRoles: readonly (readonly [role: keyof Roles, secret: string])[] = [
  ['kubeCloudControllerARN', 'cloud-controller-creds'],
  ['nodePoolManagementARN', 'node-management-creds'],
  ['controlPlaneOperatorARN', 'control-plane-operator-creds'],
  ['networkARN', 'cloud-network-config-controller-creds'],
  ['storageARN', 'ebs-cloud-credentials'],
];

/** Secret with the role that may use the key for encryption. */
export const awsKmsSecretName = 'kms-creds';

/** An AWS profile that trades a token of the hosted cluster for the role. */
export function webIdentityProfile(roleArn: string, region: string, field: string): string {
  if (!roleArn || !region)
    throw new PlatformError('PLATFORM_CREDENTIALS_INVALID', {
      message: roleArn
        ? 'a region must be specified for cross-partition compatibility in AssumeRole credentials'
        : 'role arn cannot be empty in AssumeRole credentials',
      fix: roleArn ? 'set spec.platform.aws.region' : `set ${field}`,
      field: roleArn ? 'spec.platform.aws.region' : field,
    });
  return [
    '[default]',
    `role_arn = ${roleArn}`,
    `web_identity_token_file = ${tokenFile}`,
    'sts_regional_endpoints = regional',
    `region = ${region}`,
    '',
  ].join('\n');
}

export function awsCredentials({ cluster, namespace }: CredentialScope): readonly corev1.Secret[] {
  const { region, rolesRef } = settingsOf(cluster.spec.platform, 'aws');
  const secret = (name: string, role: string, field: string) =>
    opaqueSecret(namespace, name, { credentials: webIdentityProfile(role, region, field) });
  const kms = cluster.spec.secretEncryption?.kms?.aws;
  return [
    ...secretsOfRoles.map(([role, name]) => secret(name, rolesRef[role], `spec.platform.aws.rolesRef.${role}`)),
    ...(kms?.activeKey?.arn && kms.auth?.awsKms
      ? [secret(awsKmsSecretName, kms.auth.awsKms, 'spec.secretEncryption.kms.aws.auth.awsKms')]
      : []),
  ];
}
