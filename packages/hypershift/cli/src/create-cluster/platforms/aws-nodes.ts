import type { PlatformFlag } from '@hypershift-ts/hypershift-platforms';
import { UserError } from '../../cli-error.ts';
import { present } from '../json-fields.ts';
import type { NodeBuilder, PlatformFlagValues } from '../platform-builder.ts';
import type { NodePoolPlatform } from '../request.ts';
import { flagsNamed } from './flags-named.ts';

type Settings = NonNullable<NodePoolPlatform['aws']>;

const smallestVolume = 8;
const instanceTypes = new Map([
  ['amd64', 'm5.large'],
  ['arm64', 'm6g.large'],
]);

/** Where nodes are, which is known from the infrastructure of a new cluster and from flags for an old one. */
const placeFlags: readonly PlatformFlag[] = [
  { name: 'subnet-id', value: 'string', description: 'Subnet of the nodes; that of the cluster when not given.' },
  { name: 'securitygroup-id', value: 'string', description: 'Security group of the nodes.' },
  { name: 'instance-profile', value: 'string', description: 'Instance profile; <infra id>-worker when not given.' },
];

/** Instances in one subnet. */
export function awsNodePlatform(
  flags: PlatformFlagValues,
  place: { readonly arch: string; readonly subnet: string; readonly profile: string; readonly securityGroup?: string },
): NodePoolPlatform {
  const size = flags.number('root-volume-size') ?? 0;
  if (size < smallestVolume) throw new UserError(`--root-volume-size ${size}: it must be at least ${smallestVolume}`);
  const aws = {
    instanceType: flags.text('instance-type') ?? instanceTypes.get(place.arch),
    instanceProfile: place.profile,
    subnet: { id: place.subnet },
    rootVolume: {
      size,
      type: flags.text('root-volume-type'),
      ...present({ iops: flags.number('root-volume-iops'), encryptionKey: flags.text('root-volume-kms-key') }),
    },
    ...(place.securityGroup ? { securityGroups: [{ id: place.securityGroup }] } : {}),
  };
  return { type: 'AWS', aws: aws as Settings };
}

/** Instances of a pool that joins an existing cluster. */
export const awsNodes: NodeBuilder = {
  flags: [
    ...flagsNamed('AWS', [
      'instance-type',
      'root-volume-type',
      'root-volume-iops',
      'root-volume-size',
      'root-volume-kms-key',
    ]),
    ...placeFlags,
  ],
  upgradeType: 'Replace',
  build(flags, { arch, infraID, cluster }) {
    const subnet = flags.text('subnet-id') ?? cluster?.spec.platform.aws?.cloudProviderConfig?.subnet?.id;
    if (!subnet)
      throw new UserError('the subnet of the nodes is not known: the cluster names none', 'Give it with --subnet-id.');
    const securityGroup = flags.text('securitygroup-id');
    return awsNodePlatform(flags, {
      arch,
      subnet,
      profile: flags.text('instance-profile') ?? `${infraID}-worker`,
      ...(securityGroup ? { securityGroup } : {}),
    });
  },
};
