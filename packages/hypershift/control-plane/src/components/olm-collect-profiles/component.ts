import { createHash } from 'node:crypto';
import { isNotPlatform } from '../../framework/cluster-facts.ts';
import { component } from '../../framework/component.ts';
import { configMap, identity, keptSecret, rule } from '../../framework/manifest.ts';
import { configMapVolume, podNamespace, secretVolume } from '../../framework/pod.ts';

/** Keeps recent heap profiles of the operator lifecycle's programs. */
export const olmCollectProfiles = component('olm-collect-profiles', {
  kind: 'CronJob',
  managementKasAccess: true,
  enabled: isNotPlatform('IBMCloud'),
  // Spread over the hour by cluster, so that a thousand clusters do not profile in the same minute.
  schedule: ({ namespace }) => {
    const minute = createHash('sha256').update(namespace).digest().readUInt16BE(0) % 60;
    return `${minute} 0 * * *`;
  },
  pod: () => ({
    serviceAccount: 'olm-collect-profiles',
    restartPolicy: 'Never',
    containers: [
      {
        name: 'collect-profiles',
        image: 'operator-lifecycle-manager',
        command: ['bin/collect-profiles'],
        args: [
          '-n',
          '$(MY_NAMESPACE)',
          '--config-mount-path',
          '/etc/config',
          '--cert-mount-path',
          '/var/run/secrets/serving-cert',
          'olm-operator-heap-:https://olm-operator-metrics:8443/debug/pprof/heap',
          'catalog-operator-heap-:https://catalog-operator-metrics:8443/debug/pprof/heap',
        ],
        cpu: '10m',
        memory: '80Mi',
        env: { MY_NAMESPACE: podNamespace },
        mounts: { 'config-volume': '/etc/config', 'secret-volume': '/var/run/secrets/serving-cert' },
      },
    ],
    volumes: {
      'config-volume': configMapVolume('olm-collect-profiles'),
      'secret-volume': secretVolume('metrics-client'),
    },
  }),
  manifests: [
    configMap('olm-collect-profiles', { 'pprof-config.yaml': 'disabled: false\n' }),
    // The program fills it; only its existence is ours.
    keptSecret('pprof-cert', () => ({})),
    ...identity('olm-collect-profiles', [
      rule('', ['configmaps'], ['get', 'list', 'create', 'delete']),
      rule('', ['secrets'], ['get', 'update']),
    ]),
  ],
});
