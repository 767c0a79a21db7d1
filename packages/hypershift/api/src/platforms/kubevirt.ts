/** A hosted cluster whose nodes are KubeVirt virtual machines. */
import { kubeconfigSecretReference } from '../common/references.ts';
import { boolean, enumOf, list, object, string } from '../schema/index.ts';

export const kubevirtCredentials = object({
  infraNamespace: string({ maxLength: 255 })
    .describe('Namespace of the infrastructure cluster in which the virtual machines are made; fixed.')
    .immutable('infraNamespace is immutable'),
  infraKubeConfigSecret: kubeconfigSecretReference
    .optional()
    .describe('Secret with a kubeconfig for the infrastructure cluster; fixed.')
    .immutable('infraKubeConfigSecret is immutable'),
}).describe('Access to another cluster that runs the virtual machines; absent means the management cluster.');

export const kubevirtStorageClassMapping = object({
  guestStorageClassName: string({ maxLength: 255 }).describe('Name the class gets in the hosted cluster.'),
  infraStorageClassName: string({ maxLength: 255 }).describe(
    'Storage class of the infrastructure cluster that provides the volumes.',
  ),
  group: string({ maxLength: 255 })
    .optional()
    .describe('Group that ties storage classes to the snapshot classes able to snapshot them.'),
});

export const kubevirtVolumeSnapshotClassMapping = object({
  guestVolumeSnapshotClassName: string({ maxLength: 255 }).describe('Name the class gets in the hosted cluster.'),
  infraVolumeSnapshotClassName: string({ maxLength: 255 }).describe(
    'Snapshot class of the infrastructure cluster that takes the snapshots.',
  ),
  group: string({ maxLength: 255 }).optional().describe('Group of storage classes this class can snapshot.'),
});

export const kubevirtManualStorage = object({
  storageClassMapping: list(kubevirtStorageClassMapping, { maxItems: 50 })
    .optional()
    .describe('Storage classes to offer in the hosted cluster; no others can be used.')
    .immutable('storageClassMapping is immutable'),
  volumeSnapshotClassMapping: list(kubevirtVolumeSnapshotClassMapping, { maxItems: 50 })
    .optional()
    .describe('Snapshot classes to offer in the hosted cluster.')
    .immutable('volumeSnapshotClassMapping is immutable'),
}).describe('Classes to offer, for type `Manual`; fixed.');

export const kubevirtStorageDriver = object({
  type: enumOf(['None', 'Default', 'Manual'])
    .optional()
    .default('Default')
    .describe(
      'What the hosted cluster can make volumes from: the default class of the infrastructure cluster,',
      'a list of your choice, or nothing. Decided at creation.',
    )
    .immutable('storageDriver.Type is immutable'),
  manual: kubevirtManualStorage.optional().immutable('storageDriver.Manual is immutable'),
}).describe('Volumes of the hosted cluster, made from storage of the infrastructure cluster; decided at creation.');

export const kubevirtPlatform = object({
  baseDomainPassthrough: boolean()
    .optional()
    .describe(
      'Makes the cluster use a subdomain of the apps domain of the infrastructure cluster,',
      'so that no DNS needs to be set up; decided at creation.',
    )
    .immutable('baseDomainPassthrough is immutable'),
  credentials: kubevirtCredentials.optional(),
  generateID: string({ maxLength: 11 })
    .optional()
    .describe('Random part of that subdomain; a controller fills it and it stays.')
    .immutable('Kubevirt GenerateID is immutable once set'),
  storageDriver: kubevirtStorageDriver.optional().immutable('storageDriver is immutable'),
})
  .describe('Settings of a cluster whose nodes are virtual machines.')
  .rule('!has(oldSelf.generateID) || has(self.generateID)', 'Kubevirt GenerateID is required once set');
