import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { parse } from 'yaml';
import { describe, expect, it } from 'vitest';
import { platformBuilders } from '../../packages/hypershift/cli/src/create-cluster/index.ts';
import {
  addPlatformFlags,
  platformFlagValues,
} from '../../packages/hypershift/cli/src/create-cluster/platform-flags.ts';

/** A checkout of the upstream repository, for comparison; nothing of it is kept here. */
const upstream = process.env['HYPERSHIFT_UPSTREAM'] ?? '';
const subnet = '/subscriptions/test/resourceGroups/test/providers/Microsoft.Network/virtualNetworks/test/subnets/test';
const marketplace = ['redhat', 'aro4', 'aro_414', '414.1.20240101'].map(
  (value, i) => `--marketplace-${['publisher', 'offer', 'sku', 'version'][i]}=${value}`,
);

/** Command lines whose result upstream keeps as fixtures: platform, part of the fixture's name, flags. */
const cases: readonly (readonly [string, string, readonly string[]])[] = [
  ['aws', 'minimal', ['--instance-type=m5.large', '--subnet-id=subnet-test123']],
  [
    'aws',
    'full',
    [
      '--instance-type=m5.xlarge',
      '--subnet-id=subnet-test456',
      '--securitygroup-id=sg-test789',
      '--instance-profile=test-worker-profile',
      '--root-volume-size=150',
      '--root-volume-iops=5000',
      '--root-volume-kms-key=arn:aws:kms:us-east-1:123456789012:key/test-key',
    ],
  ],
  [
    'aws',
    'custom_root_volume',
    [
      '--instance-type=m6g.large',
      '--subnet-id=subnet-arm64',
      '--root-volume-type=io2',
      '--root-volume-size=200',
      '--root-volume-iops=10000',
    ],
  ],
  ['azure', 'minimal', ['--instance-type=Standard_D4s_v5', `--nodepool-subnet-id=${subnet}`, ...marketplace]],
  [
    'azure',
    'full',
    [
      '--instance-type=Standard_D8s_v5',
      `--nodepool-subnet-id=${subnet}`,
      ...marketplace,
      '--image-generation=Gen2',
      '--root-disk-size=256',
      '--availability-zone=1',
      '--disk-storage-account-type=StandardSSD_LRS',
      '--enable-ephemeral-disk=true',
      '--encryption-at-host=Enabled',
    ],
  ],
  ['kubevirt', 'minimal', ['--cores=2', '--memory=4Gi', '--root-volume-size=32']],
  [
    'kubevirt',
    'full',
    [
      '--cores=4',
      '--memory=8Gi',
      '--root-volume-size=64',
      '--root-volume-storage-class=fast-storage',
      '--root-volume-access-modes=ReadWriteOnce',
      '--root-volume-volume-mode=Block',
      '--qos-class=Guaranteed',
      '--additional-network=name:default/nad1',
      '--additional-network=name:default/nad2',
      '--attach-default-network=false',
    ],
  ],
  [
    'kubevirt',
    'host_devices',
    ['--cores=8', '--memory=16Gi', '--root-volume-size=128', '--host-device-name=gpu-device,count:2'],
  ],
  ['openstack', 'minimal', ['--openstack-node-flavor=m1.large', '--openstack-node-image-name=rhcos-openstack']],
  [
    'openstack',
    'full',
    [
      '--openstack-node-flavor=m1.xlarge',
      '--openstack-node-image-name=rhcos-openstack-latest',
      '--openstack-node-availability-zone=nova',
    ],
  ],
];

function fixture(platform: string, name: string): unknown {
  const folder = join(upstream, 'cmd/nodepool', platform, 'testdata');
  const file = readdirSync(folder).find((one) => one.includes(`When_${name}`));
  if (!file) throw new Error(`no fixture of ${platform} is called ${name}`);
  return parse(readFileSync(join(folder, file), 'utf8'));
}

describe.skipIf(!existsSync(join(upstream, 'cmd/nodepool')))('create nodepool', () => {
  it.each(cases)(
    'When %s is given the flags of its %s case, it should want the machines upstream wants',
    async (name, part, args) => {
      const { nodes } = platformBuilders.find(({ command }) => command === name)!;
      const command = addPlatformFlags(new Command(name), nodes.flags).parse([...args], { from: 'user' });
      const values = await platformFlagValues(nodes.flags, command.opts(), () => Promise.resolve(''));
      const platform = nodes.build(values, { arch: 'amd64', infraID: 'test-infra' }) as unknown as {
        readonly [field: string]: unknown;
      };
      expect(platform[name]).toEqual(fixture(name, part));
    },
  );
});
