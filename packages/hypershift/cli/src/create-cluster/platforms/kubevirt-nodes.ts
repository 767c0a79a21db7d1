import { UserError } from '../../cli-error.ts';
import { keyValues } from '../../key-values.ts';
import { present } from '../json-fields.ts';
import type { NodeBuilder, PlatformFlagValues } from '../platform-builder.ts';
import type { NodePoolPlatform } from '../request.ts';
import { flagsNamed } from './flags-named.ts';

type Settings = NonNullable<NodePoolPlatform['kubevirt']>;

const smallestVolume = 16;

function checked(flags: PlatformFlagValues): void {
  const size = flags.number('root-volume-size') ?? 0;
  if ((flags.number('cores') ?? 0) < 1) throw new UserError('--cores: a machine has at least one');
  if (size < smallestVolume) throw new UserError(`--root-volume-size ${size}: it must be at least ${smallestVolume}`);
  if (!flags.isSet('attach-default-network') && flags.texts('additional-network').length === 0)
    throw new UserError(
      '--attach-default-network=false leaves machines without a network',
      'Name one with --additional-network, or leave the flag out.',
    );
}

function rootVolume(flags: PlatformFlagValues): Settings['rootVolume'] {
  const modes = flags.list('root-volume-access-modes');
  const image = flags.text('containerdisk');
  const cache = flags.text('root-volume-cache-strategy');
  return {
    type: 'Persistent',
    persistent: {
      size: `${flags.number('root-volume-size')}Gi`,
      ...present({
        storageClass: flags.text('root-volume-storage-class'),
        volumeMode: flags.text('root-volume-volume-mode'),
        accessModes: modes.length > 0 ? modes : undefined,
      }),
    },
    ...(image ? { diskImage: { containerDiskImage: image } } : {}),
    ...(cache ? { cacheStrategy: { type: cache } } : {}),
  } as Settings['rootVolume'];
}

function networks(flags: PlatformFlagValues): readonly { readonly name: string }[] {
  return flags.texts('additional-network').map((text) => {
    if (!/^name:[^/]+\/[^/]+$/.test(text))
      throw new UserError(`--additional-network ${text}: not a network`, 'Write it as name:<namespace>/<name>.');
    return { name: text.slice('name:'.length) };
  });
}

function hostDevices(flags: PlatformFlagValues): readonly { readonly deviceName: string; readonly count: number }[] {
  return flags.texts('host-device-name').map((text) => {
    const found = /^([^,]+)(?:,count:(\d{1,9}))?$/.exec(text);
    const count = Number(found?.[2] ?? 1);
    if (!found?.[1] || count < 1)
      throw new UserError(
        `--host-device-name ${text}: not a device`,
        'Write it as <name>[,count:<n>] with at least one.',
      );
    return { deviceName: found[1], count };
  });
}

/** Virtual machines of KubeVirt. */
export const kubevirtNodes: NodeBuilder = {
  flags: flagsNamed('KubeVirt', [
    'memory',
    'cores',
    'root-volume-storage-class',
    'root-volume-size',
    'root-volume-access-modes',
    'root-volume-volume-mode',
    'root-volume-cache-strategy',
    'network-multiqueue',
    'qos-class',
    'additional-network',
    'attach-default-network',
    'vm-node-selector',
    'host-device-name',
    'containerdisk',
  ]),
  upgradeType: 'Replace',
  build(flags) {
    checked(flags);
    const more = networks(flags);
    const devices = hostDevices(flags);
    const selector = flags.list('vm-node-selector');
    const kubevirt = {
      attachDefaultNetwork: flags.isSet('attach-default-network'),
      compute: {
        ...present({ memory: flags.text('memory'), cores: flags.number('cores') }),
        // Burstable is what a machine is without asking.
        ...(flags.text('qos-class') === 'Guaranteed' ? { qosClass: 'Guaranteed' } : {}),
      },
      rootVolume: rootVolume(flags),
      ...(flags.text('network-multiqueue') === 'Enable' ? { networkInterfaceMultiqueue: 'Enable' } : {}),
      ...(more.length > 0 ? { additionalNetworks: more } : {}),
      ...(devices.length > 0 ? { hostDevices: devices } : {}),
      ...(selector.length > 0 ? { nodeSelector: keyValues(selector, 'vm-node-selector') } : {}),
    };
    return { type: 'KubeVirt', kubevirt: kubevirt as Settings };
  },
};
