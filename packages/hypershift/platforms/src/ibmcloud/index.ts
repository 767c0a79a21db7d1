/** IBM Cloud: nodes come from elsewhere; only the key service is ours. */
import type { HostedCluster } from '@hypershift-ts/hypershift-api';
import type { corev1 } from '@hypershift-ts/kube-apimachinery';
import { PlatformError } from '../errors.ts';
import type { CredentialScope, Platform, SourceSecret } from '../platform.ts';
import { readyInfraCluster } from '../shared/infra-object.ts';
import { plainPlatform, traits } from '../shared/plain-platform.ts';
import { requireSecret, secretOf } from '../shared/secrets.ts';
import { ibmcloudGuest } from './guest.ts';
import { ibmcloudMachines } from './machines.ts';

const apiKey = 'iam_apikey';
const withoutInfrastructure = new Set(['UPI', 'Classic', 'VPC']);

function keyServiceSecret({ spec }: HostedCluster): SourceSecret | undefined {
  const auth = spec.secretEncryption?.kms?.ibmcloud?.auth;
  if (auth?.type !== 'Unmanaged') return undefined;
  const field = 'spec.secretEncryption.kms.ibmcloud.auth.unmanaged.credentials';
  const name = auth.unmanaged?.credentials.name;
  if (name) return { name, field };
  throw new PlatformError('PLATFORM_CREDENTIALS_INVALID', {
    message: 'ibm unmanaged auth credential nil',
    fix: `set ${field}`,
    field,
  });
}

function ibmKeyService({ cluster, namespace, secrets }: CredentialScope): readonly corev1.Secret[] {
  if (!cluster.spec.secretEncryption?.kms?.ibmcloud)
    throw new PlatformError('PLATFORM_CREDENTIALS_INVALID', {
      message: 'ibm kms metadata nil',
      fix: 'set spec.secretEncryption.kms.ibmcloud',
      field: 'spec.secretEncryption.kms.ibmcloud',
    });
  const source = keyServiceSecret(cluster);
  if (!source) return [];
  const { [apiKey]: key = '' } = requireSecret(secrets, source, [apiKey]);
  return [secretOf(namespace, source.name, { [apiKey]: key })];
}

export const ibmcloud: Platform = plainPlatform('IBMCloud', {
  machines: ibmcloudMachines,
  guest: ibmcloudGuest,
  traits: traits('IBMCloud', { apiServerPort: 2040 }),
  infrastructure: ({ cluster, namespace, endpoint }) => {
    const providerType = cluster.spec.platform.ibmcloud?.providerType;
    if (providerType && withoutInfrastructure.has(providerType)) return undefined;
    return {
      before: [],
      cluster: readyInfraCluster(
        'infrastructure.cluster.x-k8s.io/v1beta2',
        'IBMVPCCluster',
        { name: cluster.metadata.name ?? '', namespace },
        // Required by the CRD and meaningless here, where nobody makes machines from it.
        { region: '', resourceGroup: '', controlPlaneEndpoint: endpoint },
      ),
    };
  },
  sourceSecrets: (cluster) => {
    const source = keyServiceSecret(cluster);
    return source ? [source] : [];
  },
  keyService: ibmKeyService,
});
