import type { HostedCluster } from '@hypershift-ts/hypershift-api';
import type { corev1 } from '@hypershift-ts/kube-apimachinery';
import { PlatformError } from '../errors.ts';
import type { CredentialScope, PlatformCondition } from '../platform.ts';
import { tokenFile } from '../shared/provider-pod.ts';
import { opaqueSecret } from '../shared/secrets.ts';
import { settingsOf } from '../shared/settings.ts';

type WorkloadIdentity = NonNullable<HostedCluster['spec']['platform']['gcp']>['workloadIdentity'];
type Role = keyof WorkloadIdentity['serviceAccountsEmails'];

/** Role to the Secret its users mount. Pairs, not a map by address: two roles may share one service account. */
const secretsOfRoles: readonly (readonly [role: Role, secret: string, text: string])[] = [
  ['nodePool', 'node-management-creds', 'node pool'],
  ['controlPlane', 'control-plane-operator-creds', 'control plane'],
  ['cloudController', 'cloud-controller-manager-creds', 'cloud controller'],
  ['storage', 'gcp-pd-cloud-credentials', 'storage'],
  ['imageRegistry', 'image-registry-creds', 'image registry'],
  ['network', 'cloud-network-config-controller-creds', 'network'],
];

export const gcpCredentialsKey = 'application_default_credentials.json';

/** Credentials with which Google trades a token of the hosted cluster for one of the service account. */
export function externalAccount(identity: WorkloadIdentity, email: string): string {
  const { projectNumber, poolID, providerID } = identity;
  return JSON.stringify({
    type: 'external_account',
    audience: `//iam.googleapis.com/projects/${projectNumber}/locations/global/workloadIdentityPools/${poolID}/providers/${providerID}`,
    subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
    token_url: 'https://sts.googleapis.com/v1/token',
    service_account_impersonation_url: `https://iamcredentials.googleapis.com/v1/projects/-/serviceAccounts/${email}:generateAccessToken`,
    credential_source: { file: tokenFile, format: { type: 'text' } },
  });
}

/** What the workload identity lacks, in words, with the field. */
function missingPart(identity: WorkloadIdentity): readonly [text: string, field: string] | undefined {
  if (!identity.projectNumber) return ['project number', 'projectNumber'];
  if (!identity.poolID) return ['pool ID', 'poolID'];
  if (!identity.providerID) return ['provider ID', 'providerID'];
  const role = secretsOfRoles.find(([name]) => !identity.serviceAccountsEmails?.[name]);
  return role && [`${role[2]} service account email`, `serviceAccountsEmails.${role[0]}`];
}

export function gcpCredentials({ cluster, namespace }: CredentialScope): readonly corev1.Secret[] {
  const { workloadIdentity } = settingsOf(cluster.spec.platform, 'gcp');
  const missing = missingPart(workloadIdentity);
  if (missing) {
    const field = `spec.platform.gcp.workloadIdentity.${missing[1]}`;
    throw new PlatformError('PLATFORM_CREDENTIALS_INVALID', {
      message: `${missing[0]} is required`,
      fix: `set ${field}`,
      field,
    });
  }
  return secretsOfRoles.map(([role, name]) =>
    opaqueSecret(namespace, name, {
      [gcpCredentialsKey]: externalAccount(workloadIdentity, workloadIdentity.serviceAccountsEmails[role]),
    }),
  );
}

const text = (failure: unknown) => (failure instanceof Error ? failure.message : String(failure));

/** ValidGCPWorkloadIdentity judges the settings, ValidGCPCredentials the writing of the Secrets. */
export function gcpCredentialConditions(cluster: HostedCluster, failure: unknown): readonly PlatformCondition[] {
  const identity = cluster.spec.platform.gcp?.workloadIdentity;
  if (!identity)
    return [
      {
        type: 'ValidGCPWorkloadIdentity',
        status: 'False',
        reason: 'MissingGCPConfiguration',
        message: 'GCP platform configuration is missing',
      },
    ];
  const missing = missingPart(identity);
  if (missing)
    return [
      {
        type: 'ValidGCPWorkloadIdentity',
        status: 'False',
        reason: 'InvalidWIFConfiguration',
        message: `Workload Identity Federation configuration is invalid: ${missing[0]} is required`,
      },
    ];
  return [
    {
      type: 'ValidGCPWorkloadIdentity',
      status: 'True',
      reason: 'ValidWIFConfiguration',
      message: 'Workload Identity Federation configuration is valid and ready',
    },
    failure === undefined
      ? {
          type: 'ValidGCPCredentials',
          status: 'True',
          reason: 'WIFReady',
          message: 'GCP Workload Identity Federation is configured and ready',
        }
      : {
          type: 'ValidGCPCredentials',
          status: 'False',
          reason: 'CredentialsError',
          message: `Failed to reconcile credentials: ${text(failure)}`,
        },
  ];
}
