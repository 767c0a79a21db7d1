import { parseVersion } from '@hypershift-ts/hypershift-release';
import { describe, expect, it } from 'vitest';
import type { PlatformType, ProviderScope } from './platform.ts';
import { platformFor, platforms } from './registry.ts';
import { tlsArgs } from './shared/tls-profile.ts';
import { clusterOn, controlPlaneOn } from './testing/clusters.ts';

const images = { KubeVirt: 'capk:1' } as const;

function provider(type: PlatformType, options: Parameters<typeof clusterOn>[1] = {}, own: Partial<ProviderScope> = {}) {
  return platformFor(type).provider({
    cluster: clusterOn(type, options),
    namespace: 'clusters-demo',
    hostedControlPlane: controlPlaneOn(type, options),
    version: parseVersion('4.20.1'),
    image: (component) => `payload/${component}`,
    providerImages: images,
    utilitiesImage: 'utilities',
    ...own,
  })?.podSpec;
}

describe('Providers', () => {
  const table: readonly (readonly [PlatformType, string, readonly string[]])[] = [
    ['AWS', 'payload/aws-cluster-api-controllers', ['manager', 'token-minter']],
    ['Azure', 'payload/azure-cluster-api-controllers', ['manager', 'cloud-token-minter']],
    ['GCP', 'payload/gcp-cluster-api-controllers', ['manager']],
    ['KubeVirt', 'capk:1', ['manager']],
    ['Agent', 'quay.io/edge-infrastructure/cluster-api-provider-agent:latest', ['manager']],
    ['OpenStack', 'payload/openstack-cluster-api-controllers', ['manager', 'orc-manager']],
    ['PowerVS', 'payload/ibmcloud-cluster-api-controllers', ['manager']],
  ];
  it.each(table)('When on %s, it should run %s', (type, image, containers) => {
    const pod = provider(type);
    expect(pod?.containers.map(({ name }) => name)).toEqual(containers);
    expect(pod?.containers[0]?.image).toBe(image);
    expect(pod?.terminationGracePeriodSeconds).toBe(10);
    const volumes = new Set(pod?.volumes?.map(({ name }) => name));
    for (const { volumeMounts = [] } of pod?.containers ?? [])
      for (const { name } of volumeMounts) expect(volumes).toContain(name);
  });

  it('When a platform has no machines, it should run nothing', () => {
    expect(provider('None')).toBeUndefined();
    expect(provider('IBMCloud')).toBeUndefined();
  });

  it.each(table)('When %s gets an image by annotation, it should win', (type) => {
    const key = `hypershift.openshift.io/capi-provider-${type.toLowerCase()}-image`;
    expect(provider(type, { metadata: { annotations: { [key]: 'mine' } } })?.containers[0]?.image).toBe('mine');
  });

  it('When nobody names the KubeVirt image, it should say where to set it', () => {
    expect(() => provider('KubeVirt', {}, { providerImages: {} })).toThrow('no image for the KubeVirt');
  });

  it('When the release is old, it should leave out what its provider does not know', () => {
    const old = { version: parseVersion('4.15.3') };
    expect(provider('AWS', {}, old)?.containers[0]?.args).toContain('--feature-gates=EKS=false');
    expect(provider('AWS')?.containers[0]?.args).toContain('--feature-gates=EKS=false,ROSA=false');
    expect(provider('OpenStack', {}, { version: parseVersion('4.18.3') })?.containers).toHaveLength(1);
  });

  const withTls = platforms.filter(({ type }) => type !== 'None' && type !== 'IBMCloud').map(({ type }) => type);
  it.each(withTls)('When %s is new enough, it should take the TLS profile', (type) => {
    const args = (version: string) => provider(type, {}, { version: parseVersion(version) })?.containers[0]?.args;
    expect(args('5.0.0')).toContain('--tls-min-version=VersionTLS12');
    expect(args('4.22.9')?.some((arg) => arg.startsWith('--tls'))).toBe(false);
  });

  it('When it is ARO, it should mount certificates of the vault', () => {
    const pod = provider('Azure', {}, { managedAzure: { keyVaultClientID: 'kv' } });
    expect(pod?.containers[0]?.env).toContainEqual({ name: 'ARO_HCP_KEY_VAULT_USER_CLIENT_ID', value: 'kv' });
    expect(pod?.volumes?.at(-1)?.csi?.volumeAttributes).toEqual({
      secretProviderClass: 'managed-azure-nodepool-management',
    });
  });
});

describe('tlsArgs', () => {
  it('When profiles differ, it should list what Go lets choose', () => {
    expect(tlsArgs({ type: 'Modern' })).toEqual(['--tls-min-version=VersionTLS13']);
    expect(tlsArgs({ type: 'Old' })[1]?.split(',')).toHaveLength(10);
    expect(tlsArgs(undefined)[1]?.split(',')).toHaveLength(6);
    const custom = { minTLSVersion: 'VersionTLS12', ciphers: ['ECDHE-RSA-AES128-SHA', 'nonsense'] } as const;
    expect(tlsArgs({ type: 'Custom', custom })).toEqual([
      '--tls-min-version=VersionTLS12',
      '--tls-cipher-suites=TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA',
    ]);
  });
});

describe('Cloud provider configuration', () => {
  const configs = (type: PlatformType, options: Parameters<typeof clusterOn>[1] = {}) =>
    platformFor(type).cloudProviderConfig(controlPlaneOn(type, options));

  it('When on AWS, it should be an INI file with the shared probe', () => {
    expect(configs('AWS')).toEqual([
      {
        name: 'aws-cloud-config',
        kind: 'ConfigMap',
        data: {
          'aws.conf':
            '[Global]\nZone = us-east-1a\nVPC = vpc-1\nKubernetesClusterID = demo-abcde\nSubnetID = subnet-1\nClusterServiceLoadBalancerHealthProbeMode = Shared\nNLBSecurityGroupMode = Managed',
        },
      },
    ]);
  });

  it('When annotations change the probe, it should follow, and refuse nonsense', () => {
    const annotated = (own: object) => ({ metadata: { annotations: own } });
    const port = 'hypershift.openshift.io/shared-load-balancer-health-probe-port';
    const mode = 'hypershift.openshift.io/aws-load-balancer-health-probe-mode';
    expect(configs('AWS', annotated({ [port]: '8080' }))[0]?.data['aws.conf']).toMatch(/ProbePort = 8080$/);
    expect(configs('AWS', annotated({ [mode]: 'ServiceNodePort', [port]: '8080' }))[0]?.data['aws.conf']).not.toContain(
      '8080',
    );
    expect(() => configs('AWS', annotated({ [port]: '70000' }))).toThrow('must be between 1 and 65535');
    expect(() => configs('AWS', annotated({ [mode]: 'shared' }))).toThrow('valid values: Shared, ServiceNodePort');
  });

  it('When on GCP, it should name project, network and node tag', () => {
    expect(configs('GCP')[0]?.data['cloud.conf']).toBe(
      '[Global]\nproject-id = my-project\nnetwork-name = demo-net\nnode-tags = demo-abcde-worker\nmultizone = true\ntoken-url = "nil"',
    );
  });

  it('When on Azure, it should write a public file and one with credentials', () => {
    const [open, closed] = configs('Azure');
    expect(open).toMatchObject({ kind: 'ConfigMap', name: 'azure-cloud-config' });
    expect(closed?.kind).toBe('Secret');
    expect(JSON.parse(closed?.data['cloud.conf'] ?? '')).toMatchObject({
      vnetName: 'demo-vnet',
      vnetResourceGroup: 'net-rg',
      subnetName: 'nodes',
      securityGroupName: 'demo-nsg',
      useFederatedWorkloadIdentityExtension: true,
      aadClientId: '00000000-0000-4000-8000-000000000001',
      clusterServiceLoadBalancerHealthProbeMode: 'shared',
      cloudProviderBackoffDuration: 6,
    });
  });

  it('When on KubeVirt, it should label infrastructure objects with the cluster', () => {
    expect(configs('KubeVirt')[0]?.data['cloud-config']).toContain(
      'namespace: "clusters-demo"\ninfraLabels:\n  hypershift.openshift.io/infra-id: "demo-abcde"\n',
    );
  });

  it('When on PowerVS, it should fill in account, VPC and workspace', () => {
    expect(configs('PowerVS')[0]?.data['ccm-config']).toContain(
      'powerVSCloudInstanceID = workspace\npowerVSRegion = dal\n',
    );
  });

  it('When a platform has a cloud controller manager, it should have settings for it', () => {
    const without = platforms.filter(({ cloudControllerManager }) => !cloudControllerManager).map(({ type }) => type);
    expect(without).toEqual(['Agent', 'IBMCloud', 'None']);
  });

  it('When flags are listed, they should be unique and described', () => {
    for (const { flags } of platforms) {
      expect(new Set(flags.map(({ name }) => name)).size).toBe(flags.length);
      for (const { description } of flags) expect(description).toMatch(/\.$/);
    }
  });
});
