import { describe, expect, it } from 'vitest';
import { someFacts } from '../testing/facts.ts';
import { authoritiesOf, awsLeaves, azureLeaves, bundlesOf, kubeconfigsOf, leavesOf } from './index.ts';

const facts = someFacts();
const leaf = (secret: string, of = facts) => leavesOf(of).find((spec) => spec.secret === secret);

describe('the PKI table', () => {
  it('When a leaf is listed, it should name a CA that is listed and no Secret twice', () => {
    const full = someFacts({
      etcdShards: ['etcd-events'],
      platformLeaves: [...awsLeaves('clusters-demo'), ...azureLeaves('clusters-demo')],
      serviceAccounts: [
        { component: 'cluster-network-operator', namespace: 'openshift-network-operator', name: 'cno' },
      ],
    });
    const signers = new Set(authoritiesOf(full).map(({ secret }) => secret));
    expect(leavesOf(full).filter(({ signer }) => !signers.has(signer))).toEqual([]);
    const all = [...signers, ...leavesOf(full).map(({ secret }) => secret)];
    expect(new Set(all).size).toBe(all.length);
    const identities = new Set(leavesOf(full).map(({ secret }) => secret));
    expect(kubeconfigsOf(full).filter(({ identity }) => !identities.has(identity))).toEqual([]);
  });

  it('When asked for the API server, it should cover every name it is reached by', () => {
    expect(leaf('kas-server-crt')).toMatchObject({
      commonName: 'kubernetes',
      organizations: ['kubernetes'],
      role: 'server',
      dnsNames: [
        'localhost',
        'kubernetes',
        'kubernetes.default',
        'kubernetes.default.svc',
        'kubernetes.default.svc.cluster.local',
        'openshift',
        'openshift.default',
        'openshift.default.svc',
        'openshift.default.svc.cluster.local',
        'api.demo.example.com',
        'api.demo.hypershift.local',
      ],
      ipAddresses: ['127.0.0.1', '::1', '172.31.0.1', '172.20.0.1'],
    });
  });

  it('When the cluster is IPv6, it should advertise the IPv6 address', () => {
    const ipv6 = someFacts({ serviceNetworks: ['fd02::/112'], api: { host: 'fd01::5', port: 6443 } });
    expect(leaf('kas-server-crt', ipv6)?.ipAddresses).toEqual(['127.0.0.1', '::1', 'fd02::1', 'fd00::1', 'fd01::5']);
    expect(kubeconfigsOf(ipv6)[0]?.server).toBe('https://[fd01::5]:6443');
  });

  it('When asked for etcd, it should use the file names etcd mounts and leave the CA out', () => {
    expect(leaf('etcd-peer-tls')).toEqual({
      secret: 'etcd-peer-tls',
      signer: 'etcd-signer',
      commonName: 'etcd-discovery',
      organizations: ['kubernetes'],
      role: 'peer',
      dnsNames: ['*.etcd-discovery.clusters-demo.svc', '*.etcd-discovery.clusters-demo.svc.cluster.local'],
      ipAddresses: ['127.0.0.1', '::1'],
      keys: { certificate: 'peer.crt', key: 'peer.key' },
    });
    expect(leaf('etcd-server-tls')?.ipAddresses).toBeUndefined();
    expect(leaf('etcd-events-server-tls', someFacts({ etcdShards: ['etcd-events'] }))?.dnsNames).toContain(
      'etcd-client-events',
    );
  });

  it.each([
    ['system-admin-client', 'system:admin', ['system:masters']],
    ['hcco-client', 'system:hosted-cluster-config', ['kubernetes', 'system:serviceaccounts:openshift']],
    ['kas-aggregator-crt', 'system:openshift-aggregator', ['kubernetes']],
    ['kas-kubelet-client-crt', 'system:kube-apiserver', ['kubernetes']],
    ['kube-controller-manager', 'system:kube-controller-manager', ['kubernetes']],
    ['metrics-client', 'system:serviceaccount:hypershift:prometheus', ['kubernetes']],
  ])('When asked for %s, it should be %s', (secret, commonName, organizations) => {
    expect(leaf(secret)).toMatchObject({ commonName, organizations, role: 'client' });
  });

  it('When there is no OAuth server, it should have nothing of it', () => {
    const { oauthHost: _, ...rest } = facts;
    expect(leaf('oauth-server-crt', rest)).toBeUndefined();
    expect(kubeconfigsOf(rest).map(({ secret }) => secret)).not.toContain('kas-authentication-token-webhook-config');
    expect(bundlesOf(rest).map(({ configMap }) => configMap)).not.toContain('oauth-master-ca-bundle');
  });

  it('When the control plane is private, it should give users and nodes the internal name', () => {
    const servers = Object.fromEntries(
      kubeconfigsOf(someFacts({ adminUsesInternalName: true, nodesUseInternalName: true })).map((spec) => [
        spec.secret,
        spec.server,
      ]),
    );
    expect(servers['admin-kubeconfig']).toBe('https://api.demo.hypershift.local:6443');
    expect(servers['bootstrap-kubeconfig']).toBe('https://api.demo.hypershift.local:6443');
    expect(servers['hcco-kubeconfig']).toBe('https://kube-apiserver:6443');
    expect(servers['localhost-kubeconfig']).toBe('https://localhost:6443');
  });

  it('When Cluster API looks for its kubeconfig, it should find the name, key and label of its contract', () => {
    expect(kubeconfigsOf(facts).find(({ scope }) => scope === 'capi')).toMatchObject({
      secret: 'demo-x7k2p-kubeconfig',
      key: 'value',
      labels: { 'cluster.x-k8s.io/cluster-name': 'demo-x7k2p' },
    });
  });

  it('When a service network is nonsense, it should say which', () => {
    expect(() => leavesOf(someFacts({ serviceNetworks: ['10.0.0.0'] }))).toThrow(/"10\.0\.0\.0" is not a CIDR/);
  });
});
