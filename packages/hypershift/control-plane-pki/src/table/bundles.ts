import type { PkiFacts } from '../facts.ts';
import { clientSigners } from './authorities.ts';
import type { BundleSource, BundleSpec } from './specs.ts';
import { caBundleKey } from './specs.ts';

const ca = (secret: string): BundleSource => ({ secret, key: 'ca.crt' });
const of = (configMap: string, ...sources: readonly BundleSource[]): BundleSpec => ({
  configMap,
  key: 'ca.crt',
  sources,
});

/** ConfigMap the pki-operator writes: the break-glass signers. */
export const totalClientCa = { configMap: 'total-client-ca', key: caBundleKey } as const;
export const trustedCaBundle = { configMap: 'trusted-ca-bundle-managed', key: caBundleKey } as const;

/** Every trust bundle of a control plane; sources come before those that use them. */
export function bundlesOf(facts: PkiFacts): readonly BundleSpec[] {
  const users = (facts.userCaBundles ?? []).map((configMap) => ({ configMap, key: caBundleKey }));
  const named = (facts.namedCertificates ?? []).map((secret) => ({ secret, key: 'tls.crt' }));
  const ingress = facts.ingressDomain === undefined ? [] : [observedIngress];
  return [
    of('root-ca', ca('root-ca'), ...ingress),
    ...(facts.managedEtcd === false
      ? []
      : [of('etcd-ca', ca('etcd-signer')), of('etcd-metrics-ca', ca('etcd-metrics-signer'))]),
    of('aggregator-client-ca', ca('kas-aggregator-client-signer')),
    of('client-ca', ...clientSigners.map(({ secret }) => ca(secret)), totalClientCa),
    of('kubelet-client-ca', ca('kube-apiserver-to-kubelet-signer'), ca('cluster-signer-ca')),
    of('konnectivity-ca-bundle', ca('konnectivity-signer')),
    { ...trustedCaBundle, sources: users },
    ...(facts.oauthHost === undefined ? [] : [of('oauth-master-ca-bundle', ca('root-ca'), ...named, trustedCaBundle)]),
  ];
}

/** The certificate a user put on the default ingress, seen inside the hosted cluster and copied here. */
const observedIngress: BundleSource = { configMap: 'observed-default-ingress-cert', key: 'ca.crt' };
