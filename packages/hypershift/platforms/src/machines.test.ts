import { EmbeddedCatalogue, embeddedReleaseImage, type ReleaseImage } from '@hypershift-ts/hypershift-release';
import { beforeAll, describe, expect, it } from 'vitest';
import { type MachineScope, PlatformNotReady } from './machines.ts';
import type { PlatformType } from './platform.ts';
import { platformFor } from './registry.ts';
import { clusterOn } from './testing/clusters.ts';
import { poolOn } from './testing/node-pools.ts';

let release: ReleaseImage;
beforeAll(async () => {
  release = await new EmbeddedCatalogue().lookup(embeddedReleaseImage('4.20.3'));
});

const scopeOn = (
  type: PlatformType,
  pool: Parameters<typeof poolOn>[1] = {},
  cluster: Parameters<typeof clusterOn>[1] = {},
  own: Partial<MachineScope> = {},
): MachineScope => ({
  cluster: clusterOn(type, cluster),
  pool: poolOn(type, pool),
  namespace: 'clusters-demo',
  release,
  stream: 'rhel-9',
  createsSecurityGroup: false,
  ...own,
});

/** `spec.template.spec` of the template. */
function machine(...[type, ...rest]: Parameters<typeof scopeOn>): { readonly [member: string]: unknown } {
  const { machines } = platformFor(type);
  if (!machines) throw new Error(`${type} makes no machines`);
  const { template } = machines.template(scopeOn(type, ...rest)).spec as {
    readonly template: { readonly spec: object };
  };
  return { ...template.spec };
}

const aws = (own: object) => ({ aws: { instanceType: 'm5.large', subnet: { id: 'subnet-1' }, ...own } });

describe('AWS machines', () => {
  it('When nothing is set, it should say what upstream says, member by member', () => {
    const settings = { aws: { instanceType: '', ami: 'an-ami' } };
    const { additionalTags, ...counted } = machine('AWS', { settings }, { spec: { infraID: 'infra-id' } });
    expect(JSON.stringify(counted)).toBe(
      '{"instanceMetadataOptions":{"httpEndpoint":"enabled","httpPutResponseHopLimit":2,"httpTokens":"optional","instanceMetadataTags":"disabled"},"ami":{"id":"an-ami"},"instanceType":"","iamInstanceProfile":"infra-id-worker-profile","subnet":{},"rootVolume":{"size":16},"uncompressedUserData":true,"cloudInit":{"insecureSkipSecretsManager":true,"secureSecretsBackend":"secrets-manager"}}',
    );
    expect(additionalTags).toMatchObject({ 'kubernetes.io/cluster/infra-id': 'owned' });
  });

  it('When the control plane makes the security group and has not yet, it should wait', () => {
    expect(() => machine('AWS', {}, {}, { createsSecurityGroup: true })).toThrow(PlatformNotReady);
    const status = { platform: { aws: { defaultWorkerSecurityGroupID: 'sg-all' } } };
    expect(machine('AWS', {}, { status }, { createsSecurityGroup: true })['additionalSecurityGroups']).toEqual([
      { id: 'sg-own' },
      { filters: [{ name: 'tag:team', values: ['blue'] }] },
      { id: 'sg-all' },
    ]);
  });

  it('When machines may be taken back, it should buy them so and mark them for the handler', () => {
    const settings = aws({ placement: { marketType: 'Spot', spot: { maxPrice: '0.05' } } });
    const found = machine('AWS', { settings });
    expect(found).toMatchObject({
      spotMarketOptions: { maxPrice: '0.05' },
      additionalTags: { 'aws-node-termination-handler/managed': '' },
    });
    expect(found).not.toHaveProperty('marketType');
    expect(platformFor('AWS').machines?.isInterruptible?.(poolOn('AWS', { settings }))).toBe(true);
  });

  it.each([
    [{ capacityReservation: { id: 'cr-1' } }, { marketType: 'CapacityBlock', capacityReservationId: 'cr-1' }],
    [{ capacityReservation: { id: 'cr-1', marketType: 'OnDemand' } }, { marketType: 'OnDemand' }],
    [{ marketType: 'CapacityBlocks', capacityReservation: { id: 'cr-1' } }, { marketType: 'CapacityBlock' }],
    [{ tenancy: 'dedicated' }, { tenancy: 'dedicated' }],
  ])('When placement is %j, it should ask for %j', (placement, expected) => {
    expect(machine('AWS', { settings: aws({ placement }) })).toMatchObject(expected);
  });

  it('When a tag of the pool contradicts the cluster, it should win only where it may, and say so', () => {
    const settings = aws({
      resourceTags: [
        { key: 'team', value: 'pool' },
        { key: 'owner', value: 'pool' },
        { key: 'own', value: 'pool' },
      ],
    });
    const cluster = {
      settings: {
        aws: {
          region: 'us-east-1',
          resourceTags: [
            { key: 'team', value: 'cluster' },
            { key: 'owner', value: 'cluster', overridePolicy: 'Allow' },
          ],
        },
      },
    };
    expect(machine('AWS', { settings }, cluster)['additionalTags']).toEqual({
      'kubernetes.io/cluster/demo-abcde': 'owned',
      own: 'pool',
      owner: 'pool',
      team: 'cluster',
    });
    const [conflict] = platformFor('AWS').machines?.conditions?.(scopeOn('AWS', { settings }, cluster)).stated ?? [];
    expect(conflict).toMatchObject({ type: 'AWSResourceTagConflict', status: 'True', reason: 'TagConflictDetected' });
    expect(conflict?.message).toContain('does not let it override: team;');
    expect(conflict?.message).toContain('overridden by the NodePool: owner');
  });

  it('When the release has no image for the region, it should name the region and the way out', () => {
    const settings = { aws: { region: 'moon-1' } };
    expect(() => machine('AWS', {}, { settings })).toThrow('couldn\'t find AWS image for region "moon-1"');
  });
});

describe('Azure machines', () => {
  it('When the release names a marketplace image, it should be used without being written into the pool', () => {
    expect(machine('Azure')).toMatchObject({
      vmSize: 'Standard_D4s_v5',
      failureDomain: '2',
      image: { marketplace: { publisher: 'hypershift-ts', thirdPartyImage: false } },
      osDisk: { diskSizeGB: 120, cachingType: 'ReadOnly', diffDiskSettings: { option: 'Local' } },
      securityProfile: { encryptionAtHost: true },
      networkInterfaces: [{ subnetName: 'nodes' }],
    });
  });

  it('When an older release names none, it should say what to set', async () => {
    const old = await new EmbeddedCatalogue().lookup(embeddedReleaseImage('4.19.10'));
    expect(() => machine('Azure', {}, {}, { release: old })).toThrow('either ImageID or AzureMarketplace');
  });
});

describe('GCP machines', () => {
  it('When machines are spot, it should let the host end them and keep labels out of the name', () => {
    expect(machine('GCP')).toMatchObject({
      subnet: 'nodes',
      provisioningModel: 'Spot',
      onHostMaintenance: 'Terminate',
      additionalNetworkTags: ['web', 'demo-abcde-worker'],
      additionalLabels: { team: 'red', 'hypershift-openshift-io-infra-id': 'demo-abcde' },
    });
    expect(platformFor('GCP').machines?.template(scopeOn('GCP'))).toMatchObject({
      counted: 'machine',
      uncounted: ['additionalLabels'],
    });
    expect(platformFor('GCP').machines?.failureDomain?.(poolOn('GCP'))).toBe('us-central1-a');
  });
});

describe('KubeVirt machines', () => {
  const patch = 'hypershift.openshift.io/kubevirt-vm-jsonpatch';

  it('When users patch the virtual machine, the patch of the pool should come after that of the cluster', () => {
    const of = (value: unknown) => ({
      metadata: {
        annotations: {
          [patch]: JSON.stringify([{ op: 'add', path: '/spec/template/spec/domain/firmware/serial', value }]),
        },
      },
    });
    const found = machine('KubeVirt', of('pool'), of('cluster')) as never as {
      virtualMachineTemplate: { spec: { template: { spec: { domain: { firmware: object } } } } };
    };
    expect(found.virtualMachineTemplate.spec.template.spec.domain.firmware).toEqual({ serial: 'pool' });
  });

  it('When a patch does not apply, it should name the annotation and its owner', () => {
    const metadata = { annotations: { [patch]: '[{"op":"remove","path":"/spec/nothing"}]' } };
    expect(() => machine('KubeVirt', { metadata })).toThrow(/of the NodePool does not apply: .*nothing/);
  });

  it('When resources are guaranteed, it should reserve what it may use', () => {
    const { kubevirt } = poolOn('KubeVirt').spec.platform;
    const settings = { kubevirt: { ...kubevirt, compute: { cores: 4, memory: '8Gi', qosClass: 'Guaranteed' } } };
    expect(JSON.stringify(machine('KubeVirt', { settings }))).toContain(
      '"resources":{"requests":{"cpu":"4","memory":"8Gi"},"limits":{"cpu":"4","memory":"8Gi"}}',
    );
  });
});

describe('Other machines', () => {
  it('When OpenStack has no image of the user, it should upload and refer to that of the release', () => {
    const { machines } = platformFor('OpenStack');
    const [image] = machines?.objects?.(scopeOn('OpenStack')) ?? [];
    expect(machine('OpenStack')['image']).toEqual({ imageRef: { name: image?.object.metadata.name } });
    expect(machine('OpenStack')['ports']).toMatchObject([
      {},
      { allowedAddressPairs: [{ ipAddress: '10.0.0.5' }, { ipAddress: '10.0.0.6' }], disablePortSecurity: true },
    ]);
  });

  it('When Power VS has no image of the user, it should import that of the release from the nearest storage', () => {
    const [image] = platformFor('PowerVS').machines?.objects?.(scopeOn('PowerVS')) ?? [];
    expect(image?.object).toMatchObject({ kind: 'IBMPowerVSImage', spec: { region: 'us-south' } });
    expect(machine('PowerVS')).toMatchObject({
      processorType: 'Shared',
      imageRef: { name: image?.object.metadata.name },
      network: { name: 'nodes' },
    });
  });

  it('When IBM Cloud should make machines here, it should say that it cannot', () => {
    expect(() => machine('IBMCloud')).toThrow('unsupported platform type');
    const settings = { ibmcloud: { providerType: 'UPI' } };
    expect(platformFor('IBMCloud').machines?.isManaged(clusterOn('IBMCloud', { settings }))).toBe(false);
  });
});

describe('Machine sizes', () => {
  it.each([
    ['AWS', { aws: { instanceType: 'm5.2xlarge' } }, { vCPU: 8, memoryMiB: 32_768, gpu: 0 }],
    ['AWS', { aws: { instanceType: 't3.medium' } }, { vCPU: 2, memoryMiB: 4096, gpu: 0 }],
    ['AWS', { aws: { instanceType: 'g5.12xlarge' } }, { vCPU: 48, memoryMiB: 196_608, gpu: 4 }],
    ['AWS', { aws: { instanceType: 'm5.metal' } }, undefined],
    ['AWS', { aws: { instanceType: 'no such type' } }, undefined],
    ['AWS', { aws: { instanceType: 'm5.constructor' } }, undefined],
    ['GCP', { gcp: { machineType: 'n2-constructor-4' } }, undefined],
    ['Azure', { azure: { vmSize: 'Standard_D4s_v5' } }, { vCPU: 4, memoryMiB: 16_384, gpu: 0 }],
    ['Azure', { azure: { vmSize: 'Standard_E8-2s_v5' } }, { vCPU: 2, memoryMiB: 65_536, gpu: 0 }],
    ['Azure', { azure: { vmSize: 'Bogus' } }, undefined],
    ['GCP', { gcp: { machineType: 'n2-standard-4' } }, { vCPU: 4, memoryMiB: 16_384, gpu: 0 }],
    ['GCP', { gcp: { machineType: 'n2-custom-6-8192' } }, { vCPU: 6, memoryMiB: 8192, gpu: 0 }],
    ['GCP', { gcp: { machineType: 'a2-highgpu-2g' } }, { vCPU: 24, memoryMiB: 172_032, gpu: 2 }],
    ['KubeVirt', { kubevirt: { compute: { cores: 4, memory: '8Gi' } } }, { vCPU: 4, memoryMiB: 8192, gpu: 0 }],
  ] as const)('When a pool on %s asks for %j, it should be %j', (type, settings, facts) => {
    expect(platformFor(type).machines?.instanceFacts?.(poolOn(type, { settings }))).toEqual(facts);
  });
});
