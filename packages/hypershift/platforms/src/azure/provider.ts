import { annotations } from '@hypershift-ts/hypershift-api';
import type { corev1 } from '@hypershift-ts/kube-apimachinery';
import type { ProviderDeployment, ProviderScope } from '../platform.ts';
import {
  kubeconfigMount,
  kubeconfigVolume,
  namespaceEnv,
  providerImage,
  requests,
  tokenFile,
  tokenMinter,
  tokenMountPath,
  tokenVolume,
  webhookTlsMount,
} from '../shared/provider-pod.ts';
import { settingsOf } from '../shared/settings.ts';
import { providerTlsArgs } from '../shared/tls-profile.ts';
import { managedCertificates, workloadIdentitiesOf } from './identity.ts';

/** What one way of logging in adds to the pod. */
interface LoginParts {
  readonly env: readonly corev1.EnvVar[];
  readonly mounts: readonly corev1.VolumeMount[];
  readonly volumes: readonly corev1.Volume[];
  readonly sidecars: readonly corev1.Container[];
}

function withVault(keyVaultClientID: string): LoginParts {
  const volume = 'nodepool-management-cert';
  return {
    env: [{ name: 'ARO_HCP_KEY_VAULT_USER_CLIENT_ID', value: keyVaultClientID }],
    mounts: [{ name: volume, mountPath: managedCertificates, readOnly: true }],
    volumes: [
      {
        name: volume,
        csi: {
          driver: 'secrets-store.csi.k8s.io',
          readOnly: true,
          volumeAttributes: { secretProviderClass: 'managed-azure-nodepool-management' },
        },
      },
    ],
    sidecars: [],
  };
}

function withToken(clientID: string, tenantID: string, image: string): LoginParts {
  const volume = 'cloud-token';
  return {
    env: [
      { name: 'AZURE_FEDERATED_TOKEN_FILE', value: tokenFile },
      { name: 'AZURE_CLIENT_ID', value: clientID },
      { name: 'AZURE_TENANT_ID', value: tenantID },
    ],
    mounts: [{ name: volume, mountPath: tokenMountPath }],
    volumes: [tokenVolume(volume)],
    sidecars: [
      tokenMinter({
        name: 'cloud-token-minter',
        image,
        volume,
        serviceAccount: { namespace: 'kube-system', name: 'capi-provider' },
      }),
    ],
  };
}

function login({ cluster, managedAzure, utilitiesImage }: ProviderScope): LoginParts {
  if (managedAzure) return withVault(managedAzure.keyVaultClientID);
  const settings = settingsOf(cluster.spec.platform, 'azure');
  const identities = workloadIdentitiesOf(settings);
  if (!identities) return { env: [], mounts: [], volumes: [], sidecars: [] };
  return withToken(identities.nodePoolManagement.clientID, settings.tenantID, utilitiesImage);
}

export function azureProvider(scope: ProviderScope): ProviderDeployment {
  const { env, mounts, volumes, sidecars } = login(scope);
  return {
    replicas: 1,
    podSpec: {
      terminationGracePeriodSeconds: 10,
      volumes: [
        { name: 'capi-webhooks-tls', secret: { secretName: 'capi-webhooks-tls' } },
        kubeconfigVolume,
        ...volumes,
      ],
      containers: [
        {
          name: 'manager',
          image: providerImage(scope, {
            type: 'Azure',
            annotation: annotations.capiProviderAzureImage.key,
            component: 'azure-cluster-api-controllers',
          }),
          imagePullPolicy: 'IfNotPresent',
          args: [
            '--namespace=$(MY_NAMESPACE)',
            '--leader-elect=true',
            '--feature-gates=MachinePool=false,ASOAPI=false',
            '--disable-controllers-or-webhooks=DisableASOSecretController',
            ...providerTlsArgs(scope.hostedControlPlane, scope.version),
          ],
          env: [namespaceEnv, ...env],
          resources: requests('10m', '10Mi'),
          volumeMounts: [webhookTlsMount, kubeconfigMount, ...mounts],
        },
        ...sidecars,
      ],
    },
  };
}
