import { annotations } from '@hypershift-ts/hypershift-api';
import type { ProviderDeployment, ProviderScope } from '../platform.ts';
import {
  healthOn9440,
  namespaceEnv,
  providerImage,
  requests,
  webhookTlsMount,
  webhookTlsVolume,
} from '../shared/provider-pod.ts';
import { settingsOf } from '../shared/settings.ts';
import { providerTlsArgs } from '../shared/tls-profile.ts';

export function powervsProvider(scope: ProviderScope): ProviderDeployment {
  const credentials = settingsOf(scope.cluster.spec.platform, 'powervs').nodePoolManagementCreds.name ?? '';
  return {
    replicas: 1,
    podSpec: {
      terminationGracePeriodSeconds: 10,
      volumes: [webhookTlsVolume, { name: 'credentials', secret: { secretName: credentials } }],
      containers: [
        {
          name: 'manager',
          image: providerImage(scope, {
            type: 'PowerVS',
            annotation: annotations.capiProviderPowervsImage.key,
            component: 'ibmcloud-cluster-api-controllers',
          }),
          imagePullPolicy: 'IfNotPresent',
          command: ['/bin/cluster-api-provider-ibmcloud-controller-manager'],
          args: [
            '--namespace',
            '$(MY_NAMESPACE)',
            '--v=4',
            '--leader-elect=true',
            '--provider-id-fmt=v2',
            ...providerTlsArgs(scope.hostedControlPlane, scope.version),
          ],
          env: [namespaceEnv, { name: 'IBM_CREDENTIALS_FILE', value: '/home/.ibmcloud/ibm-credentials.env' }],
          resources: requests('10m', '100Mi'),
          volumeMounts: [{ name: 'credentials', mountPath: '/home/.ibmcloud' }, webhookTlsMount],
          ...healthOn9440,
        },
      ],
    },
  };
}
