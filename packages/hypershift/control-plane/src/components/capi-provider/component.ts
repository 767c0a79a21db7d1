import { component } from '../../framework/component.ts';
import type { ControlPlaneContext } from '../../framework/context.ts';
import { identity, managing, reading, rule } from '../../framework/manifest.ts';
import { http, podNamespace, type PodDeclaration, secretVolume } from '../../framework/pod.ts';
import { runsClusterApi } from '../cluster-api/component.ts';

type Rules = Parameters<typeof identity>[1];

/** What a platform brings: the pod of its provider and what it may do besides. */
export interface ProviderOptions {
  readonly pod: (context: ControlPlaneContext) => PodDeclaration;
  readonly rules?: Extract<Rules, readonly unknown[]>;
}

/** The Cluster API provider of a platform; run by the HyperShift operator. */
export function capiProvider({ pod, rules = [] }: ProviderOptions) {
  return component('capi-provider', {
    replicas: 1,
    selector: { app: 'capi-provider-controller-manager', 'control-plane': 'capi-provider-controller-manager' },
    managementKasAccess: true,
    enabled: runsClusterApi,
    outlivesControlPlane: true,
    inject: { prober: {} },
    pod: (context) => ({
      serviceAccount: 'capi-provider',
      terminationGracePeriodSeconds: 10,
      ...pod(context),
      volumes: { 'capi-webhooks-tls': secretVolume('capi-webhooks-tls'), ...pod(context).volumes },
    }),
    manifests: identity('capi-provider', [
      rule('', ['events'], ['create', 'patch']),
      rule('', ['configmaps'], reading),
      // Some hand user data to their machines in Secrets of their own.
      rule('', ['secrets'], managing),
      // Which kinds there are is for the provider to say.
      rule('infrastructure.cluster.x-k8s.io', ['*'], managing),
      rule('cluster.x-k8s.io', ['*'], [...reading, 'update', 'patch']),
      rule('hypershift.openshift.io', ['hostedcontrolplanes'], reading),
      rule('coordination.k8s.io', ['leases'], managing),
      ...rules,
    ]),
  });
}

/** The manager container most providers share. */
export function providerManager(
  image: string,
  args: readonly string[] = [],
  memory = '100Mi',
): PodDeclaration['containers'][number] {
  return {
    name: 'manager',
    image,
    args: ['--namespace', '$(MY_NAMESPACE)', '--v=4', '--leader-elect=true', ...args],
    cpu: '10m',
    memory,
    ports: { healthz: 9440 },
    env: { MY_NAMESPACE: podNamespace },
    mounts: { 'capi-webhooks-tls': '/tmp/k8s-webhook-server/serving-certs' },
    liveness: http('/healthz', 'healthz'),
    readiness: http('/readyz', 'healthz'),
  };
}
