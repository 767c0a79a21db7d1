import { forwardsMetrics } from '../../framework/cluster-facts.ts';
import { component } from '../../framework/component.ts';
import { identity, rule, service } from '../../framework/manifest.ts';
import { https, podNamespace, secretVolume } from '../../framework/pod.ts';

/** Tells the metrics proxy which pods stand behind a component. Its certificates come from the PKI. */
export const endpointResolver = component('endpoint-resolver', {
  managementKasAccess: true,
  enabled: forwardsMetrics,
  pod: () => ({
    serviceAccount: 'endpoint-resolver',
    terminationGracePeriodSeconds: 10,
    containers: [
      {
        name: 'endpoint-resolver',
        image: 'controlplane-operator',
        command: ['/usr/bin/control-plane-operator', 'endpoint-resolver'],
        args: [
          '--tls-cert-file',
          '/etc/endpoint-resolver/serving-cert/tls.crt',
          '--tls-key-file',
          '/etc/endpoint-resolver/serving-cert/tls.key',
        ],
        cpu: '5m',
        memory: '20Mi',
        ports: { https: 9444 },
        env: { MY_NAMESPACE: podNamespace },
        mounts: { 'serving-cert': '/etc/endpoint-resolver/serving-cert' },
        liveness: https('/healthz', 9444, { delay: 30, period: 30, timeout: 5, failures: 6 }),
        readiness: https('/healthz', 9444, { period: 10, timeout: 5, failures: 3 }),
      },
    ],
    volumes: { 'serving-cert': secretVolume('endpoint-resolver-serving-cert') },
  }),
  manifests: [
    ...identity('endpoint-resolver', [rule('', ['pods'], ['get', 'list', 'watch'])]),
    service('endpoint-resolver', { https: [443, 9444] }),
  ],
});
