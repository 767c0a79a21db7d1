import { componentImage } from '@hypershift-ts/hypershift-release';
import { appsv1, corev1 } from '@hypershift-ts/kube-apimachinery';
import { kept } from '../guest/guest-object.ts';
import { required } from './facts.ts';
import type { GuestInputs, ResourceGroup } from './inputs.ts';
import { effectiveProxy } from './proxy.ts';

const namespace = 'kube-system';
const name = 'konnectivity-agent';
const labels = { app: name };
const healthPort = 2041;
const folder = '/etc/konnectivity';

/** The far end of the tunnel: on every node, so that the API server reaches kubelets, pods and webhooks. */
export const konnectivityAgent: ResourceGroup = {
  name: 'konnectivity-agent',
  objects(inputs) {
    const { hcp, secret, configMap, konnectivity } = inputs;
    if (!konnectivity)
      throw new Error('the konnectivity server has no published address yet; agents would not know where to dial');
    const certificate = required(secret('konnectivity-agent'), 'Secret', { hcp }, 'konnectivity-agent');
    const bundle = required(configMap('konnectivity-ca-bundle'), 'ConfigMap', { hcp }, 'konnectivity-ca-bundle');
    return [
      kept(corev1.configmaps, { namespace, name: 'konnectivity-ca-bundle' }, { data: bundle.data }),
      kept(corev1.secrets, { namespace, name }, { data: certificate.data }),
      kept(corev1.serviceaccounts, { namespace, name }),
      kept(appsv1.daemonsets, { namespace, name }, { spec: daemonSet(inputs) }),
    ];
  },
};

function daemonSet(inputs: GuestInputs): object {
  const { hcp, platform } = inputs;
  return {
    selector: { matchLabels: labels },
    updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '10%', maxSurge: 0 } },
    template: {
      metadata: { labels },
      spec: {
        dnsPolicy: platform.guest.agentDnsPolicy(hcp),
        hostNetwork: platform.guest.agentOnHostNetwork,
        serviceAccountName: name,
        automountServiceAccountToken: false,
        securityContext: { runAsUser: 1000 },
        priorityClassName: 'system-node-critical',
        // Also on nodes that are not ready: a node in trouble is the one to look at.
        tolerations: [{ operator: 'Exists' }],
        containers: [agent(inputs)],
        volumes: [
          { name: 'agent-certs', secret: { secretName: name, defaultMode: 0o640 } },
          { name: 'konnectivity-ca', configMap: { name: 'konnectivity-ca-bundle', defaultMode: 0o640 } },
        ],
      },
    },
  };
}

function agent({ hcp, platform, release, konnectivity }: GuestInputs): object {
  const { httpProxy = '', httpsProxy = '', noProxy = '' } = effectiveProxy(hcp, platform);
  const onHost = platform.guest.agentOnHostNetwork;
  return {
    name,
    image: componentImage(release, 'apiserver-network-proxy'),
    imagePullPolicy: 'IfNotPresent',
    command: ['/usr/bin/proxy-agent'],
    args: [
      '--logtostderr=true',
      '--ca-cert',
      `${folder}/ca/ca.crt`,
      '--agent-cert',
      `${folder}/agent/tls.crt`,
      '--agent-key',
      `${folder}/agent/tls.key`,
      '--proxy-server-host',
      konnectivity?.host ?? '',
      '--proxy-server-port',
      String(konnectivity?.port ?? 0),
      '--health-server-host',
      onHost ? '127.0.0.1' : '0.0.0.0',
      '--health-server-port',
      String(healthPort),
      '--agent-identifiers=default-route=true',
      '--keepalive-time',
      '30s',
      '--probe-interval',
      '5s',
      '--sync-interval',
      '5s',
      '--sync-interval-cap',
      '30s',
      '--v',
      '3',
    ],
    env: [
      ['HTTP_PROXY', httpProxy],
      ['HTTPS_PROXY', httpsProxy],
      ['NO_PROXY', noProxy],
    ].map(([variable, value]) => ({ name: variable, ...(value === '' ? {} : { value }) })),
    terminationMessagePolicy: 'FallbackToLogsOnError',
    volumeMounts: [
      { name: 'agent-certs', mountPath: `${folder}/agent` },
      { name: 'konnectivity-ca', mountPath: `${folder}/ca` },
    ],
    securityContext: {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      runAsNonRoot: true,
      capabilities: { drop: ['ALL'] },
    },
    resources: { requests: { cpu: '40m', memory: '50Mi' } },
    livenessProbe: probe('healthz', onHost, { periodSeconds: 30, failureThreshold: 6 }),
    readinessProbe: probe('readyz', onHost, { periodSeconds: 30, failureThreshold: 1 }),
    startupProbe: probe('healthz', onHost, { periodSeconds: 5, failureThreshold: 60 }),
  };
}

function probe(path: string, onHost: boolean, times: object): object {
  return {
    httpGet: { path, port: healthPort, scheme: 'HTTP', ...(onHost ? { host: '127.0.0.1' } : {}) },
    timeoutSeconds: 5,
    successThreshold: 1,
    ...times,
  };
}
