import { annotations } from '@hypershift-ts/hypershift-api';
import type { corev1 } from '@hypershift-ts/kube-apimachinery';
import type { ProviderDeployment, ProviderScope } from '../platform.ts';
import {
  healthOn9440,
  isAtLeast,
  kubeconfigMount,
  kubeconfigVolume,
  namespaceEnv,
  providerImage,
  requests,
  webhookTlsMount,
  webhookTlsVolume,
} from '../shared/provider-pod.ts';
import { providerTlsArgs } from '../shared/tls-profile.ts';

const probe = (path: string, initialDelaySeconds: number, periodSeconds: number) => ({
  httpGet: { path, port: 8081 },
  initialDelaySeconds,
  periodSeconds,
});

/** Makes images and other resources of OpenStack; a program of its own since 4.19. */
function resourceController(scope: ProviderScope): corev1.Container {
  return {
    name: 'orc-manager',
    image:
      scope.cluster.metadata.annotations?.[annotations.orcImage.key] ||
      scope.image('openstack-resource-controller') ||
      '',
    imagePullPolicy: 'IfNotPresent',
    command: ['/manager'],
    args: ['--namespace=$(MY_NAMESPACE)', '--leader-elect', '--health-probe-bind-address=:8081', '--zap-log-level=4'],
    env: [namespaceEnv],
    livenessProbe: probe('/healthz', 15, 20),
    readinessProbe: probe('/readyz', 5, 10),
    resources: { limits: { cpu: '500m', memory: '128Mi' }, ...requests('10m', '64Mi') },
    securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
  };
}

export function openStackProvider(scope: ProviderScope): ProviderDeployment {
  return {
    replicas: 1,
    podSpec: {
      terminationGracePeriodSeconds: 10,
      volumes: [webhookTlsVolume, kubeconfigVolume],
      containers: [
        {
          name: 'manager',
          image: providerImage(scope, {
            type: 'OpenStack',
            annotation: annotations.capiProviderOpenstackImage.key,
            component: 'openstack-cluster-api-controllers',
          }),
          imagePullPolicy: 'IfNotPresent',
          command: ['/manager'],
          args: [
            '--namespace=$(MY_NAMESPACE)',
            '--leader-elect',
            '--v=2',
            // Migrating CRDs needs cluster-wide access, which a provider confined to one namespace does not have.
            '--skip-crd-migration-phases=StorageVersionMigration',
            '--skip-crd-migration-phases=CleanupManagedFields',
            ...providerTlsArgs(scope.hostedControlPlane, scope.version),
          ],
          env: [namespaceEnv],
          resources: requests('10m', '10Mi'),
          volumeMounts: [webhookTlsMount, kubeconfigMount],
          ...healthOn9440,
        },
        ...(isAtLeast(scope.version, 19) ? [resourceController(scope)] : []),
      ],
    },
  };
}
