import { component } from '../../framework/component.ts';
import type { ControlPlaneContext } from '../../framework/context.ts';
import { service } from '../../framework/manifest.ts';
import { serviceMonitor } from '../../framework/optional-kinds.ts';
import { https, podNamespace, secretVolume } from '../../framework/pod.ts';

const kinds = [
  'v1alpha1,CatalogSource',
  'v1alpha1,Subscription',
  'v2,OperatorCondition',
  'v1,OperatorGroup',
  'v1,OLMConfig',
];

/** APIs of the operator lifecycle that the one who runs operators needs; the others need only the first. */
export const olmApis: readonly string[] = kinds.map((kind) => `operators.coreos.com,${kind}`);

interface OlmOperator {
  readonly command: string;
  readonly args: (context: ControlPlaneContext) => readonly string[];
  readonly memory: string;
  readonly clientVolume: string;
  readonly requiredApis: readonly string[];
}

/** Both operators of the operator lifecycle: same ports, same certificates, same way into the hosted network. */
export function olmOperator(name: string, { command, args, memory, clientVolume, requiredApis }: OlmOperator) {
  return component(name, {
    replicas: 1,
    inject: {
      konnectivity: { mode: 'socks5', kubeconfigVolume: 'kubeconfig' },
      prober: { requiredApis },
    },
    pod: (context) => ({
      containers: [
        {
          name,
          image: 'operator-lifecycle-manager',
          command: [command],
          args: [
            ...args(context),
            '--tls-cert',
            '/srv-cert/tls.crt',
            '--tls-key',
            '/srv-cert/tls.key',
            '--client-ca',
            '/client-ca/ca.crt',
          ],
          cpu: '10m',
          memory,
          ports: { metrics: 8443 },
          env: {
            OPERATOR_NAMESPACE: podNamespace,
            OPERATOR_NAME: name,
            RELEASE_VERSION: context.userRelease.version,
            KUBECONFIG: '/etc/openshift/kubeconfig/kubeconfig',
            GRPC_PROXY: 'socks5://127.0.0.1:8090',
            NO_PROXY: 'kube-apiserver',
          },
          mounts: { 'srv-cert': '/srv-cert', [clientVolume]: '/client-ca', kubeconfig: '/etc/openshift/kubeconfig' },
          liveness: https('/healthz', 8443, { delay: 60 }),
          readiness: https('/healthz', 8443),
        },
      ],
      volumes: {
        'srv-cert': secretVolume(`${name}-serving-cert`),
        [clientVolume]: secretVolume('metrics-client'),
        kubeconfig: secretVolume('service-network-admin-kubeconfig'),
      },
    }),
    manifests: [
      service(`${name}-metrics`, { 'https-metrics': [8443, 'metrics'] }, { selector: { app: name } }),
      serviceMonitor(name, {
        port: 'https-metrics',
        serverName: `${name}-metrics`,
        selector: { app: `${name}-metrics` },
      }),
    ],
  });
}
