import type { PkiFacts } from '../facts.ts';
import type { AuthoritySpec } from './specs.ts';

const authority = (secret: string, commonName = secret, organizationalUnit = 'openshift'): AuthoritySpec => ({
  secret,
  commonName,
  organizationalUnit,
});

/** Signers of client certificates that kube-apiserver accepts, in the order of the bundle. */
export const clientSigners: readonly AuthoritySpec[] = [
  authority('kube-control-plane-signer'),
  authority('kube-apiserver-to-kubelet-signer'),
  authority('system-admin-signer', 'admin-kubeconfig-signer'),
  authority('hcco-signer'),
  authority('kas-bootstrap-container-signer'),
  authority('cluster-signer-ca', 'kube-csr-signer'),
];

const always: readonly AuthoritySpec[] = [
  authority('root-ca'),
  authority('kas-aggregator-client-signer', 'aggregator-signer'),
  ...clientSigners,
  authority('konnectivity-signer', 'konnectivity-signer', 'kubernetes'),
];

const etcd: readonly AuthoritySpec[] = [authority('etcd-signer'), authority('etcd-metrics-signer')];

const ignition: AuthoritySpec = {
  ...authority('ignition-server-ca-cert', 'ignition-root-ca'),
  type: 'kubernetes.io/tls',
};

/** Hand-over of metrics has signers of its own, so that neither end is trusted with anything else. */
const metrics: readonly AuthoritySpec[] = [
  { ...authority('endpoint-resolver-ca'), type: 'kubernetes.io/tls' },
  { ...authority('metrics-proxy-ca-cert', 'metrics-proxy-ca'), type: 'kubernetes.io/tls' },
];

/** Every CA of a control plane. The break-glass signers are not here: the pki-operator makes and rotates them. */
export function authoritiesOf(facts: PkiFacts): readonly AuthoritySpec[] {
  return [
    ...always,
    ...(facts.managedEtcd === false ? [] : etcd),
    ...(facts.ignition === false ? [] : [ignition]),
    ...(facts.metricsForwarding ? metrics : []),
  ];
}
