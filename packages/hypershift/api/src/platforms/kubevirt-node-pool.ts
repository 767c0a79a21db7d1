/** A node pool of KubeVirt virtual machines. */
import { boolean, enumOf, int32, integer, list, object, quantity, string, stringMap } from '../schema/index.ts';
import { kubevirtCredentials } from './kubevirt.ts';

export const kubevirtPersistentVolume = object({
  accessModes: list(enumOf(['ReadWriteOnce', 'ReadWriteMany', 'ReadOnly', 'ReadWriteOncePod']), {
    maxItems: 10,
  }).optional(),
  size: quantity().optional().default('32Gi'),
  storageClass: string({ maxLength: 255 }).optional(),
  volumeMode: enumOf(['Filesystem', 'Block']).optional(),
});

export const kubevirtRootVolume = object({
  type: enumOf(['Persistent']).optional().default('Persistent'),
  cacheStrategy: object({
    type: enumOf(['None', 'PVC']).default('None'),
  }).optional(),
  diskImage: object({
    containerDiskImage: string({ maxLength: 2048 }).optional(),
  }).optional(),
  persistent: kubevirtPersistentVolume.optional(),
});

export const kubevirtCompute = object({
  cores: int32({ minimum: 1 }).optional(),
  memory: quantity().optional().default('8Gi'),
  qosClass: enumOf(['Burstable', 'Guaranteed']).optional().default('Burstable'),
});

export const kubevirtHostDevice = object({
  deviceName: string({ maxLength: 255 }),
  count: integer({ minimum: 1, maximum: 2147483647 }).optional().default(1),
});

export const kubevirtNodePoolPlatform = object({
  rootVolume: kubevirtRootVolume.default({ persistent: { size: '32Gi' }, type: 'Persistent' }),
  additionalNetworks: list(
    object({
      name: string({ maxLength: 255 }),
    }),
    { maxItems: 20 },
  ).optional(),
  attachDefaultNetwork: boolean().optional().default(true),
  compute: kubevirtCompute.optional().default({ cores: 2, memory: '8Gi' }),
  hostDevices: list(kubevirtHostDevice, { maxItems: 10 }).optional(),
  networkInterfaceMultiqueue: enumOf(['Enable', 'Disable']).optional().default('Enable'),
  nodeSelector: stringMap().optional(),
});

export const kubevirtNodePoolStatus = object({
  cacheName: string({ maxLength: 255 }).optional(),
  credentials: kubevirtCredentials.optional(),
});
