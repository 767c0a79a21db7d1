import { forwardsMetrics } from '../../framework/cluster-facts.ts';
import { component } from '../../framework/component.ts';
import { configMap, service, serviceAccount } from '../../framework/manifest.ts';
import { https, podNamespace, secretVolume } from '../../framework/pod.ts';

const folder = '/etc/metrics-proxy';

/** Hands metrics of the control plane to the hosted cluster's monitoring. */
export const metricsProxy = component('metrics-proxy', {
  dependsOn: ['endpoint-resolver'],
  requestServing: true,
  enabled: forwardsMetrics,
  pod: ({ hcp, settings }) => ({
    serviceAccount: 'metrics-proxy',
    terminationGracePeriodSeconds: 10,
    containers: [
      {
        name: 'metrics-proxy',
        image: 'controlplane-operator',
        command: ['/usr/bin/control-plane-operator', 'metrics-proxy'],
        args: [
          '--tls-cert-file',
          `${folder}/serving-cert/tls.crt`,
          '--tls-key-file',
          `${folder}/serving-cert/tls.key`,
          '--client-ca-file',
          `${folder}/client-ca/ca.crt`,
          '--config-file',
          `${folder}/config/config.yaml`,
          '--metrics-set',
          hcp.spec.monitoring?.metricsSet ?? settings.metricsSet ?? 'All',
        ],
        cpu: '10m',
        memory: '40Mi',
        ports: { https: 9443 },
        env: { MY_NAMESPACE: podNamespace },
        mounts: {
          'serving-cert': `${folder}/serving-cert`,
          'client-ca': `${folder}/client-ca`,
          'scrape-config': `${folder}/config`,
          'endpoint-resolver-ca': `${folder}/certs/endpoint-resolver-ca`,
        },
        liveness: https('/healthz', 9443, { delay: 120, period: 60, timeout: 5, failures: 6 }),
        readiness: https('/healthz', 9443, { period: 10, timeout: 5, failures: 3 }),
      },
    ],
    volumes: {
      'serving-cert': secretVolume('metrics-proxy-serving-cert'),
      // Only the certificate: a proxy that is reached from outside must not hold a signing key.
      'client-ca': { secret: 'cluster-signer-ca', items: { 'ca.crt': 'ca.crt' } },
      'scrape-config': { configMap: 'metrics-proxy-config', optional: true },
      'endpoint-resolver-ca': { secret: 'endpoint-resolver-ca', optional: true, items: { 'tls.crt': 'tls.crt' } },
    },
  }),
  manifests: [
    configMap('metrics-proxy-config', ({ namespace }) => ({
      'config.yaml': JSON.stringify({
        endpointResolver: {
          caFile: `${folder}/certs/endpoint-resolver-ca/tls.crt`,
          url: `https://endpoint-resolver.${namespace}.svc`,
        },
      }),
    })),
    service('metrics-proxy', { https: [443, 9443] }),
    serviceAccount('metrics-proxy'),
  ],
});
