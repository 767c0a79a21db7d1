import { component } from '../../framework/component.ts';

export const dnsOperator = component('dns-operator', {
  replicas: 1,
  selector: { name: 'dns-operator' },
  dependsOn: ['openshift-apiserver'],
  zones: true,
  inject: {
    prober: {
      kubeconfigVolume: 'service-account-kubeconfig',
      requiredApis: ['operator.openshift.io,v1,DNS'],
      waitForLabeledPodsGone: 'openshift-dns-operator/name=dns-operator',
    },
    serviceAccountKubeconfig: {
      serviceAccount: { namespace: 'openshift-dns-operator', name: 'dns-operator' },
      mountPath: '/etc/kubernetes',
      containers: ['dns-operator'],
    },
  },
  pod: ({ images, userRelease }) => ({
    labels: { app: 'dns-operator' },
    terminationGracePeriodSeconds: 2,
    containers: [
      {
        name: 'dns-operator',
        image: 'cluster-dns-operator',
        command: ['dns-operator'],
        cpu: '10m',
        memory: '29Mi',
        env: {
          RELEASE_VERSION: userRelease.version,
          IMAGE: images.get('coredns'),
          OPENSHIFT_CLI_IMAGE: images.get('cli'),
          KUBE_RBAC_PROXY_IMAGE: images.get('kube-rbac-proxy'),
          KUBECONFIG: '/etc/kubernetes/kubeconfig',
        },
      },
    ],
  }),
});
