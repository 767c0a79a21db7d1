import { isPlatform } from '../../framework/cluster-facts.ts';
import { component } from '../../framework/component.ts';

export const cloudCredentialOperator = component('cloud-credential-operator', {
  replicas: 1,
  strategy: 'Recreate',
  dependsOn: ['openshift-apiserver'],
  zones: true,
  enabled: isPlatform('AWS'),
  inject: {
    prober: {
      kubeconfigVolume: 'service-account-kubeconfig',
      requiredApis: ['operator.openshift.io,v1,CloudCredential'],
      waitForInfrastructureResource: true,
    },
    serviceAccountKubeconfig: {
      serviceAccount: { namespace: 'openshift-cloud-credential-operator', name: 'cloud-credential-operator' },
      mountPath: '/etc/kubernetes',
      containers: ['cloud-credential-operator'],
    },
  },
  pod: (context) => ({
    containers: [
      {
        name: 'cloud-credential-operator',
        image: 'cloud-credential-operator',
        command: ['/usr/bin/cloud-credential-operator'],
        args: ['operator', '--kubeconfig=/etc/kubernetes/kubeconfig'],
        cpu: '10m',
        memory: '75Mi',
        env: { RELEASE_VERSION: context.userRelease.version, KUBECONFIG: '/etc/kubernetes/kubeconfig' },
      },
    ],
  }),
});
