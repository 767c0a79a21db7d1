import { powervsBootImage } from '@hypershift-ts/hypershift-release';
import type { KubeObject, ResourceType } from '@hypershift-ts/kube-apimachinery';
import { ibmcloudv1beta2 } from '@hypershift-ts/machines-providers';
import type { BootImage, CompanionObject, DesiredTemplate, MachineScope, MachineTemplate } from '../machines.ts';
import { bareTemplateSpec, given, machinePlatform, set } from '../shared/machine-platform.ts';
import { poolSettingsOf, settingsOf } from '../shared/settings.ts';

/** Object storage nearest to a Power VS region. */
const storageRegions: ReadonlyMap<string, string> = new Map(
  Object.entries({
    dal: 'us-south',
    'us-south': 'us-south',
    'eu-de': 'eu-de',
    lon: 'eu-gb',
    osa: 'jp-osa',
    syd: 'au-syd',
    sao: 'br-sao',
    tor: 'ca-tor',
    tok: 'jp-tok',
    'us-east': 'us-east',
  }),
);

const storageRegion = ({ cluster }: MachineScope): string =>
  storageRegions.get(settingsOf(cluster.spec.platform, 'powervs').region) ?? 'us-south';

const imageOf = (scope: MachineScope) =>
  powervsBootImage({ images: scope.release.bootImages, stream: scope.stream }, storageRegion(scope));

const isImported = ({ pool }: MachineScope): boolean => !poolSettingsOf(pool.spec.platform, 'powervs').image;

function bootImage(scope: MachineScope): BootImage | undefined {
  return isImported(scope) ? { message: `Bootstrap PowerVS Image is "${imageOf(scope).release}"` } : undefined;
}

/** The boot image of the release, imported into the workspace of the cluster. */
function importedImage(scope: MachineScope): readonly CompanionObject[] {
  if (!isImported(scope)) return [];
  const { cluster, namespace, pool } = scope;
  const { release, bucket, object: file } = imageOf(scope);
  const { serviceInstanceID } = settingsOf(cluster.spec.platform, 'powervs');
  const { storageType, imageDeletePolicy } = poolSettingsOf(pool.spec.platform, 'powervs');
  const object: ibmcloudv1beta2.IBMPowerVSImage = {
    apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
    kind: 'IBMPowerVSImage',
    metadata: {
      name: release,
      namespace,
      annotations: { 'cluster.x-k8s.io/cluster-name': cluster.spec.infraID ?? '' },
    },
    spec: {
      clusterName: cluster.metadata.name ?? '',
      serviceInstanceID,
      bucket,
      object: file,
      region: storageRegion(scope),
      storageType,
      deletePolicy: imageDeletePolicy,
    },
  };
  return [{ type: ibmcloudv1beta2.ibmpowervsimages as ResourceType<KubeObject>, object }];
}

const processorTypes: ReadonlyMap<string, string> = new Map(
  Object.entries({
    dedicated: 'Dedicated',
    shared: 'Shared',
    capped: 'Capped',
  }),
);

function template(scope: MachineScope): DesiredTemplate {
  const { cluster, pool } = scope;
  const { serviceInstanceID, subnet } = settingsOf(cluster.spec.platform, 'powervs');
  const settings = poolSettingsOf(pool.spec.platform, 'powervs');
  return {
    spec: bareTemplateSpec({
      serviceInstanceID,
      ...(settings.image
        ? { image: { ...set('id', settings.image.id), ...set('name', settings.image.name) } }
        : { imageRef: { name: imageOf(scope).release } }),
      ...given('systemType', settings.systemType),
      ...given('processorType', processorTypes.get(settings.processorType)),
      processors: settings.processors,
      ...given('memoryGiB', settings.memoryGiB),
      network: { ...set('id', subnet?.id), ...set('name', subnet?.name) },
    }),
  };
}

export const powervsMachines = machinePlatform({
  templates: ibmcloudv1beta2.ibmpowervsmachinetemplates as unknown as ResourceType<MachineTemplate>, // Specs are JSON here.
  template,
  bootImage,
  objects: importedImage,
});
