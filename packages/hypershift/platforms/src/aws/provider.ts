import { annotations } from '@hypershift-ts/hypershift-api';
import type { ProviderDeployment, ProviderScope } from '../platform.ts';
import {
  healthOn9440,
  isAtLeast,
  kubeconfigVolume,
  masterToleration,
  namespaceEnv,
  providerImage,
  requests,
  tokenMinter,
  tokenMountPath,
  tokenVolume,
  webhookTlsMount,
  webhookTlsVolume,
} from '../shared/provider-pod.ts';
import { providerTlsArgs } from '../shared/tls-profile.ts';

export function awsProvider(scope: ProviderScope): ProviderDeployment {
  // The gate exists since the provider of 4.16 only.
  const featureGates = ['EKS=false', ...(isAtLeast(scope.version, 16) ? ['ROSA=false'] : [])];
  return {
    replicas: 1,
    podSpec: {
      terminationGracePeriodSeconds: 10,
      tolerations: [masterToleration],
      volumes: [
        webhookTlsVolume,
        { name: 'credentials', secret: { secretName: 'node-management-creds' } },
        kubeconfigVolume,
        tokenVolume('token'),
      ],
      containers: [
        {
          name: 'manager',
          image: providerImage(scope, {
            type: 'AWS',
            annotation: annotations.capiProviderAwsImage.key,
            component: 'aws-cluster-api-controllers',
          }),
          imagePullPolicy: 'IfNotPresent',
          args: [
            '--namespace',
            '$(MY_NAMESPACE)',
            '--v=4',
            '--leader-elect=true',
            `--feature-gates=${featureGates.join(',')}`,
            ...providerTlsArgs(scope.hostedControlPlane, scope.version),
          ],
          env: [
            namespaceEnv,
            { name: 'AWS_SHARED_CREDENTIALS_FILE', value: '/home/.aws/credentials' },
            { name: 'AWS_SDK_LOAD_CONFIG', value: 'true' },
          ],
          resources: requests('10m', '100Mi'),
          volumeMounts: [
            { name: 'credentials', mountPath: '/home/.aws' },
            webhookTlsMount,
            { name: 'token', mountPath: tokenMountPath },
          ],
          ...healthOn9440,
        },
        tokenMinter({
          name: 'token-minter',
          image: scope.utilitiesImage,
          volume: 'token',
          serviceAccount: { namespace: 'kube-system', name: 'capa-controller-manager' },
        }),
      ],
    },
  };
}
