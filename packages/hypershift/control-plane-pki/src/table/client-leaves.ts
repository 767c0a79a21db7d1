import type { PkiFacts, ServiceAccountKubeconfig } from '../facts.ts';
import type { LeafSpec } from './specs.ts';

const client = (
  secret: string,
  signer: string,
  commonName: string,
  organizations: readonly string[] = ['kubernetes'],
): LeafSpec => ({ secret, signer, commonName, organizations, role: 'client' });

const serviceAccount = (namespace: string, name: string) => ({
  user: `system:serviceaccount:${namespace}:${name}`,
  groups: [`system:serviceaccounts:${namespace}`, 'system:serviceaccounts'],
});

/** Certificates by which parts of the control plane prove who they are. */
export function clientLeaves(facts: PkiFacts): readonly LeafSpec[] {
  const bootstrapper = serviceAccount('openshift-machine-config-operator', 'node-bootstrapper');
  return [
    client('kas-aggregator-crt', 'kas-aggregator-client-signer', 'system:openshift-aggregator'),
    client('kube-scheduler-client', 'kube-control-plane-signer', 'system:kube-scheduler'),
    client('kube-controller-manager', 'kube-control-plane-signer', 'system:kube-controller-manager'),
    client('kas-kubelet-client-crt', 'kube-apiserver-to-kubelet-signer', 'system:kube-apiserver'),
    client('system-admin-client', 'system-admin-signer', 'system:admin', ['system:masters']),
    client('hcco-client', 'hcco-signer', 'system:hosted-cluster-config', [
      'kubernetes',
      'system:serviceaccounts:openshift',
    ]),
    client('kas-bootstrap-container-client', 'kas-bootstrap-container-signer', 'system:kas-bootstrap-container'),
    client('kas-bootstrap-client', 'cluster-signer-ca', bootstrapper.user, bootstrapper.groups),
    client(
      'openshift-authenticator-cert',
      'cluster-signer-ca',
      serviceAccount('openshift-oauth-apiserver', 'openshift-authenticator').user,
      ['openshift'],
    ),
    client('metrics-client', 'cluster-signer-ca', serviceAccount('hypershift', 'prometheus').user),
    client('konnectivity-client', 'konnectivity-signer', 'konnectivity-client'),
    client('konnectivity-agent', 'konnectivity-signer', 'konnectivity-agent'),
    ...(facts.serviceAccounts ?? []).map(serviceAccountLeaf),
  ];
}

export function serviceAccountSecret(account: ServiceAccountKubeconfig): string {
  return account.secret ?? `${account.component}-service-account-kubeconfig`;
}

function serviceAccountLeaf(account: ServiceAccountKubeconfig): LeafSpec {
  const { user, groups } = serviceAccount(account.namespace, account.name);
  return client(serviceAccountSecret(account), 'cluster-signer-ca', user, groups);
}
