import { annotations, type NodePool } from '@hypershift-ts/hypershift-api';
import { awsBootImage, awsWindowsImage } from '@hypershift-ts/hypershift-release';
import type { JsonObject, ResourceType } from '@hypershift-ts/kube-apimachinery';
import { awsv1beta2 } from '@hypershift-ts/machines-providers';
import {
  type BootImage,
  type DesiredTemplate,
  type LiveSettings,
  type MachineScope,
  type MachineTemplate,
  PlatformNotReady,
  type PoolConditions,
} from '../machines.ts';
import { given, machinePlatform, set, templateSpec } from '../shared/machine-platform.ts';
import { poolSettingsOf, settingsOf } from '../shared/settings.ts';
import { awsInstanceFacts } from './instance-types.ts';
import { isSpot, mergedTags, tagConflict } from './tags.ts';

const defaultVolumeGiB = 16;
const defaultVolumeType = 'gp3';

interface Reference {
  readonly id?: string;
  readonly filters?: readonly { readonly name: string; readonly values: readonly string[] }[];
}

const reference = ({ id, filters }: Reference): JsonObject => ({
  ...set('id', id),
  ...given(
    'filters',
    filters?.map(({ name, values }) => ({ name, values: [...values] })),
  ),
});

/** The image that the release names, or undefined when the user chose one. */
function releaseImage({ cluster, pool, release, stream }: MachineScope): string | undefined {
  const { ami, imageType } = poolSettingsOf(pool.spec.platform, 'aws');
  if (ami) return undefined;
  const { region } = settingsOf(cluster.spec.platform, 'aws');
  const query = { images: release.bootImages, arch: pool.spec.arch };
  return imageType === 'Windows' ? awsWindowsImage(query, region) : awsBootImage({ ...query, stream }, region);
}

function bootImage(scope: MachineScope): BootImage | undefined {
  const image = releaseImage(scope);
  const isWindows = scope.pool.spec.platform.aws?.imageType === 'Windows';
  return image ? { message: `Bootstrap ${isWindows ? 'Windows ' : ''}AMI is "${image}"` } : undefined;
}

function rootVolume(pool: NodePool): JsonObject {
  const volume = pool.spec.platform.aws?.rootVolume;
  if (!volume) return { size: defaultVolumeGiB };
  return {
    size: volume.size || defaultVolumeGiB,
    type: volume.type || defaultVolumeType,
    ...given('iops', volume.iops),
    ...set('encrypted', volume.encrypted),
    ...given('encryptionKey', volume.encryptionKey),
  };
}

function securityGroups({ cluster, pool, createsSecurityGroup }: MachineScope): readonly JsonObject[] {
  const own = (pool.spec.platform.aws?.securityGroups ?? []).map(reference);
  if (!createsSecurityGroup) return own;
  const id = cluster.status?.platform?.aws?.defaultWorkerSecurityGroupID;
  if (!id) throw new PlatformNotReady('the default security group for the HostedCluster has not been created');
  return [...own, { id }];
}

const marketTypes: ReadonlyMap<string, string> = new Map(
  Object.entries({ CapacityBlocks: 'CapacityBlock', OnDemand: 'OnDemand' }),
);

/** How instances are bought; older pools say it in their capacity reservation. */
function marketType(pool: NodePool): string | undefined {
  const { placement } = pool.spec.platform.aws ?? {};
  const { capacityReservation: reservation } = placement ?? {};
  if (placement?.marketType === 'Spot') return undefined;
  const named = marketTypes.get(placement?.marketType ?? '') ?? marketTypes.get(reservation?.marketType ?? '');
  if (named) return named;
  return reservation?.id && placement?.tenancy !== 'host' ? 'CapacityBlock' : undefined;
}

function template(scope: MachineScope): DesiredTemplate {
  const { cluster, pool } = scope;
  const settings = poolSettingsOf(pool.spec.platform, 'aws');
  const { placement } = settings;
  const tokens = pool.metadata.annotations?.[annotations.ec2InstanceMetadataHttpTokens.key];
  const publicIP = cluster.metadata.annotations?.[annotations.awsMachinePublicIps.key] === 'true';
  const spot = placement?.marketType === 'Spot';
  return {
    uncounted: ['additionalTags'],
    spec: templateSpec({
      instanceMetadataOptions: {
        httpEndpoint: 'enabled',
        // Containers are one hop further away than their host.
        httpPutResponseHopLimit: 2,
        httpTokens: tokens === 'required' ? 'required' : 'optional',
        instanceMetadataTags: 'disabled',
      },
      ami: { id: settings.ami ?? releaseImage(scope) ?? '' },
      instanceType: settings.instanceType,
      additionalTags: mergedTags(cluster, pool).tags,
      iamInstanceProfile: settings.instanceProfile || `${cluster.spec.infraID}-worker-profile`,
      ...(publicIP ? { publicIP } : {}),
      ...given('additionalSecurityGroups', securityGroups(scope)),
      subnet: reference(settings.subnet ?? {}),
      rootVolume: rootVolume(pool),
      uncompressedUserData: true,
      cloudInit: { insecureSkipSecretsManager: true, secureSecretsBackend: 'secrets-manager' },
      ...(spot ? { spotMarketOptions: given('maxPrice', placement.spot?.maxPrice) } : {}),
      ...given('tenancy', placement?.tenancy),
      ...set('capacityReservationId', placement?.capacityReservation?.id),
      ...given('marketType', marketType(pool)),
      ...given('capacityReservationPreference', placement?.capacityReservation?.preference),
    }),
  };
}

function conditions({ cluster, pool, createsSecurityGroup }: MachineScope): PoolConditions {
  const type = 'AWSSecurityGroupAvailable';
  const id = cluster.status?.platform?.aws?.defaultWorkerSecurityGroupID;
  const group = id
    ? ({ type, status: 'True', reason: 'AsExpected', message: 'NodePool has a default security group' } as const)
    : ({
        type,
        status: 'False',
        reason: 'DefaultSGNotReady',
        message: 'Waiting for AWS default security group to be created for hosted cluster',
      } as const);
  const tags = tagConflict(cluster, pool);
  return createsSecurityGroup ? { stated: [group, tags], removed: [] } : { stated: [tags], removed: [type] };
}

const tagged: LiveSettings = {
  machines: awsv1beta2.awsmachines as unknown as LiveSettings['machines'], // Only its tags are read and written.
  spec: ({ cluster, pool }) => ({ additionalTags: mergedTags(cluster, pool).tags }),
};

export const awsMachines = machinePlatform({
  templates: awsv1beta2.awsmachinetemplates as unknown as ResourceType<MachineTemplate>, // Specs are JSON here.
  template,
  bootImage,
  conditions,
  liveSettings: tagged,
  isInterruptible: isSpot,
  instanceType: ({ spec }) => ({
    field: 'spec.platform.aws.instanceType',
    value: spec.platform.aws?.instanceType ?? '',
  }),
  instanceFacts: ({ spec }) => awsInstanceFacts(spec.platform.aws?.instanceType ?? ''),
  scalesFromZero: true,
  keepsUserData: true,
  syncsGlobalPullSecret: true,
});
