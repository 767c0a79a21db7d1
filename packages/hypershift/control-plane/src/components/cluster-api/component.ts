import { annotations } from '@hypershift-ts/hypershift-api';
import { component } from '../../framework/component.ts';
import { annotationOf, type ControlPlaneContext } from '../../framework/context.ts';
import { identity, managing, reading, rule } from '../../framework/manifest.ts';
import { http, podNamespace, secretVolume } from '../../framework/pod.ts';

export function runsClusterApi(context: ControlPlaneContext): boolean {
  return annotationOf(context, annotations.disableMachineManagement.key) === undefined;
}

/** The API groups of Cluster API and its providers; whoever installs this component must hold the rights it gives on. */
export const clusterApiGroups: readonly string[] = [
  'bootstrap.cluster.x-k8s.io',
  'controlplane.cluster.x-k8s.io',
  'infrastructure.cluster.x-k8s.io',
  'machines.cluster.x-k8s.io',
  'exp.infrastructure.cluster.x-k8s.io',
  'addons.cluster.x-k8s.io',
  'exp.cluster.x-k8s.io',
  'cluster.x-k8s.io',
  'ipam.cluster.x-k8s.io',
  'capi-provider.agent-install.openshift.io',
];

/** Cluster API's own controllers; run by the HyperShift operator. */
export const clusterApi = component('cluster-api', {
  replicas: 1,
  managementKasAccess: true,
  enabled: runsClusterApi,
  outlivesControlPlane: true,
  pod: (context) => ({
    labels: { name: 'cluster-api' },
    serviceAccount: 'cluster-api',
    containers: [
      {
        name: 'manager',
        image: annotationOf(context, annotations.capiManagerImage.key) ?? 'cluster-capi-controllers',
        args: [
          '--namespace',
          '$(MY_NAMESPACE)',
          '--v=4',
          '--leader-elect=true',
          '--leader-elect-lease-duration=137s',
          '--leader-elect-retry-period=26s',
          '--leader-elect-renew-deadline=107s',
        ],
        cpu: '10m',
        memory: '40Mi',
        env: { MY_NAMESPACE: podNamespace },
        mounts: { 'capi-webhooks-tls': '/tmp/k8s-webhook-server/serving-certs' },
        liveness: http('/healthz', 9440, { delay: 60, period: 60, timeout: 5, failures: 5 }),
        readiness: http('/readyz', 9440, { period: 10, timeout: 5, failures: 3 }),
      },
    ],
    volumes: { 'capi-webhooks-tls': secretVolume('capi-webhooks-tls') },
  }),
  manifests: identity('cluster-api', [
    // Which kinds there are is for the release of Cluster API and its providers to say.
    rule(clusterApiGroups, ['*'], managing),
    rule('hypershift.openshift.io', ['hostedcontrolplanes'], [...reading, 'update', 'patch', 'delete']),
    rule('hypershift.openshift.io', ['hostedcontrolplanes/status'], ['get', 'update', 'patch']),
    rule('', ['configmaps', 'secrets'], reading),
    rule('', ['events'], ['create', 'patch']),
    rule('coordination.k8s.io', ['leases'], managing),
  ]),
});
