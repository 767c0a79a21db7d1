import type { PkiFacts } from '../facts.ts';
import { apiUrl, internalApiName } from '../facts.ts';
import { serviceAccountSecret } from './client-leaves.ts';
import type { KubeconfigScope, KubeconfigSpec } from './specs.ts';
import { clusterNameLabel, kubeconfigKey } from './specs.ts';

const defaultPort = 6443;

/** Every kubeconfig Secret of a control plane. */
export function kubeconfigsOf(facts: PkiFacts): readonly KubeconfigSpec[] {
  const { api, adminKubeconfig, infraId } = facts;
  const external = apiUrl(api.host, api.port);
  const internal = apiUrl(internalApiName(facts), api.port);
  const inCluster = apiUrl('kube-apiserver', facts.ports?.service ?? defaultPort);
  const localhost = apiUrl('localhost', facts.ports?.pod ?? defaultPort);
  const key = adminKubeconfig?.key ?? kubeconfigKey;
  const plain = (secret: string, server: string, identity: string, scope: KubeconfigScope): KubeconfigSpec => ({
    secret,
    key: kubeconfigKey,
    server,
    identity,
    scope,
  });
  const admin = 'system-admin-client';
  return [
    {
      ...plain(adminKubeconfig?.name ?? 'admin-kubeconfig', external, admin, 'external'),
      key,
      server: facts.adminUsesInternalName ? internal : external,
      trustsNamedCertificates: true,
    },
    ...(facts.kubeAPIServerDNSName === undefined
      ? []
      : [
          {
            ...plain('custom-admin-kubeconfig', apiUrl(facts.kubeAPIServerDNSName, api.port), admin, 'external'),
            key,
            trustsNamedCertificates: true,
          },
        ]),
    plain('service-network-admin-kubeconfig', inCluster, admin, 'service'),
    plain('localhost-kubeconfig', localhost, admin, 'local'),
    plain('kas-bootstrap-container-kubeconfig', localhost, 'kas-bootstrap-container-client', 'local'),
    {
      ...plain(`${infraId}-kubeconfig`, inCluster, admin, 'capi'),
      key: 'value',
      labels: { [clusterNameLabel]: infraId },
    },
    plain('hcco-kubeconfig', inCluster, 'hcco-client', 'service'),
    plain('kube-scheduler-kubeconfig', inCluster, 'kube-scheduler-client', 'service'),
    plain('kube-controller-manager-kubeconfig', inCluster, 'kube-controller-manager', 'service'),
    {
      ...plain(
        'bootstrap-kubeconfig',
        facts.nodesUseInternalName ? internal : external,
        'kas-bootstrap-client',
        'bootstrap',
      ),
      trustsNamedCertificates: true,
    },
    ...(facts.oauthHost === undefined ? [] : [tokenWebhook(facts)]),
    ...(facts.serviceAccounts ?? []).map((account) => {
      const secret = serviceAccountSecret(account);
      return plain(secret, account.localhost ? localhost : inCluster, secret, 'local');
    }),
  ];
}

/** How kube-apiserver asks the OAuth API server whose token it was shown. */
function tokenWebhook({ namespace }: PkiFacts): KubeconfigSpec {
  return {
    secret: 'kas-authentication-token-webhook-config',
    key: kubeconfigKey,
    server: `https://openshift-oauth-apiserver.${namespace}.svc:443/apis/oauth.openshift.io/v1/tokenreviews`,
    identity: 'openshift-authenticator-cert',
  };
}
