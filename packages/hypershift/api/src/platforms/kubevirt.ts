/** A hosted cluster whose nodes are KubeVirt virtual machines. */
import { kubeconfigSecretReference } from '../common/references.ts';
import { boolean, enumOf, list, object, string } from '../schema/index.ts';

export const kubevirtCredentials = object({
  infraNamespace: string({ maxLength: 255 }).immutable('infraNamespace is immutable'),
  infraKubeConfigSecret: kubeconfigSecretReference.optional().immutable('infraKubeConfigSecret is immutable'),
});

export const kubevirtStorageClassMapping = object({
  guestStorageClassName: string({ maxLength: 255 }),
  infraStorageClassName: string({ maxLength: 255 }),
  group: string({ maxLength: 255 }).optional(),
});

export const kubevirtVolumeSnapshotClassMapping = object({
  guestVolumeSnapshotClassName: string({ maxLength: 255 }),
  infraVolumeSnapshotClassName: string({ maxLength: 255 }),
  group: string({ maxLength: 255 }).optional(),
});

export const kubevirtManualStorage = object({
  storageClassMapping: list(kubevirtStorageClassMapping, { maxItems: 50 })
    .optional()
    .immutable('storageClassMapping is immutable'),
  volumeSnapshotClassMapping: list(kubevirtVolumeSnapshotClassMapping, { maxItems: 50 })
    .optional()
    .immutable('volumeSnapshotClassMapping is immutable'),
});

export const kubevirtStorageDriver = object({
  type: enumOf(['None', 'Default', 'Manual'])
    .optional()
    .default('Default')
    .immutable('storageDriver.Type is immutable'),
  manual: kubevirtManualStorage.optional().immutable('storageDriver.Manual is immutable'),
});

export const kubevirtPlatform = object({
  baseDomainPassthrough: boolean().optional().immutable('baseDomainPassthrough is immutable'),
  credentials: kubevirtCredentials.optional(),
  generateID: string({ maxLength: 11 }).optional().immutable('Kubevirt GenerateID is immutable once set'),
  storageDriver: kubevirtStorageDriver.optional().immutable('storageDriver is immutable'),
}).rule('!has(oldSelf.generateID) || has(self.generateID)', 'Kubevirt GenerateID is required once set');
