import { isOAuthEnabled } from '../../framework/cluster-facts.ts';
import { component } from '../../framework/component.ts';
import { type ControlPlaneContext, isOpenShiftPayload } from '../../framework/context.ts';
import { configMap, podDisruptionBudget } from '../../framework/manifest.ts';
import { configMapVolume, https, podNamespace, scratch, secretVolume } from '../../framework/pod.ts';
import { tlsFlags } from '../../framework/tls.ts';
import { auditFiles } from '../kube-apiserver/audit.ts';
import { auditLogs } from '../kube-apiserver/containers.ts';
import { frontProxyFlags, kasReadinessCheck } from '../openshift-apiserver/sidecars.ts';

const certs = '/etc/kubernetes/certs';
const kubeconfig = '/etc/kubernetes/secrets/svc-kubeconfig/kubeconfig';
const logs = '/var/log/openshift-oauth-apiserver';

/** Users, groups, identities and OAuth tokens as APIs. */
export const openshiftOAuthApiServer = component('openshift-oauth-apiserver', {
  dependsOn: ['openshift-apiserver'],
  zones: true,
  enabled: isOAuthEnabled,
  inject: { konnectivity: { mode: 'socks5', resolveFromGuestClusterDns: true }, prober: {} },
  pod: (context) => ({
    terminationGracePeriodSeconds: 120,
    ...(isOpenShiftPayload(context)
      ? {
          initContainers: [
            {
              name: 'wait-for-etcd',
              image: 'cli',
              command: ['/bin/bash', '-c', 'until nslookup "etcd-client.$POD_NAMESPACE.svc"; do sleep 1; done'],
              env: { POD_NAMESPACE: podNamespace },
            },
          ],
        }
      : {}),
    containers: [
      {
        name: 'openshift-oauth-apiserver',
        image: 'oauth-apiserver',
        command: ['/usr/bin/oauth-apiserver'],
        args: flags(context),
        cpu: '150m',
        memory: '80Mi',
        env: {
          HTTP_PROXY: 'socks5://127.0.0.1:8090',
          HTTPS_PROXY: 'socks5://127.0.0.1:8090',
          NO_PROXY: 'kube-apiserver,etcd-client,audit-webhook',
        },
        workingDir: logs,
        mounts: {
          'aggregator-ca': `${certs}/aggregator-client-ca`,
          'audit-config': '/etc/kubernetes/audit-config',
          'client-ca': `${certs}/client-ca`,
          'etcd-client-ca': `${certs}/etcd-client-ca`,
          'etcd-client-cert': `${certs}/etcd-client`,
          kubeconfig: '/etc/kubernetes/secrets/svc-kubeconfig',
          'serving-cert': `${certs}/serving`,
          'work-logs': logs,
        },
        liveness: https('healthz', 8443, { delay: 30, period: 10, timeout: 1, failures: 3 }),
        readiness: https('readyz', 8443, { period: 10, timeout: 1, failures: 10 }),
      },
      ...(isOpenShiftPayload(context) ? [auditLogs(`${logs}/audit.log`, 'work-logs'), kasReadinessCheck] : []),
    ],
    volumes: {
      'work-logs': scratch,
      'audit-config': configMapVolume('openshift-oauth-apiserver-audit'),
      'aggregator-ca': configMapVolume('aggregator-client-ca'),
      'etcd-client-ca': configMapVolume('etcd-ca'),
      kubeconfig: secretVolume('service-network-admin-kubeconfig'),
      'serving-cert': secretVolume('openshift-oauth-apiserver-cert'),
      'etcd-client-cert': secretVolume('etcd-client-tls'),
      'client-ca': configMapVolume('client-ca'),
    },
  }),
  manifests: [
    configMap('openshift-oauth-apiserver-audit', auditFiles),
    podDisruptionBudget('openshift-oauth-apiserver'),
  ],
});

function flags(context: ControlPlaneContext): readonly string[] {
  const { hcp } = context;
  const timeout = hcp.spec.configuration?.oauth?.tokenConfig?.accessTokenInactivityTimeout;
  return [
    'start',
    ...['authorization-kubeconfig', 'authentication-kubeconfig', 'kubeconfig'].map((name) => `--${name}=${kubeconfig}`),
    '--secure-port=8443',
    `--audit-log-path=${logs}/audit.log`,
    '--audit-log-format=json',
    '--audit-log-maxsize=10',
    '--audit-log-maxbackup=1',
    `--etcd-cafile=${certs}/etcd-client-ca/ca.crt`,
    `--etcd-keyfile=${certs}/etcd-client/etcd-client.key`,
    `--etcd-certfile=${certs}/etcd-client/etcd-client.crt`,
    '--shutdown-delay-duration=15s',
    `--tls-private-key-file=${certs}/serving/tls.key`,
    `--tls-cert-file=${certs}/serving/tls.crt`,
    '--audit-policy-file=/etc/kubernetes/audit-config/policy.yaml',
    "--cors-allowed-origins='//127\\.0\\.0\\.1(:|$)'",
    "--cors-allowed-origins='//localhost(:|$)'",
    '--v=2',
    ...frontProxyFlags,
    `--api-audiences=${hcp.spec.issuerURL}`,
    `--etcd-servers=${hcp.spec.etcd.unmanaged?.endpoint ?? 'https://etcd-client:2379'}`,
    ...(timeout ? [`--accesstoken-inactivity-timeout=${timeout}`] : []),
    ...tlsFlags(context),
  ];
}
