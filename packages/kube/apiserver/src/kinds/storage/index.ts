import type { KindBehaviour } from '../behaviour.ts';
import { csiDriver } from './csi-driver.ts';
import { csiNode } from './csi-node.ts';
import { csiStorageCapacity } from './csi-storage-capacity.ts';
import { storageClass } from './storage-class.ts';
import { volumeAttachment } from './volume-attachment.ts';
import { volumeAttributesClass } from './volume-attributes-class.ts';

export const storageKinds: Readonly<Record<string, KindBehaviour>> = {
  'csidrivers.storage.k8s.io': csiDriver,
  'csinodes.storage.k8s.io': csiNode,
  'csistoragecapacities.storage.k8s.io': csiStorageCapacity,
  'storageclasses.storage.k8s.io': storageClass,
  'volumeattachments.storage.k8s.io': volumeAttachment,
  'volumeattributesclasses.storage.k8s.io': volumeAttributesClass,
};
