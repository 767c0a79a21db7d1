import { runsIgnitionServer } from '../../framework/cluster-facts.ts';
import { component } from '../../framework/component.ts';
import { isOpenShiftPayload, overridesText } from '../../framework/context.ts';
import { featureGateManifest } from '../../framework/feature-gates.ts';
import { identity, reading, rule, service } from '../../framework/manifest.ts';
import { podMonitor } from '../../framework/optional-kinds.ts';
import { https, podNamespace, scratch, secretVolume, trustedBundle } from '../../framework/pod.ts';

const certs = '/var/run/secrets/ignition/serving-cert';

/** Gives booting machines their configuration. Its certificates come from the PKI, its Route from the infrastructure. */
export const ignitionServer = component('ignition-server', {
  zones: true,
  managementKasAccess: true,
  enabled: runsIgnitionServer,
  pod: (context) => ({
    serviceAccount: 'ignition-server',
    terminationGracePeriodSeconds: 10,
    ...(isOpenShiftPayload(context)
      ? {
          initContainers: [
            {
              name: 'fetch-feature-gate',
              image: 'cluster-config-api',
              command: ['/bin/bash', '-c', 'printf "%s" "$FEATURE_GATE_YAML" > /shared/99_feature-gate.yaml'],
              cpu: '10m',
              memory: '40Mi',
              env: { FEATURE_GATE_YAML: featureGateManifest(context) },
              mounts: { shared: '/shared' },
            },
          ],
        }
      : {}),
    containers: [
      {
        name: 'ignition-server',
        image: 'controlplane-operator',
        command: ['/usr/bin/control-plane-operator', 'ignition-server'],
        args: [
          '--cert-file',
          `${certs}/tls.crt`,
          '--key-file',
          `${certs}/tls.key`,
          ...(isOpenShiftPayload(context) ? ['--feature-gate-manifest=/shared/99_feature-gate.yaml'] : []),
          '--registry-overrides',
          overridesText(context.settings.registryOverrides),
          '--platform',
          context.hcp.spec.platform.type,
        ],
        cpu: '10m',
        memory: '40Mi',
        ports: { https: 9090, metrics: 8080 },
        env: { MY_NAMESPACE: podNamespace, OPENSHIFT_IMG_OVERRIDES: context.settings.openshiftImageOverrides ?? '' },
        mounts: {
          'serving-cert': certs,
          payloads: '/payloads',
          'bootstrap-manifests': '/usr/share/bootkube/manifests/bootstrap-manifests',
          manifests: '/usr/share/bootkube/manifests/manifests',
          shared: '/shared',
          [trustedBundle.name]: trustedBundle.path,
        },
        liveness: https('/healthz', 9090, { delay: 120, period: 60, timeout: 5, failures: 6 }),
        readiness: https('/healthz', 9090, { period: 10, timeout: 5, failures: 3 }),
      },
    ],
    volumes: {
      'serving-cert': secretVolume('ignition-server'),
      payloads: scratch,
      'bootstrap-manifests': scratch,
      manifests: scratch,
      shared: scratch,
      [trustedBundle.name]: trustedBundle.volume,
    },
  }),
  manifests: [
    ...identity('ignition-server', [
      // Replicas share the payloads they made through Secrets.
      rule('', ['secrets'], [...reading, 'create', 'patch', 'delete']),
      rule('', ['configmaps'], reading),
      rule('', ['events'], ['create', 'patch']),
    ]),
    service('ignition-server', { https: [443, 9090] }),
    podMonitor('ignition-server', { port: 'metrics' }),
  ],
});
