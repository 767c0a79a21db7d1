import { hasCapability } from '../../framework/cluster-facts.ts';
import { component } from '../../framework/component.ts';
import type { ControlPlaneContext } from '../../framework/context.ts';
import { podMonitor } from '../../framework/optional-kinds.ts';
import { secretVolume } from '../../framework/pod.ts';
import { cloudTokenFor } from '../cloud-tokens.ts';

/** HAProxy builds a payload may hold besides its default one, by version. */
const haproxyBuilds: Readonly<Record<string, string>> = {
  '2.8': 'haproxy-router-haproxy28',
  '3.2': 'haproxy-router-haproxy32',
};

export const ingressOperator = component('ingress-operator', {
  replicas: 1,
  strategy: 'Recreate',
  selector: { name: 'ingress-operator' },
  dependsOn: ['openshift-apiserver'],
  enabled: (context) => hasCapability(context, 'Ingress'),
  inject: {
    konnectivity: { mode: 'https', kubeconfigVolume: 'admin-kubeconfig', connectDirectlyToCloudApis: true },
    prober: { kubeconfigVolume: 'service-account-kubeconfig', requiredApis: ['route.openshift.io,v1,Route'] },
    tokenMinters: cloudTokenFor(
      'ingress-operator',
      { namespace: 'openshift-ingress-operator', name: 'ingress-operator' },
      'admin-kubeconfig',
    ),
    serviceAccountKubeconfig: {
      serviceAccount: { namespace: 'openshift-ingress-operator', name: 'ingress-operator' },
      mountPath: '/etc/kubernetes',
      containers: ['ingress-operator'],
    },
  },
  pod: (context) => ({
    labels: { app: 'ingress-operator' },
    containers: [
      {
        name: 'ingress-operator',
        image: 'cluster-ingress-operator',
        command: [
          'ingress-operator',
          'start',
          '--namespace',
          'openshift-ingress-operator',
          '--image',
          context.images.get('haproxy-router'),
          ...haproxyFlags(context),
          '--canary-image',
          context.images.get('cluster-ingress-operator'),
          '--release-version',
          context.userRelease.version,
          '--metrics-listen-addr',
          '0.0.0.0:60000',
        ],
        cpu: '10m',
        memory: '80Mi',
        ports: { metrics: 60000 },
        env: {
          RELEASE_VERSION: context.userRelease.version,
          KUBECONFIG: '/etc/kubernetes/kubeconfig',
          HTTP_PROXY: 'http://127.0.0.1:8090',
          HTTPS_PROXY: 'http://127.0.0.1:8090',
          NO_PROXY: 'kube-apiserver',
        },
      },
    ],
    volumes: { 'admin-kubeconfig': secretVolume('service-network-admin-kubeconfig') },
  }),
  manifests: [podMonitor('ingress-operator', { port: 'metrics', selector: { name: 'ingress-operator' } })],
});

function haproxyFlags({ images }: ControlPlaneContext): readonly string[] {
  const builds = Object.entries(haproxyBuilds).filter(([, tag]) => images.has(tag));
  const newest = builds.at(-1)?.[0];
  return [
    ...builds.flatMap(([version, tag]) => ['--haproxy-image', `${version}=${images.get(tag)}`]),
    ...(newest ? ['--default-haproxy-version', newest] : []),
  ];
}
