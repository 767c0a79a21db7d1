import { describe, expect, it } from 'vitest';
import type { Infrastructure, InfraScope, PlatformType } from './platform.ts';
import { platformFor, platforms } from './registry.ts';
import { clusterOn, managedIdentities, platformSettings } from './testing/clusters.ts';

const endpoint = { host: 'api.demo.example.com', port: 443 };

function infrastructure(
  type: PlatformType,
  options: Parameters<typeof clusterOn>[1] = {},
  own: Partial<InfraScope> = {},
): Infrastructure | undefined {
  const cluster = clusterOn(type, options);
  return platformFor(type).infrastructure({ cluster, namespace: 'clusters-demo', endpoint, nodePools: [], ...own });
}

describe('Infrastructure clusters', () => {
  it('When on AWS, it should describe the network and call itself ready', () => {
    expect(infrastructure('AWS')?.cluster).toEqual({
      apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
      kind: 'AWSCluster',
      metadata: {
        name: 'demo',
        namespace: 'clusters-demo',
        annotations: { 'cluster.x-k8s.io/managed-by': 'external' },
      },
      spec: {
        region: 'us-east-1',
        network: { vpc: { id: 'vpc-1' } },
        controlPlaneEndpoint: endpoint,
        additionalTags: { 'kubernetes.io/cluster/demo-abcde': 'owned' },
      },
      status: { ready: true },
    });
  });

  it('When AWS machines get public addresses, it should list the subnets of the pools once, sorted', () => {
    const pool = (id: string) => ({ spec: { platform: { aws: { subnet: { id } } } } }) as never;
    const metadata = { annotations: { 'hypershift.openshift.io/aws-machine-public-ips': 'true' } };
    const found = infrastructure('AWS', { metadata }, { nodePools: [pool('b'), pool('a'), pool('b')] });
    expect(found?.cluster.spec).toMatchObject({
      network: {
        subnets: [
          { id: 'a', isPublic: true },
          { id: 'b', isPublic: true },
        ],
      },
    });
  });

  it('When on GCP, it should describe project, network and labels', () => {
    expect(infrastructure('GCP')?.cluster).toMatchObject({
      kind: 'GCPCluster',
      spec: {
        project: 'my-project',
        region: 'us-central1',
        network: { name: 'demo-net', subnets: [{ name: 'demo-psc', region: 'us-central1' }] },
        additionalLabels: {
          team: 'blue',
          'hypershift-openshift-io-cluster': 'demo',
          'hypershift-openshift-io-infra-id': 'demo-abcde',
        },
        controlPlaneEndpoint: endpoint,
      },
      status: { ready: true },
    });
  });

  it('When on Azure, it should log in with a token of the cluster', () => {
    const found = infrastructure('Azure');
    expect(found?.before[0]).toMatchObject({
      kind: 'AzureClusterIdentity',
      spec: {
        type: 'WorkloadIdentity',
        clientID: '00000000-0000-4000-8000-000000000007',
        tenantID: 'tenant',
        allowedNamespaces: { list: ['clusters-demo'] },
      },
    });
    expect(found?.cluster.spec).toEqual({
      location: 'eastus',
      resourceGroup: 'demo-rg',
      subscriptionID: 'sub',
      networkSpec: {
        vnet: {
          id: '/subscriptions/sub/resourceGroups/net-rg/providers/Microsoft.Network/virtualNetworks/demo-vnet',
          name: 'demo-vnet',
          resourceGroup: 'net-rg',
        },
        nodeOutboundLB: { name: 'demo-abcde', backendPool: { name: 'demo-abcde' } },
      },
      controlPlaneEndpoint: endpoint,
      identityRef: { name: 'demo', namespace: 'clusters-demo' },
    });
  });

  it('When on ARO, it should log in with a certificate from the vault', () => {
    const { azure } = platformSettings.Azure as { azure: object };
    const settings = { azure: { ...azure, azureAuthenticationConfig: managedIdentities } };
    expect(infrastructure('Azure', { settings }, { managedAzure: true })?.before[0]?.spec).toEqual({
      type: 'UserAssignedIdentityCredential',
      tenantID: 'tenant',
      userAssignedIdentityCredentialsCloudType: 'public',
      userAssignedIdentityCredentialsPath: '/mnt/certs/np-cert',
      allowedNamespaces: { list: ['clusters-demo'] },
    });
    const german = { azure: { ...azure, cloud: 'AzureGermanCloud', azureAuthenticationConfig: managedIdentities } };
    expect(() => infrastructure('Azure', { settings: german }, { managedAzure: true })).toThrow(
      'unsupported cloud type: AzureGermanCloud',
    );
  });

  it('When on KubeVirt, it should be named after the infrastructure and refer to foreign credentials', () => {
    expect(infrastructure('KubeVirt')?.cluster).toMatchObject({
      kind: 'KubevirtCluster',
      metadata: {
        name: 'demo-abcde',
        annotations: {
          'hypershift.openshift.io/cluster': 'clusters/demo',
          'cluster.x-k8s.io/managed-by': 'external',
        },
      },
      spec: {},
    });
    const kubevirt = { credentials: { infraNamespace: 'vms', infraKubeConfigSecret: { name: 'i', key: 'k' } } };
    expect(infrastructure('KubeVirt', { settings: { kubevirt } })?.cluster.spec).toEqual({
      infraClusterSecretRef: { kind: 'Secret', name: 'kubevirt-infra-credentials', namespace: 'clusters-demo' },
    });
  });

  it('When on Agent, it should wait for the ignition address', () => {
    expect(infrastructure('Agent')).toBeUndefined();
    expect(infrastructure('Agent', { status: { ignitionEndpoint: 'ign.example.com' } })?.cluster).toEqual({
      apiVersion: 'capi-provider.agent-install.openshift.io/v1beta1',
      kind: 'AgentCluster',
      metadata: { name: 'demo', namespace: 'clusters-demo' },
      spec: {
        ignitionEndpoint: {
          url: 'https://ign.example.com/ignition',
          caCertificateReference: { name: 'ignition-server-ca-cert', namespace: 'clusters-demo' },
        },
        controlPlaneEndpoint: endpoint,
      },
    });
  });

  it('When on OpenStack, it should make a subnet in the machine network and open the worker ports', () => {
    const spec = infrastructure('OpenStack')?.cluster.spec as {
      managedSubnets: object[];
      tags: string[];
      managedSecurityGroups: { allNodesSecurityGroupRules: { name: string; remoteIPPrefix: string }[] };
    };
    expect(spec.managedSubnets).toEqual([{ cidr: '10.0.0.0/16' }]);
    expect(spec.tags).toEqual(['openshiftClusterID=demo-abcde', 'blue']);
    const rules = spec.managedSecurityGroups.allNodesSecurityGroupRules;
    expect(rules).toHaveLength(13);
    expect(rules.filter(({ remoteIPPrefix }) => remoteIPPrefix === '10.0.0.0/16')).toHaveLength(5);
    expect(() => infrastructure('OpenStack', { spec: { networking: {} } })).toThrow('empty machine networks');
  });

  it('When on IBM, it should depend on who makes the machines', () => {
    expect(infrastructure('IBMCloud')?.cluster.kind).toBe('IBMVPCCluster');
    expect(infrastructure('IBMCloud', { settings: { ibmcloud: { providerType: 'UPI' } } })).toBeUndefined();
    expect(infrastructure('PowerVS')?.cluster).toMatchObject({
      kind: 'IBMPowerVSCluster',
      spec: { serviceInstanceID: 'workspace', controlPlaneEndpoint: endpoint },
    });
  });

  it('When there is no platform, it should want nothing', () => {
    expect(infrastructure('None')).toBeUndefined();
  });
});

describe('platformFor', () => {
  it('When a type is in the API, it should have a platform', () => {
    expect(platforms.map(({ type }) => type).sort()).toEqual(Object.keys(platformSettings).sort());
    expect(() => platformFor('Mars' as PlatformType)).toThrow('unsupported platform: Mars');
  });

  it('When an Agent cluster gets its control plane, it should look like one without platform', () => {
    expect(platforms.filter(({ type, traits }) => traits.controlPlaneType !== type).map(({ type }) => type)).toEqual([
      'Agent',
    ]);
  });
});

describe('Orphaned machines', () => {
  const now = new Date('2026-01-01T01:00:00Z');
  const machine = (own: object = {}, status: object = {}) => ({
    apiVersion: 'x/v1',
    kind: 'Machine',
    metadata: {
      name: 'm',
      finalizers: ['azuremachine.infrastructure.cluster.x-k8s.io', 'other'],
      deletionTimestamp: '2026-01-01T00:00:00Z',
      ...own,
    },
    status,
  });

  it('When AWS no longer trusts the cluster, it should let deleted machines go', () => {
    const invalid = clusterOn('AWS', {
      status: { conditions: [{ type: 'ValidAWSIdentityProvider', status: 'False' }] },
    });
    const { orphans } = platformFor('AWS');
    expect(orphans?.release(invalid, machine(), now)).toEqual([]);
    expect(orphans?.release(clusterOn('AWS'), machine(), now)).toBeUndefined();
    expect(orphans?.release(invalid, { apiVersion: 'x', kind: 'M', metadata: {} }, now)).toBeUndefined();
  });

  it('When Azure fails to delete for ten minutes on ARO, it should let the machine go', () => {
    const { azure } = platformSettings.Azure as { azure: object };
    const settings = { azure: { ...azure, azureAuthenticationConfig: managedIdentities } };
    const aro = clusterOn('Azure', { settings });
    const failed = { conditions: [{ type: 'Ready', status: 'False', reason: 'DeletionFailed' }] } as const;
    const { orphans } = platformFor('Azure');
    expect(orphans?.release(aro, machine({}, failed), now)).toEqual(['other']);
    expect(orphans?.release(aro, machine({ deletionTimestamp: '2026-01-01T00:55:00Z' }, failed), now)).toBeUndefined();
    expect(orphans?.release(aro, machine(), now)).toBeUndefined();
    expect(orphans?.release(clusterOn('Azure'), machine({}, failed), now)).toBeUndefined();
  });
});
