import { annotations } from '@hypershift-ts/hypershift-api';
import type { ProviderDeployment, ProviderScope } from '../platform.ts';
import {
  healthOn9440,
  masterToleration,
  namespaceEnv,
  providerImage,
  requests,
  webhookTlsMount,
  webhookTlsVolume,
} from '../shared/provider-pod.ts';
import { providerTlsArgs } from '../shared/tls-profile.ts';

/** Releases hold no image of this provider: the operator is given one, or the cluster names one. */
export function kubevirtProvider(scope: ProviderScope): ProviderDeployment {
  return {
    replicas: 1,
    podSpec: {
      terminationGracePeriodSeconds: 10,
      tolerations: [masterToleration],
      volumes: [webhookTlsVolume],
      containers: [
        {
          name: 'manager',
          image: providerImage(scope, { type: 'KubeVirt', annotation: annotations.capiProviderKubevirtImage.key }),
          imagePullPolicy: 'IfNotPresent',
          command: ['/manager'],
          args: [
            '--namespace',
            '$(MY_NAMESPACE)',
            '--v=4',
            '--leader-elect=true',
            ...providerTlsArgs(scope.hostedControlPlane, scope.version),
          ],
          env: [namespaceEnv],
          resources: requests('10m', '100Mi'),
          volumeMounts: [webhookTlsMount],
          ...healthOn9440,
        },
      ],
    },
  };
}
