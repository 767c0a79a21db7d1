import { component } from '../../framework/component.ts';
import { featureGatesOf } from '../../framework/feature-gates.ts';
import { configMap } from '../../framework/manifest.ts';
import { configMapVolume, secretVolume } from '../../framework/pod.ts';
import { servingInfo } from '../../framework/tls.ts';

const kubeconfig = '/etc/kubernetes/secrets/svc-kubeconfig/kubeconfig';

/** Namespaces get their user id ranges and pod security labels, quotas across namespaces are counted. */
export const clusterPolicyController = component('cluster-policy-controller', {
  dependsOn: ['openshift-apiserver'],
  zones: true,
  inject: { prober: {} },
  pod: () => ({
    containers: [
      {
        name: 'cluster-policy-controller',
        image: 'cluster-policy-controller',
        command: ['cluster-policy-controller'],
        args: [
          'start',
          '--config',
          '/etc/kubernetes/config/config.yaml',
          '--kubeconfig',
          kubeconfig,
          '--namespace=openshift-kube-controller-manager',
        ],
        cpu: '10m',
        memory: '200Mi',
        env: { POD_NAMESPACE: 'openshift-kube-controller-manager' },
        mounts: {
          'client-ca': '/etc/kubernetes/client-ca',
          config: '/etc/kubernetes/config',
          kubeconfig: '/etc/kubernetes/secrets/svc-kubeconfig',
          'serving-cert': '/etc/kubernetes/certs',
        },
      },
    ],
    volumes: {
      config: configMapVolume('cluster-policy-controller-config'),
      'serving-cert': secretVolume('cluster-policy-controller-cert'),
      kubeconfig: secretVolume('service-network-admin-kubeconfig'),
      'client-ca': configMapVolume('client-ca'),
    },
  }),
  manifests: [
    configMap('cluster-policy-controller-config', (context) => ({
      'config.yaml': JSON.stringify({
        apiVersion: 'openshiftcontrolplane.config.openshift.io/v1',
        kind: 'OpenShiftControllerManagerConfig',
        featureGates: [...featureGatesOf(context)].sort(),
        kubeClientConfig: { kubeConfig: kubeconfig },
        leaderElection: { leaseDuration: '137s', renewDeadline: '107s', retryPeriod: '26s' },
        servingInfo: {
          ...servingInfo(context, 10357, {
            certFile: '/etc/kubernetes/certs/tls.crt',
            keyFile: '/etc/kubernetes/certs/tls.key',
          }),
          clientCA: '/etc/kubernetes/client-ca/ca.crt',
        },
      }),
    })),
  ],
});
