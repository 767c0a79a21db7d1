import { managesMachines } from '../../framework/cluster-facts.ts';
import { component } from '../../framework/component.ts';
import { configMap, identity, rule } from '../../framework/manifest.ts';
import { secretVolume } from '../../framework/pod.ts';
import { tlsFlags } from '../../framework/tls.ts';

/** Approves the certificate requests of nodes that belong to a Machine. */
export const machineApprover = component('machine-approver', {
  replicas: 1,
  managementKasAccess: true,
  enabled: managesMachines,
  inject: { prober: {} },
  pod: (context) => ({
    serviceAccount: 'machine-approver',
    terminationGracePeriodSeconds: 30,
    containers: [
      {
        name: 'machine-approver',
        image: 'cluster-machine-approver',
        command: ['/usr/bin/machine-approver'],
        args: [
          '--config=/var/run/configmaps/config/config.yaml',
          '-v=3',
          '--logtostderr',
          '--apigroup=cluster.x-k8s.io',
          '--workload-cluster-kubeconfig=/etc/kubernetes/kubeconfig/kubeconfig',
          '--disable-status-controller',
          `--machine-namespace=${context.namespace}`,
          ...tlsFlags(context),
        ],
        cpu: '10m',
        memory: '50Mi',
        mounts: { kubeconfig: '/etc/kubernetes/kubeconfig', config: '/var/run/configmaps/config' },
      },
    ],
    volumes: {
      kubeconfig: secretVolume('service-network-admin-kubeconfig'),
      config: { configMap: 'machine-approver-config', optional: true },
    },
  }),
  manifests: [
    configMap('machine-approver-config', { 'config.yaml': 'nodeclientcert:\n  disabled: false\n' }),
    ...identity('machine-approver', [
      rule('cluster.x-k8s.io', ['machines', 'machines/status'], ['get', 'list', 'watch']),
    ]),
  ],
});
