import { annotations, finalizers, type HostedCluster, labels } from '@hypershift-ts/hypershift-api';
import type { ProviderDeployment } from '@hypershift-ts/hypershift-platforms';
import type { appsv1, corev1 } from '@hypershift-ts/kube-apimachinery';
import { belongsTo, controlPlaneNamespaceOf } from '../names/index.ts';

/** Name of both Deployments, in the order in which they are needed. */
export const clusterApiDeployments = ['cluster-api', 'capi-provider'] as const;

/** Whether machines are managed at all. */
export function managesMachines({ metadata }: HostedCluster): boolean {
  return metadata.annotations?.[annotations.disableMachineManagement.key] === undefined;
}

function deployment(
  cluster: HostedCluster,
  name: string,
  replicas: number,
  podSpec: corev1.PodSpec,
): appsv1.Deployment {
  const namespace = controlPlaneNamespaceOf(cluster);
  const selector = { app: name, [labels.controlPlaneComponent.key]: name };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: {
      name,
      namespace,
      labels: { [labels.managedBy.key]: 'hypershift-operator' },
      annotations: belongsTo(cluster),
      // It must outlive the machines: nobody else would take them down.
      ...(managesMachines(cluster) ? { finalizers: [finalizers.component.key] } : {}),
    },
    spec: {
      replicas,
      selector: { matchLabels: selector },
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: '25%' } },
      template: {
        metadata: {
          labels: {
            ...selector,
            [labels.hostedControlPlane.key]: namespace,
            // Both talk to the API server of the management cluster all the time.
            [labels.needManagementKasAccess.key]: 'true',
          },
        },
        spec: podSpec,
      },
    },
  };
}

/** The manager of Cluster API, which looks at the control plane namespace only. */
export function desiredManager(cluster: HostedCluster, releaseImage: string): appsv1.Deployment {
  return deployment(cluster, 'cluster-api', 1, {
    serviceAccountName: 'cluster-api',
    volumes: [{ name: 'capi-webhooks-tls', secret: { defaultMode: 0o640, secretName: 'capi-webhooks-tls' } }],
    containers: [
      {
        name: 'manager',
        image: cluster.metadata.annotations?.[annotations.capiManagerImage.key] || releaseImage,
        imagePullPolicy: 'IfNotPresent',
        args: [
          '--namespace',
          '$(MY_NAMESPACE)',
          '--v=4',
          '--leader-elect=true',
          '--leader-elect-lease-duration=137s',
          '--leader-elect-retry-period=26s',
          '--leader-elect-renew-deadline=107s',
        ],
        env: [{ name: 'MY_NAMESPACE', valueFrom: { fieldRef: { fieldPath: 'metadata.namespace' } } }],
        livenessProbe: {
          httpGet: { path: '/healthz', port: 9440 },
          initialDelaySeconds: 60,
          periodSeconds: 60,
          timeoutSeconds: 5,
          failureThreshold: 5,
        },
        readinessProbe: { httpGet: { path: '/readyz', port: 9440 }, periodSeconds: 10, timeoutSeconds: 5 },
        resources: { requests: { cpu: '10m', memory: '40Mi' } },
        volumeMounts: [
          { name: 'capi-webhooks-tls', readOnly: true, mountPath: '/tmp/k8s-webhook-server/serving-certs' },
        ],
      },
    ],
  });
}

/** The infrastructure provider as its platform wants it. */
export function desiredProvider(cluster: HostedCluster, { replicas, podSpec }: ProviderDeployment): appsv1.Deployment {
  return deployment(cluster, 'capi-provider', replicas, { serviceAccountName: 'capi-provider', ...podSpec });
}
