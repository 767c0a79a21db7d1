import { annotations } from '@hypershift-ts/hypershift-api';
import { isOAuthEnabled, serviceNetworks } from '../../framework/cluster-facts.ts';
import { annotationOf, type ControlPlaneContext, isHighlyAvailable } from '../../framework/context.ts';
import { featureGatesOf } from '../../framework/feature-gates.ts';
import { shardOverrides } from '../etcd/clusters.ts';
import { openshiftPlugins, upstreamPlugins } from './admission-plugins.ts';

export type ServerArguments = Readonly<Record<string, readonly string[]>>;

const certs = '/etc/kubernetes/certs';

/** Arguments that both kinds of kube-apiserver get. */
function sharedArguments(context: ControlPlaneContext): ServerArguments {
  const { hcp, namespace } = context;
  const overrides = shardOverrides(context);
  const issuer = hcp.spec.issuerURL || 'https://kubernetes.default.svc';
  const tuned = (key: string, otherwise: string): string => annotationOf(context, key) ?? otherwise;
  const maxTokenLife = annotationOf(context, annotations.kubeApiserverServiceAccountTokenMaxExpiration.key);
  return {
    'advertise-address': [advertiseAddress(context)],
    'allow-privileged': ['true'],
    'anonymous-auth': ['true'],
    'api-audiences': [issuer],
    'audit-log-format': ['json'],
    'audit-log-maxbackup': ['1'],
    'audit-log-maxsize': ['10'],
    'audit-log-path': ['/var/log/kube-apiserver/audit.log'],
    'audit-policy-file': ['/etc/kubernetes/audit/policy.yaml'],
    'client-ca-file': [`${certs}/client-ca/ca.crt`],
    'enable-aggregator-routing': ['true'],
    'enable-logs-handler': ['false'],
    'endpoint-reconciler-type': ['none'],
    'etcd-cafile': [`${certs}/etcd-ca/ca.crt`],
    'etcd-certfile': [`${certs}/etcd/etcd-client.crt`],
    'etcd-keyfile': [`${certs}/etcd/etcd-client.key`],
    'etcd-servers': [etcdEndpoint(hcp, namespace)],
    ...(overrides.length > 0 ? { 'etcd-servers-overrides': overrides } : {}),
    'event-ttl': ['3h'],
    // A server that may send clients away needs another one that takes them.
    'goaway-chance': [tuned(annotations.kubeApiserverGoawayChance.key, isHighlyAvailable(context) ? '0.001' : '0')],
    'kubelet-certificate-authority': [`${certs}/kubelet-ca/ca.crt`],
    'kubelet-client-certificate': [`${certs}/kubelet/tls.crt`],
    'kubelet-client-key': [`${certs}/kubelet/tls.key`],
    'kubelet-preferred-address-types': ['InternalIP'],
    'kubelet-read-only-port': ['0'],
    'kubernetes-service-node-port': ['0'],
    'max-mutating-requests-inflight': [tuned(annotations.kubeApiserverMaxMutatingRequestsInflight.key, '1000')],
    'max-requests-inflight': [tuned(annotations.kubeApiserverMaxRequestsInflight.key, '3000')],
    'min-request-timeout': ['3600'],
    'proxy-client-cert-file': [`${certs}/aggregator/tls.crt`],
    'proxy-client-key-file': [`${certs}/aggregator/tls.key`],
    'requestheader-allowed-names': [
      'kube-apiserver-proxy',
      'system:kube-apiserver-proxy',
      'system:openshift-aggregator',
    ],
    'requestheader-client-ca-file': [`${certs}/aggregator-ca/ca.crt`],
    'requestheader-extra-headers-prefix': ['X-Remote-Extra-'],
    'requestheader-group-headers': ['X-Remote-Group'],
    'requestheader-username-headers': ['X-Remote-User'],
    'service-account-issuer': [issuer],
    'service-account-jwks-uri': [`${issuer}/openid/v1/jwks`],
    'service-account-lookup': ['true'],
    ...(maxTokenLife ? { 'service-account-max-token-expiration': [maxTokenLife] } : {}),
    'service-account-signing-key-file': ['/etc/kubernetes/secrets/svcacct-key/service-account.key'],
    'service-node-port-range': [hcp.spec.configuration?.network?.serviceNodePortRange || '30000-32767'],
    'shutdown-delay-duration': ['70s'],
    'shutdown-send-retry-after': ['true'],
    'storage-backend': ['etcd3'],
    'storage-media-type': ['application/vnd.kubernetes.protobuf'],
    'strict-transport-security-directives': ['max-age=31536000,includeSubDomains,preload'],
    'tls-cert-file': [`${certs}/server/tls.crt`],
    'tls-private-key-file': [`${certs}/server/tls.key`],
  };
}

/** `apiServerArguments` of OpenShift's kube-apiserver: what upstream's refuses or spells differently is only here. */
export function openshiftArguments(context: ControlPlaneContext): ServerArguments {
  return {
    ...sharedArguments(context),
    ...(isOAuthEnabled(context)
      ? {
          'authentication-token-webhook-config-file': ['/etc/kubernetes/auth-token-webhook/kubeconfig'],
          'authentication-token-webhook-version': ['v1'],
        }
      : { 'authentication-config': ['/etc/kubernetes/auth/auth.json'] }),
    'authorization-mode': ['Scope', 'SystemMasters', 'RBAC', 'Node'],
    'disable-admission-plugins': [],
    'egress-selector-config-file': ['/etc/kubernetes/egress-selector/config.yaml'],
    'enable-admission-plugins': [...upstreamPlugins, ...openshiftPlugins],
    'etcd-prefix': ['kubernetes.io'],
    'feature-gates': [...featureGatesOf(context)].sort(),
    'http2-max-streams-per-connection': ['2000'],
    'runtime-config': ['admissionregistration.k8s.io/v1beta1=true'],
    'shutdown-watch-termination-grace-period': ['25s'],
  };
}

/** The command line of upstream's kube-apiserver, which is what the embedded releases run. */
export function upstreamFlags(context: ControlPlaneContext): readonly string[] {
  const values: ServerArguments = {
    ...sharedArguments(context),
    'authorization-mode': ['Node', 'RBAC'],
    'bind-address': ['0.0.0.0'],
    'secure-port': ['6443'],
    // Everybody in the namespace dials the Service's name, which the public certificate does not carry.
    'tls-sni-cert-key': [`${certs}/server-private/tls.crt`, `${certs}/server-private/tls.key`],
    'service-account-key-file': ['/etc/kubernetes/secrets/svcacct-key/service-account.pub'],
    ...(serviceNetworks(context).length > 0
      ? { 'service-cluster-ip-range': [serviceNetworks(context).join(',')] }
      : {}),
  };
  return Object.entries(values)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, list]) => `--${name}=${list.join(',')}`);
}

/** Address nodes reach the API server at; a proxy on each node owns it. */
export function advertiseAddress({ hcp }: Pick<ControlPlaneContext, 'hcp'>): string {
  const chosen = hcp.spec.networking?.apiServer?.advertiseAddress;
  if (chosen) return chosen;
  const ipv6 = hcp.spec.networking?.clusterNetwork?.[0]?.cidr.includes(':') ?? false;
  return ipv6 ? 'fd00::1' : '172.20.0.1';
}

function etcdEndpoint(hcp: ControlPlaneContext['hcp'], namespace: string): string {
  return hcp.spec.etcd.unmanaged?.endpoint ?? `https://etcd-client.${namespace}.svc:2379`;
}
