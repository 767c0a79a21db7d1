import type { NodePool } from '@hypershift-ts/hypershift-api';
import { azureBootImage, parseVersion } from '@hypershift-ts/hypershift-release';
import type { JsonObject, ResourceType } from '@hypershift-ts/kube-apimachinery';
import { azurev1beta1 } from '@hypershift-ts/machines-providers';
import { PlatformError } from '../errors.ts';
import type { DesiredTemplate, MachineScope, MachineTemplate } from '../machines.ts';
import { given, machinePlatform, set, templateSpec } from '../shared/machine-platform.ts';
import { poolSettingsOf } from '../shared/settings.ts';
import { azureInstanceFacts } from './vm-sizes.ts';

/** The provider wants a key though nobody logs in with it; it is part of the hash of every template in the field. */
const unusedSshKey =
  'c3NoLXJzYSBBQUFBQjNOemFDMXljMkVBQUFBREFRQUJBQUFCQVFDTGFjOTR4dUE4QjkyMEtjejhKNjhUdmZCRjQyR2UwUllXSUx3Lzd6dDhUQlU5ell5Q0Q2K0ZlekFwWndLRjB1V3luMGVBQmlBWVdIV0tKbENxS0VIT2hOQmV2Mkx3S0dnZHFqM0dvcHV2N3RpZFVqSVpqYi9DVWtjQVRZUWhMWkxVTCs3eWkzRThKNHdhYkxEMWVNS1p1U3ZmMUsxT0RwVUFXYTkwbWVmR0FBOVdIVEhMcnF1UUpWdC9JT0JKN1ROZFNwMDVuM0Ywa29xZlE2empwRlFYMk8zaWJUc29yR3ZEekdhYS9yUENxQWhTSjRJaEhnMDNVb3FBbVlraW51NTFvVEcxRlRXaTh2b00vRVJ4TlduamNUSElET1JmYmo2bFVyZ3Zkci9MZGtqc2dFcENiNEMxUS9IbW5MRHVpTEdPM2tNZ2cyOHFzZ0ZmTHloUjl3ay8K';

interface Marketplace {
  readonly publisher?: string;
  readonly offer?: string;
  readonly sku?: string;
  readonly version?: string;
}

const marketplace = ({ publisher = '', offer = '', sku = '', version = '' }: Marketplace): JsonObject => ({
  marketplace: { publisher, offer, sku, version, thirdPartyImage: false },
});

/** The image of the release, which names one since 4.20. It is computed each time and never written into the pool. */
function releaseImage({ pool, release, stream }: MachineScope): Marketplace | undefined {
  const { major, minor } = parseVersion(release.version);
  if (major === 4 && minor < 20) return undefined;
  const generation = pool.spec.platform.azure?.image.azureMarketplace?.imageGeneration ?? 'Gen2';
  return azureBootImage({ images: release.bootImages, stream, arch: pool.spec.arch }, generation);
}

function imageOf(scope: MachineScope): JsonObject {
  const { image } = poolSettingsOf(scope.pool.spec.platform, 'azure');
  if (image.type === 'ImageID' && image.imageID) return { id: image.imageID };
  const chosen = image.azureMarketplace?.publisher ? image.azureMarketplace : releaseImage(scope);
  if (chosen) return marketplace(chosen);
  throw new PlatformError('PLATFORM_SETTING_INVALID', {
    message: 'either ImageID or AzureMarketplace needs to be provided for the Azure machine',
    fix: `release ${scope.release.version} names no Azure image; set publisher, offer, sku and version in spec.platform.azure.image.azureMarketplace`,
    field: 'spec.platform.azure.image',
  });
}

function osDisk(pool: NodePool): JsonObject {
  const { osDisk: disk } = poolSettingsOf(pool.spec.platform, 'azure');
  const isEphemeral = disk.persistence === 'Ephemeral';
  return {
    osType: '',
    diskSizeGB: disk.sizeGiB ?? 0,
    managedDisk: {
      ...given('storageAccountType', disk.diskStorageAccountType),
      ...(disk.encryptionSetID ? { diskEncryptionSet: { id: disk.encryptionSetID } } : {}),
    },
    ...(isEphemeral ? { diffDiskSettings: { option: 'Local' }, cachingType: 'ReadOnly' } : {}),
  };
}

function diagnostics(pool: NodePool): JsonObject | undefined {
  const wanted = pool.spec.platform.azure?.diagnostics;
  if (!wanted?.storageAccountType) return undefined;
  const { storageAccountType, userManaged } = wanted;
  return { boot: { storageAccountType, ...(userManaged ? { userManaged: { ...userManaged } } : {}) } };
}

function template(scope: MachineScope): DesiredTemplate {
  const { pool } = scope;
  const settings = poolSettingsOf(pool.spec.platform, 'azure');
  return {
    spec: templateSpec({
      vmSize: settings.vmSize,
      ...set('failureDomain', settings.availabilityZone || undefined),
      image: imageOf(scope),
      osDisk: osDisk(pool),
      sshPublicKey: unusedSshKey,
      ...set('diagnostics', diagnostics(pool)),
      ...(settings.encryptionAtHost === 'Enabled' ? { securityProfile: { encryptionAtHost: true } } : {}),
      networkInterfaces: [{ subnetName: settings.subnetID.split('/').at(-1) ?? '' }],
    }),
  };
}

export const azureMachines = machinePlatform({
  templates: azurev1beta1.azuremachinetemplates as unknown as ResourceType<MachineTemplate>, // Specs are JSON here.
  template,
  instanceType: ({ spec }) => ({ field: 'spec.platform.azure.vmSize', value: spec.platform.azure?.vmSize ?? '' }),
  instanceFacts: ({ spec }) => azureInstanceFacts(spec.platform.azure?.vmSize ?? ''),
  scalesFromZero: true,
  syncsGlobalPullSecret: true,
  cloudConfig: 'azure-cloud-config',
});
