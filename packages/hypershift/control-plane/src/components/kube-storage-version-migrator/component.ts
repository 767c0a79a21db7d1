import { isNotPlatform } from '../../framework/cluster-facts.ts';
import { component } from '../../framework/component.ts';
import { podName, podNamespace, secretVolume } from '../../framework/pod.ts';

const isSupported = isNotPlatform('IBMCloud', 'PowerVS');

/** Rewrites stored objects, which encrypts them with the newest key. */
export const kubeStorageVersionMigrator = component('kube-storage-version-migrator', {
  replicas: 1,
  enabled: (context) => context.hcp.spec.secretEncryption !== undefined && isSupported(context),
  pod: () => ({
    containers: [
      {
        name: 'migrator',
        image: 'kube-storage-version-migrator',
        command: ['migrator'],
        args: ['--alsologtostderr', '--v=2', '--kubeconfig=/etc/kubernetes/kubeconfig'],
        cpu: '10m',
        memory: '200Mi',
        env: { POD_NAME: podName, POD_NAMESPACE: podNamespace },
        mounts: { kubeconfig: '/etc/kubernetes' },
      },
    ],
    volumes: { kubeconfig: secretVolume('service-network-admin-kubeconfig') },
  }),
});
