import type { PlatformFlag } from '@hypershift-ts/hypershift-platforms';
import { UserError } from '../../cli-error.ts';
import { present } from '../json-fields.ts';
import type { NodeBuilder, PlatformFlagValues } from '../platform-builder.ts';
import type { NodePoolPlatform } from '../request.ts';

type Settings = NonNullable<NodePoolPlatform['azure']>;

const instanceTypes = new Map([
  ['amd64', 'Standard_D4s_v5'],
  ['arm64', 'Standard_D4ps_v5'],
]);
const marketplaceFields = ['publisher', 'offer', 'sku', 'version'] as const;

/** Flags about virtual machines; `create cluster azure` takes them, too. */
const azureNodeFlags: readonly PlatformFlag[] = [
  { name: 'instance-type', value: 'string', description: 'Size of the virtual machines.' },
  { name: 'root-disk-size', value: 'integer', default: 120, description: 'Size of the disk in GiB, at least 16.' },
  {
    name: 'availability-zone',
    value: 'string',
    choices: ['1', '2', '3'],
    description: 'Zone of the nodes; leave it out in regions without zones.',
  },
  {
    name: 'diagnostics-storage-account-type',
    value: 'string',
    choices: ['Disabled', 'Managed', 'UserManaged'],
    description: 'Where boot diagnostics are kept.',
  },
  { name: 'diagnostics-storage-account-uri', value: 'string', description: 'Storage account of type UserManaged.' },
  { name: 'disk-encryption-set-id', value: 'string', description: 'Disk encryption set for the disks.' },
  { name: 'enable-ephemeral-disk', value: 'boolean', description: 'Keep disks on the host.' },
  {
    name: 'disk-storage-account-type',
    value: 'string',
    default: 'Premium_LRS',
    choices: ['Premium_LRS', 'PremiumV2_LRS', 'Standard_LRS', 'StandardSSD_LRS'],
    description: 'Kind of disk.',
  },
  {
    name: 'nodepool-subnet-id',
    value: 'string',
    description: 'Subnet of the nodes; that of the cluster when not given.',
  },
  {
    name: 'image-generation',
    value: 'string',
    choices: ['Gen1', 'Gen2'],
    description: 'Hyper-V generation of the image.',
  },
  { name: 'marketplace-publisher', value: 'string', description: 'Publisher of a marketplace image.' },
  { name: 'marketplace-offer', value: 'string', description: 'Offer of a marketplace image.' },
  { name: 'marketplace-sku', value: 'string', description: 'SKU of a marketplace image.' },
  { name: 'marketplace-version', value: 'string', description: 'Version of a marketplace image.' },
  {
    name: 'encryption-at-host',
    value: 'string',
    choices: ['Enabled', 'Disabled'],
    description: 'Whether hosts encrypt what they cache.',
  },
];

function image(flags: PlatformFlagValues, bootImage: string | undefined): Settings['image'] {
  const fields = present(
    Object.fromEntries(marketplaceFields.map((name) => [name, flags.text(`marketplace-${name}`)])),
  );
  const given = Object.keys(fields).length;
  if (given > 0 && given < marketplaceFields.length)
    throw new UserError(
      'an image of the marketplace has a publisher, an offer, a SKU and a version',
      `Give all of ${marketplaceFields.map((name) => `--marketplace-${name}`).join(', ')}, or none.`,
    );
  if (given === 0 && bootImage) return { type: 'ImageID', imageID: bootImage };
  const generation = present({ imageGeneration: flags.text('image-generation') });
  // Empty, it leaves the choice to the release; the field must not be there at all then.
  const azureMarketplace = { ...fields, ...generation };
  return {
    type: 'AzureMarketplace',
    ...(Object.keys(azureMarketplace).length > 0 ? { azureMarketplace } : {}),
  } as Settings['image'];
}

function diagnostics(flags: PlatformFlagValues): Pick<Settings, 'diagnostics'> {
  const type = flags.text('diagnostics-storage-account-type');
  const uri = flags.text('diagnostics-storage-account-uri');
  if (uri && type !== 'UserManaged')
    throw new UserError(
      '--diagnostics-storage-account-uri works with --diagnostics-storage-account-type UserManaged only',
      'Add that flag, or leave the URI out.',
    );
  if (!type) return {};
  return {
    diagnostics: {
      storageAccountType: type as 'UserManaged',
      ...(uri ? { userManaged: { storageAccountURI: uri } } : {}),
    },
  };
}

/** Virtual machines in one subnet and at most one zone. */
export function azureNodePlatform(
  flags: PlatformFlagValues,
  place: {
    readonly arch: string;
    readonly subnet: string;
    readonly zone?: string | undefined;
    readonly bootImage?: string | undefined;
  },
): NodePoolPlatform {
  const azure = {
    vmSize: flags.text('instance-type') ?? instanceTypes.get(place.arch),
    image: image(flags, place.bootImage),
    subnetID: place.subnet,
    osDisk: {
      sizeGiB: flags.number('root-disk-size'),
      ...present({
        diskStorageAccountType: flags.text('disk-storage-account-type'),
        encryptionSetID: flags.text('disk-encryption-set-id'),
        persistence: flags.isSet('enable-ephemeral-disk') ? 'Ephemeral' : undefined,
      }),
    },
    ...present({ availabilityZone: place.zone, encryptionAtHost: flags.text('encryption-at-host') }),
    ...diagnostics(flags),
  };
  return { type: 'Azure', azure: azure as Settings };
}

/** Virtual machines of a pool that joins an existing cluster. */
export const azureNodes: NodeBuilder = {
  flags: azureNodeFlags,
  upgradeType: 'Replace',
  build(flags, { arch, cluster }) {
    const subnet = flags.text('nodepool-subnet-id') ?? cluster?.spec.platform.azure?.subnetID;
    if (!subnet) throw new UserError('the subnet of the nodes is not known', 'Give it with --nodepool-subnet-id.');
    return azureNodePlatform(flags, { arch, subnet, zone: flags.text('availability-zone') });
  },
};
