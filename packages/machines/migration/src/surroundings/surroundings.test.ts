import { describe, expect, it } from 'vitest';
import { platformConversion } from '../conversion/platforms.ts';
import { controlPlaneEndpoint } from './endpoint.ts';
import { controlPlaneMember, desiredInfraCluster } from './infra-cluster.ts';
import { desiredUserData } from './user-data.ts';

const aws = platformConversion('AWS')!;
const endpoint = { host: 'api-int.prod.example.com', port: 6443 };

function awsCluster(loadBalancers: readonly object[], ipFamily?: string) {
  const infrastructure = {
    infrastructureName: 'prod-x7k2p',
    platformStatus: { aws: { region: 'us-east-1', ...(ipFamily ? { ipFamily } : {}) } },
  };
  const member = { metadata: {}, spec: { providerSpec: { value: { loadBalancers } } } };
  return desiredInfraCluster(member, aws, infrastructure, endpoint)!;
}

describe('controlPlaneEndpoint', () => {
  it.each([
    ['https://api-int.prod.example.com:6443', endpoint],
    ['https://api-int.prod.example.com', { host: 'api-int.prod.example.com', port: 443 }],
    ['', undefined],
    ['not a url', undefined],
  ])('When the infrastructure says %j, it should be %j', (apiServerInternalURI, expected) => {
    expect(controlPlaneEndpoint({ infrastructureName: 'prod', apiServerInternalURI })).toEqual(expected);
  });
});

describe('desiredInfraCluster', () => {
  it('When there is one classic load balancer, it should be the internal one', () => {
    expect(awsCluster([{ name: 'prod', type: 'classic' }])).toMatchObject({
      errors: [],
      value: { spec: { controlPlaneLoadBalancer: { name: 'prod', scheme: 'internal', loadBalancerType: 'classic' } } },
    });
  });

  it.each([[[]], [['a', 'b', 'c'].map((name) => ({ name, type: 'network' }))]])(
    'When the load balancers are %j, it should refuse to choose',
    (balancers) => {
      expect(awsCluster(balancers).errors).toEqual([
        expect.objectContaining({ field: 'spec.providerSpec.value.loadBalancers' }),
      ]);
    },
  );

  it('When the cluster has two address families, it should say so', () => {
    const [balancer] = [{ name: 'prod-int', type: 'network' }];
    expect(awsCluster([balancer!], 'DualStackIPv4Primary').value.spec).toMatchObject({
      network: { vpc: { ipv6: {} } },
    });
  });
});

describe('controlPlaneMember', () => {
  const labels = {
    'machine.openshift.io/cluster-api-machine-role': 'master',
    'machine.openshift.io/cluster-api-machine-type': 'master',
  };
  const machine = (name: string, creationTimestamp: string, own: { readonly [key: string]: string }) => ({
    apiVersion: 'machine.openshift.io/v1beta1',
    kind: 'Machine',
    metadata: { name, creationTimestamp, labels: own },
    spec: {},
  });

  it('When no set makes the control plane, it should be described by its newest machine', () => {
    const machines = [
      machine('master-0', '2026-01-01T00:00:00Z', labels),
      machine('master-1', '2026-03-01T00:00:00Z', labels),
      machine('worker-0', '2026-04-01T00:00:00Z', {}),
    ];
    expect(controlPlaneMember(undefined, machines)?.metadata.name).toBe('master-1');
    expect(controlPlaneMember(undefined, [])).toBeUndefined();
  });
});

describe('desiredUserData', () => {
  it('When a secret holds no user data, it should not be copied', () => {
    expect(desiredUserData({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'x' }, data: {} })).toBeUndefined();
  });
});
