import { type ControlPlaneContext, desiredVersion, isOpenShiftPayload } from '../../framework/context.ts';
import { featureGateManifest } from '../../framework/feature-gates.ts';
import { type ContainerDeclaration, http, https, podIP, podNamespace } from '../../framework/pod.ts';
import { tlsFlags } from '../../framework/tls.ts';
import { replicasOf } from '../../framework/defaults/replicas.ts';
import { component } from '../../framework/component.ts';
import { upstreamFlags } from './arguments.ts';

const certs = '/etc/kubernetes/certs';

export function apiServer(context: ControlPlaneContext): ContainerDeclaration {
  const verbosity = context.hcp.metadata.annotations?.['hypershift.openshift.io/kube-apiserver-verbosity-level'] ?? '2';
  return {
    name: 'kube-apiserver',
    image: 'hyperkube',
    command: ['hyperkube'],
    args: isOpenShiftPayload(context)
      ? ['kube-apiserver', '--openshift-config=/etc/kubernetes/config/config.json', `--v=${verbosity}`]
      : ['kube-apiserver', ...upstreamFlags(context), `--v=${verbosity}`],
    cpu: '350m',
    memory: '2Gi',
    ports: { client: 6443 },
    env: { HOST_IP: podIP },
    workingDir: '/var/log/kube-apiserver',
    mounts: {
      'aggregator-ca': `${certs}/aggregator-ca`,
      'aggregator-crt': `${certs}/aggregator`,
      'audit-config': '/etc/kubernetes/audit',
      'auth-config': '/etc/kubernetes/auth',
      ...(isOpenShiftPayload(context) ? { 'auth-token-webhook-config': '/etc/kubernetes/auth-token-webhook' } : {}),
      'client-ca': `${certs}/client-ca`,
      'egress-selector-config': '/etc/kubernetes/egress-selector',
      'etcd-ca': `${certs}/etcd-ca`,
      'etcd-client-crt': `${certs}/etcd`,
      'kas-config': '/etc/kubernetes/config',
      'konnectivity-ca': `${certs}/konnectivity-ca`,
      'konnectivity-client': `${certs}/konnectivity-client`,
      'kubelet-client-ca': `${certs}/kubelet-ca`,
      'kubelet-client-crt': `${certs}/kubelet`,
      logs: '/var/log/kube-apiserver',
      'oauth-metadata': '/etc/kubernetes/oauth',
      'server-crt': `${certs}/server`,
      'server-private-crt': `${certs}/server-private`,
      'svcacct-key': '/etc/kubernetes/secrets/svcacct-key',
    },
    liveness: https('livez?exclude=etcd', 'client', { delay: 300, period: 180, timeout: 160, failures: 6 }),
    readiness: https('readyz', 'client', { period: 10, timeout: 10, failures: 18 }),
  };
}

/** Brings the first objects of the hosted cluster in, and keeps the FeatureGate's status true. */
export function bootstrap(): ContainerDeclaration {
  return {
    name: 'bootstrap',
    image: 'controlplane-operator',
    command: ['/usr/bin/control-plane-operator', 'kas-bootstrap', '--resources-path', '/work'],
    cpu: '10m',
    memory: '10Mi',
    env: {
      KUBECONFIG: '/var/secrets/kas-bootstrap-container-kubeconfig/kubeconfig',
      KUBECONFIG_ADMIN: '/var/secrets/localhost-kubeconfig/kubeconfig',
    },
    mounts: {
      'bootstrap-manifests': '/work',
      'localhost-kubeconfig': '/var/secrets/localhost-kubeconfig',
      'kas-bootstrap-container-kubeconfig': '/var/secrets/kas-bootstrap-container-kubeconfig',
    },
  };
}

/** The end of the tunnel on this side; agents in the hosted cluster dial it. */
export function konnectivityServer(context: ControlPlaneContext): ContainerDeclaration {
  const servers = replicasOf(
    component('kube-apiserver', { pod: () => ({ containers: [] }), requestServing: true }),
    context,
  );
  const folder = '/etc/konnectivity';
  return {
    name: 'konnectivity-server',
    image: 'apiserver-network-proxy',
    command: ['/usr/bin/proxy-server'],
    args: [
      '--logtostderr=true',
      '--log-file-max-size=0',
      '--cluster-cert',
      `${folder}/cluster/tls.crt`,
      '--cluster-key',
      `${folder}/cluster/tls.key`,
      '--cluster-ca-cert',
      `${folder}/ca/ca.crt`,
      '--server-cert',
      `${folder}/server/tls.crt`,
      '--server-key',
      `${folder}/server/tls.key`,
      '--server-ca-cert',
      `${folder}/ca/ca.crt`,
      '--server-port',
      '8090',
      '--agent-port',
      '8091',
      '--health-port',
      '2041',
      '--admin-port=8093',
      '--mode=http-connect',
      '--proxy-strategies=destHost,defaultRoute',
      '--keepalive-time',
      '30s',
      '--frontend-keepalive-time',
      '30s',
      '--server-count',
      String(servers),
      ...tlsFlags(context, { suites: 'cipher-suites' }),
    ],
    cpu: '10m',
    memory: '50Mi',
    mounts: {
      'cluster-certs': `${folder}/cluster`,
      'konnectivity-ca': `${folder}/ca`,
      'server-certs': `${folder}/server`,
    },
    liveness: http('healthz', 2041, { delay: 120, period: 60, timeout: 30, failures: 3 }),
    readiness: http('healthz', 2041, { period: 10, timeout: 5, failures: 3 }),
    // The API server goes on answering for as long while it shuts down, and needs the tunnel for it.
    ...(isOpenShiftPayload(context) ? { preStop: ['/bin/sh', '-c', 'sleep 70'] } : {}),
  };
}

/** Prints the audit log, so that it can be collected like any other. */
export function auditLogs(file: string, volume: string): ContainerDeclaration {
  return {
    name: 'audit-logs',
    image: 'cli',
    command: ['/bin/bash', '-c', `trap 'kill $!' TERM; tail -c +1 -F ${file} & wait $!`],
    cpu: '5m',
    memory: '10Mi',
    mounts: { [volume]: file.slice(0, file.lastIndexOf('/')) },
  };
}

/** Gives pods of the hosted cluster their cloud role. */
export function awsPodIdentityWebhook(context: ControlPlaneContext): ContainerDeclaration {
  return {
    name: 'aws-pod-identity-webhook',
    image: 'aws-pod-identity-webhook',
    command: [
      '/usr/bin/aws-pod-identity-webhook',
      '--annotation-prefix=eks.amazonaws.com',
      '--in-cluster=false',
      '--kubeconfig=/var/run/app/kubeconfig/kubeconfig',
      '--logtostderr',
      '--port=4443',
      `--aws-default-region=${context.hcp.spec.platform.aws?.region ?? ''}`,
      '--tls-cert=/var/run/app/certs/tls.crt',
      '--tls-key=/var/run/app/certs/tls.key',
      '--token-audience=openshift',
      ...tlsFlags(context),
    ],
    cpu: '10m',
    memory: '25Mi',
    mounts: {
      'aws-pod-identity-webhook-serving-certs': '/var/run/app/certs',
      'aws-pod-identity-webhook-kubeconfig': '/var/run/app/kubeconfig',
    },
  };
}

/** Renders the configuration objects of OpenShift for `bootstrap` to apply. */
export function renderContainers(context: ControlPlaneContext): readonly ContainerDeclaration[] {
  const env = { PAYLOAD_VERSION: desiredVersion(context), FEATURE_GATE_YAML: featureGateManifest(context) };
  const rendering = '--cluster-profile=ibm-cloud-managed --payload-version="$PAYLOAD_VERSION"';
  return [
    { name: 'pre-pull-image-kube-apiserver', image: 'hyperkube', command: ['/bin/true'] },
    {
      name: 'init-bootstrap-render',
      image: 'cluster-config-api',
      command: ['/bin/bash'],
      args: [
        '-c',
        `set -e; cd /tmp; mkdir -p input output manifests
printf '%s' "$FEATURE_GATE_YAML" > manifests/99_feature-gate.yaml
/usr/bin/render --asset-output-dir /tmp/output --rendered-manifest-dir=/tmp/manifests ${rendering}
cp output/manifests/* manifests/* /work`,
      ],
      cpu: '30m',
      memory: '50Mi',
      env,
      mounts: { 'bootstrap-manifests': '/work' },
    },
    {
      name: 'init-auth-bootstrap-render',
      image: 'cluster-authentication-operator',
      command: ['/bin/bash'],
      args: [
        '-c',
        `set -e; cd /tmp; mkdir -p input output manifests
/usr/bin/authentication-operator render --asset-output-dir /tmp/output --rendered-manifest-dir=/tmp/manifests ${rendering}
cp output/* /work`,
      ],
      cpu: '30m',
      memory: '50Mi',
      env,
      mounts: { 'bootstrap-manifests': '/work' },
    },
    {
      name: 'wait-for-etcd',
      image: 'cli',
      command: ['/bin/bash', '-c', 'until nslookup "etcd-client.$POD_NAMESPACE.svc"; do sleep 1; done'],
      env: { POD_NAMESPACE: podNamespace },
    },
  ];
}
