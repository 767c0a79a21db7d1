import { baseDomainOf } from '../../framework/cluster-facts.ts';
import { component } from '../../framework/component.ts';
import { type ControlPlaneContext, isOpenShiftPayload } from '../../framework/context.ts';
import { featureGatesOf } from '../../framework/feature-gates.ts';
import { configMap, podDisruptionBudget } from '../../framework/manifest.ts';
import { serviceMonitor } from '../../framework/optional-kinds.ts';
import { configMapVolume, https, scratch, secretVolume } from '../../framework/pod.ts';
import { servingInfo } from '../../framework/tls.ts';
import { auditFiles } from '../kube-apiserver/audit.ts';
import { auditLogs } from '../kube-apiserver/containers.ts';
import { frontProxyFlags, kasReadinessCheck } from './sidecars.ts';

const certs = '/etc/kubernetes/certs';
const kubeconfig = '/etc/kubernetes/secrets/svc-kubeconfig/kubeconfig';
const logs = '/var/log/openshift-apiserver';

/** OpenShift's own APIs: projects, builds, images, routes, templates. */
export const openshiftApiServer = component('openshift-apiserver', {
  zones: true,
  inject: { konnectivity: { mode: 'https' }, prober: {} },
  pod: (context) => ({
    terminationGracePeriodSeconds: 120,
    ...(isOpenShiftPayload(context) ? { initContainers: [trustAnchor] } : {}),
    containers: [
      {
        name: 'openshift-apiserver',
        image: 'openshift-apiserver',
        args: [
          'start',
          '--config=/etc/kubernetes/config/config.yaml',
          `--authorization-kubeconfig=${kubeconfig}`,
          `--authentication-kubeconfig=${kubeconfig}`,
          ...frontProxyFlags,
        ],
        cpu: '100m',
        memory: '200Mi',
        ports: { https: 8443 },
        env: {
          HTTP_PROXY: 'http://127.0.0.1:8090',
          HTTPS_PROXY: 'http://127.0.0.1:8090',
          NO_PROXY: 'kube-apiserver,etcd-client,audit-webhook',
        },
        workingDir: logs,
        mounts: {
          'aggregator-ca': `${certs}/aggregator-client-ca`,
          'audit-config': '/etc/kubernetes/audit-config',
          'client-ca': `${certs}/client-ca`,
          config: '/etc/kubernetes/config',
          'etcd-client-ca': `${certs}/etcd-client-ca`,
          'etcd-client-cert': `${certs}/etcd-client`,
          kubeconfig: '/etc/kubernetes/secrets/svc-kubeconfig',
          ...(isOpenShiftPayload(context) ? { 'oas-trust-anchor': '/etc/pki/ca-trust/extracted/pem' } : {}),
          'pull-secret': '/var/lib/kubelet',
          'serving-cert': `${certs}/serving`,
          'work-logs': logs,
        },
        startup: https('livez', 8443, { period: 5, timeout: 10, failures: 30 }),
        readiness: https('readyz?exclude=etcd&exclude=etcd-readiness', 8443, { period: 10, timeout: 1, failures: 10 }),
        liveness: https('livez?exclude=etcd', 8443, { period: 10, timeout: 10, failures: 3 }),
      },
      ...(isOpenShiftPayload(context) ? [auditLogs(`${logs}/audit.log`, 'work-logs'), kasReadinessCheck] : []),
    ],
    volumes: {
      'work-logs': scratch,
      config: configMapVolume('openshift-apiserver'),
      'audit-config': configMapVolume('openshift-apiserver-audit'),
      'aggregator-ca': configMapVolume('aggregator-client-ca'),
      'etcd-client-ca': configMapVolume('etcd-ca'),
      'client-ca': configMapVolume('client-ca'),
      kubeconfig: secretVolume('service-network-admin-kubeconfig'),
      'serving-cert': secretVolume('openshift-apiserver-cert'),
      'etcd-client-cert': secretVolume('etcd-client-tls'),
      'oas-trust-anchor': scratch,
      'pull-secret': { secret: 'pull-secret', items: { '.dockerconfigjson': 'config.json' } },
    },
  }),
  manifests: [
    configMap('openshift-apiserver', (context) => ({ 'config.yaml': configuration(context) })),
    configMap('openshift-apiserver-audit', auditFiles),
    podDisruptionBudget('openshift-apiserver'),
    serviceMonitor('openshift-apiserver', { port: 'https', serverName: 'openshift-apiserver' }),
  ],
});

/** The image's own authorities plus the cluster's service CA, so that imports from the inner registry verify. */
const trustAnchor = {
  name: 'oas-trust-anchor-generator',
  image: 'openshift-apiserver',
  command: [
    '/bin/bash',
    '-c',
    `set -euo pipefail
out=/run/ca-trust-generated
find "$out" -mindepth 1 -delete
cp -r /etc/pki/ca-trust/extracted/pem/. "$out"
test ! -f /run/service-ca-signer/service-ca.crt || cat /run/service-ca-signer/service-ca.crt >> "$out/tls-ca-bundle.pem"`,
  ],
  mounts: { 'oas-trust-anchor': '/run/ca-trust-generated' },
};

function configuration(context: ControlPlaneContext): string {
  const { hcp } = context;
  const image = hcp.spec.configuration?.image;
  return JSON.stringify({
    apiVersion: 'openshiftcontrolplane.config.openshift.io/v1',
    kind: 'OpenShiftAPIServerConfig',
    servingInfo: servingInfo(context, 8443, {
      certFile: `${certs}/serving/tls.crt`,
      keyFile: `${certs}/serving/tls.key`,
    }),
    kubeClientConfig: { kubeConfig: kubeconfig },
    storageConfig: {
      urls: [hcp.spec.etcd.unmanaged?.endpoint ?? 'https://etcd-client:2379'],
      ca: `${certs}/etcd-client-ca/ca.crt`,
      certFile: `${certs}/etcd-client/etcd-client.crt`,
      keyFile: `${certs}/etcd-client/etcd-client.key`,
    },
    imagePolicyConfig: {
      internalRegistryHostname: 'image-registry.openshift-image-registry.svc:5000',
      externalRegistryHostnames: image?.externalRegistryHostnames ?? [],
    },
    projectConfig: { projectRequestMessage: '' },
    routingConfig: { subdomain: `apps.${baseDomainOf(hcp)}` },
    apiServerArguments: {
      'audit-log-format': ['json'],
      'audit-log-maxbackup': ['1'],
      'audit-log-maxsize': ['10'],
      'audit-log-path': [`${logs}/audit.log`],
      'audit-policy-file': ['/etc/kubernetes/audit-config/policy.yaml'],
      'feature-gates': [...featureGatesOf(context)].sort(),
      'shutdown-delay-duration': ['15s'],
    },
  });
}
