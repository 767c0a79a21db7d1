import { annotations } from '@hypershift-ts/hypershift-api';
import type { ProviderDeployment, ProviderScope } from '../platform.ts';
import { namespaceEnv, providerImage, requests } from '../shared/provider-pod.ts';
import { settingsOf } from '../shared/settings.ts';
import { providerTlsArgs } from '../shared/tls-profile.ts';

const probe = (path: string) => ({ httpGet: { path, port: 8081 }, initialDelaySeconds: 15, periodSeconds: 20 });

export function agentProvider(scope: ProviderScope): ProviderDeployment {
  return {
    replicas: 1,
    podSpec: {
      terminationGracePeriodSeconds: 10,
      containers: [
        {
          name: 'manager',
          image: providerImage(scope, {
            type: 'Agent',
            annotation: annotations.capiProviderAgentImage.key,
            fallback: 'quay.io/edge-infrastructure/cluster-api-provider-agent:latest',
          }),
          command: ['/manager'],
          args: [
            '--namespace',
            '$(MY_NAMESPACE)',
            '--health-probe-bind-address=:8081',
            '--metrics-bind-address=127.0.0.1:8080',
            '--leader-elect',
            '--agent-namespace',
            settingsOf(scope.cluster.spec.platform, 'agent').agentNamespace,
            ...providerTlsArgs(scope.hostedControlPlane, scope.version),
          ],
          env: [namespaceEnv],
          livenessProbe: probe('/healthz'),
          readinessProbe: probe('/readyz'),
          resources: requests('100m', '20Mi'),
        },
      ],
    },
  };
}
