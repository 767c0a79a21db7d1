import { describe, expect, it } from 'vitest';
import { aCluster } from '../testing/clusters.ts';
import { desiredNetworkPolicies, type NetworkPolicyFacts } from './index.ts';

const facts: NetworkPolicyFacts = { ownRouter: false, labelsManagementKasAccess: true };
const network = {
  apiServers: ['10.0.0.2/32', '10.0.0.1/32'],
  clusterNetworks: ['10.128.0.0/14'],
  serviceNetworks: ['fd02::/112'],
  openShiftDns: true,
};
const policies = (spec: object = {}, own: Partial<NetworkPolicyFacts> = {}) =>
  desiredNetworkPolicies(aCluster(spec), { ...facts, ...own });
const names = (spec: object = {}, own: Partial<NetworkPolicyFacts> = {}) =>
  [...policies(spec, own)]
    .filter(([, policy]) => policy)
    .map(([name]) => name)
    .sort();
const services = (type: string) =>
  ['APIServer', 'OAuthServer', 'Konnectivity', 'Ignition'].map((service) => ({
    service,
    servicePublishingStrategy: { type, nodePort: { address: '192.0.2.7' } },
  }));
const always = ['kas', 'openshift-monitoring', 'same-namespace'];

describe('which policies exist', () => {
  it.each([
    ['None with routes', {}, {}, ['openshift-ingress', ...always]],
    ['a router of its own', {}, { ownRouter: true }, always],
    ['AWS', { platform: { type: 'AWS' } }, {}, ['openshift-ingress', 'management-kas', 'private-router', ...always]],
    [
      'AWS with an old operator',
      { platform: { type: 'AWS' } },
      { labelsManagementKasAccess: false },
      ['openshift-ingress', 'private-router', ...always],
    ],
    [
      'AWS with metrics',
      { platform: { type: 'AWS' } },
      { metrics: 'thanos' },
      ['openshift-ingress', 'management-kas', 'metrics-server', 'private-router', ...always],
    ],
    [
      'Azure behind a shared ingress',
      { platform: { type: 'Azure' } },
      { sharedIngress: true, ownRouter: true },
      ['private-router', 'sharedingress', ...always],
    ],
    ['GCP', { platform: { type: 'GCP' } }, { ownRouter: true }, ['private-router', ...always]],
    ['KubeVirt', { platform: { type: 'KubeVirt' } }, {}, ['openshift-ingress', 'virt-launcher', ...always]],
    [
      'KubeVirt elsewhere',
      { platform: { type: 'KubeVirt', kubevirt: { credentials: {} } } },
      {},
      ['openshift-ingress', ...always],
    ],
    [
      'node ports',
      { services: services('NodePort') },
      {},
      [
        'openshift-ingress',
        'nodeport-oauth',
        'nodeport-ignition',
        'nodeport-ignition-proxy',
        'nodeport-konnectivity',
        'nodeport-konnectivity-kas',
        ...always,
      ],
    ],
    [
      'load balancers',
      { services: services('LoadBalancer') },
      {},
      ['openshift-ingress', 'loadbalancer-oauth', ...always],
    ],
  ] as const)('When it is %s, it should be exactly the ones needed', (_, spec, own, expected) => {
    expect(names(spec, own)).toEqual([...expected].sort());
  });

  it('When a policy is no longer needed, it should be named for removal', () => {
    expect(policies().has('nodeport-oauth')).toBe(true);
    expect(policies().get('nodeport-oauth')).toBeUndefined();
  });
});

describe('what policies say', () => {
  it('When the API server is IBM or published on another port, it should be open there', () => {
    const ports = (spec: object) =>
      policies(spec)
        .get('kas')
        ?.spec?.ingress?.map((rule) => rule.ports?.[0]?.port);
    expect(ports({})).toEqual([6443]);
    expect(ports({ platform: { type: 'IBMCloud' } })).toEqual([2040]);
    expect(ports({ networking: { apiServer: { port: 7443 } } })).toEqual([6443, 7443]);
  });
  it('When pods are kept from the management cluster, it should block API servers and pods, in a stable order', () => {
    const spec = policies({ platform: { type: 'AWS' } }, { network }).get('management-kas')?.spec;
    expect(spec?.egress?.[1]?.to?.[0]?.ipBlock).toEqual({
      cidr: '0.0.0.0/0',
      except: ['10.0.0.1/32', '10.0.0.2/32', '10.128.0.0/14'],
    });
    expect(spec?.egress?.[2]?.ports?.[0]).toEqual({ port: 5353, protocol: 'UDP' });
    expect(spec?.podSelector?.matchExpressions?.map(({ key, operator }) => `${key} ${operator}`)).toEqual([
      'hypershift.openshift.io/need-management-kas-access DoesNotExist',
      'name NotIn',
    ]);
  });
  it('When the management cluster is plain Kubernetes, names should be asked for on port 53', () => {
    const router = policies({ platform: { type: 'GCP' } }).get('private-router')?.spec;
    expect(router?.egress?.at(-1)).toEqual({
      ports: [
        { port: 53, protocol: 'UDP' },
        { port: 53, protocol: 'TCP' },
      ],
    });
    expect(router?.ingress?.[0]?.ports?.map(({ port }) => port)).toEqual([8080, 8443]);
  });
  it('When machines run beside the control plane, they should reach its servers and published nodes only', () => {
    const egress = policies({ platform: { type: 'KubeVirt' }, services: services('NodePort') }, { network }).get(
      'virt-launcher',
    )?.spec?.egress;
    expect(egress?.[0]?.to?.slice(0, 2)).toEqual([
      { ipBlock: { cidr: '0.0.0.0/0', except: ['10.128.0.0/14'] } },
      { ipBlock: { cidr: '::/0', except: ['fd02::/112'] } },
    ]);
    expect(egress?.[0]?.to).toHaveLength(8);
    expect(egress?.slice(1)).toEqual([{ to: [{ ipBlock: { cidr: '192.0.2.7/32' } }] }]);
  });
});
