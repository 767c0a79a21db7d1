import type { Subject } from '../rbac/types.ts';
import { rbacGroup } from '../rbac/types.ts';
import { controllerRoles } from './controller-roles.ts';

/** Who gets a default role. */
export interface BindingSpec {
  readonly name: string;
  /** The role of the same name when absent. */
  readonly role?: string;
  readonly namespace?: string;
  readonly subjects: readonly Subject[];
}

const group = (name: string): Subject => ({ apiGroup: rbacGroup, kind: 'Group', name });
const user = (name: string): Subject => ({ apiGroup: rbacGroup, kind: 'User', name });
const account = (name: string): Subject => ({ kind: 'ServiceAccount', name, namespace: 'kube-system' });

export const clusterBindings: readonly BindingSpec[] = [
  { name: 'cluster-admin', subjects: [group('system:masters')] },
  { name: 'system:basic-user', subjects: [group('system:authenticated')] },
  { name: 'system:cluster-trust-bundle-discovery', subjects: [group('system:serviceaccounts')] },
  { name: 'system:discovery', subjects: [group('system:authenticated')] },
  { name: 'system:kube-controller-manager', subjects: [user('system:kube-controller-manager')] },
  { name: 'system:kube-dns', subjects: [account('kube-dns')] },
  { name: 'system:kube-scheduler', subjects: [user('system:kube-scheduler')] },
  { name: 'system:monitoring', subjects: [group('system:monitoring')] },
  // Nodes are the Node authorizer's business; the binding exists so that nobody wonders where it went.
  { name: 'system:node', subjects: [] },
  { name: 'system:node-proxier', subjects: [user('system:kube-proxy')] },
  { name: 'system:public-info-viewer', subjects: [group('system:authenticated'), group('system:unauthenticated')] },
  { name: 'system:service-account-issuer-discovery', subjects: [group('system:serviceaccounts')] },
  { name: 'system:volume-scheduler', subjects: [user('system:kube-scheduler')] },
  // Each controller runs under the service account its role is named after.
  ...controllerRoles.map(({ name }) => ({ name, subjects: [account(name.slice('system:controller:'.length))] })),
];

export const namespaceBindings: readonly BindingSpec[] = [
  { namespace: 'kube-public', name: 'system:controller:bootstrap-signer', subjects: [account('bootstrap-signer')] },
  {
    namespace: 'kube-system',
    name: 'system::extension-apiserver-authentication-reader',
    role: 'extension-apiserver-authentication-reader',
    subjects: [user('system:kube-controller-manager'), user('system:kube-scheduler')],
  },
  {
    namespace: 'kube-system',
    name: 'system::leader-locking-kube-controller-manager',
    subjects: [
      user('system:kube-controller-manager'),
      account('kube-controller-manager'),
      account('leader-election-controller'),
    ],
  },
  {
    namespace: 'kube-system',
    name: 'system::leader-locking-kube-scheduler',
    subjects: [user('system:kube-scheduler'), account('kube-scheduler')],
  },
  { namespace: 'kube-system', name: 'system:controller:bootstrap-signer', subjects: [account('bootstrap-signer')] },
  { namespace: 'kube-system', name: 'system:controller:cloud-provider', subjects: [account('cloud-provider')] },
  { namespace: 'kube-system', name: 'system:controller:token-cleaner', subjects: [account('token-cleaner')] },
];
