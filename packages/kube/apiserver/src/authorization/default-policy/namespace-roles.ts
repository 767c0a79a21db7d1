import type { RoleSpec } from './notation.ts';
import { on } from './notation.ts';

/** Roles inside kube-system and kube-public. */
export const namespaceRoles: readonly RoleSpec[] = [
  {
    name: 'system:controller:bootstrap-signer',
    namespace: 'kube-public',
    rules: [
      on('get list watch', 'core', 'configmaps'),
      on('update', 'core', 'configmaps', 'cluster-info'),
      on('create patch update', 'core events.k8s.io', 'events'),
    ],
  },
  {
    name: 'extension-apiserver-authentication-reader',
    namespace: 'kube-system',
    rules: [on('get list watch', 'core', 'configmaps', 'extension-apiserver-authentication')],
  },
  {
    name: 'system::leader-locking-kube-controller-manager',
    namespace: 'kube-system',
    rules: [
      on('create get list update watch', 'coordination.k8s.io', 'leases'),
      on('create get list update watch', 'coordination.k8s.io', 'leasecandidates'),
    ],
  },
  {
    name: 'system::leader-locking-kube-scheduler',
    namespace: 'kube-system',
    rules: [
      on('create get list update watch', 'coordination.k8s.io', 'leases'),
      on('create get list update watch', 'coordination.k8s.io', 'leasecandidates'),
    ],
  },
  {
    name: 'system:controller:bootstrap-signer',
    namespace: 'kube-system',
    rules: [on('get list watch', 'core', 'secrets')],
  },
  {
    name: 'system:controller:cloud-provider',
    namespace: 'kube-system',
    rules: [on('create get list watch', 'core', 'configmaps')],
  },
  {
    name: 'system:controller:token-cleaner',
    namespace: 'kube-system',
    rules: [on('delete get list watch', 'core', 'secrets'), on('create patch update', 'core events.k8s.io', 'events')],
  },
];
