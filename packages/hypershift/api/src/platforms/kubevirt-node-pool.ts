/** A node pool of KubeVirt virtual machines. */
import { boolean, enumOf, int32, integer, list, object, quantity, string, stringMap } from '../schema/index.ts';
import { kubevirtCredentials } from './kubevirt.ts';

export const kubevirtPersistentVolume = object({
  accessModes: list(enumOf(['ReadWriteOnce', 'ReadWriteMany', 'ReadOnly', 'ReadWriteOncePod']), { maxItems: 10 })
    .optional()
    .describe(
      'Access modes of the volume; live migration needs `ReadWriteMany`.',
      'Absent takes what the storage class suggests.',
    ),
  size: quantity().optional().default('32Gi').describe('Size of the volume.'),
  storageClass: string({ maxLength: 255 })
    .optional()
    .describe('Storage class of the infrastructure cluster; absent means its default.'),
  volumeMode: enumOf(['Filesystem', 'Block'])
    .optional()
    .describe('Whether the volume is a block device or holds a file system; absent leaves it to the storage class.'),
}).describe('Volume each virtual machine boots from.');

export const kubevirtRootVolume = object({
  type: enumOf(['Persistent'])
    .optional()
    .default('Persistent')
    .describe('Kind of volume; persistent ones are the only kind.'),
  cacheStrategy: object({
    type: enumOf(['None', 'PVC'])
      .default('None')
      .describe('`PVC` downloads the image once and clones it for each machine; `None` downloads it every time.'),
  })
    .optional()
    .describe('Whether the boot image is kept for further machines.'),
  diskImage: object({
    containerDiskImage: string({ maxLength: 2048 }).optional().describe('Container image that holds the disk.'),
  })
    .optional()
    .describe('Boot image of your own; absent means the one the release names.'),
  persistent: kubevirtPersistentVolume.optional(),
}).describe('Root volume of the virtual machines; a change replaces the nodes.');

export const kubevirtCompute = object({
  cores: int32({ minimum: 1 })
    .optional()
    .describe('Number of virtual CPU cores. Giving any part of `compute` drops the default of two, so state it.'),
  memory: quantity().optional().default('8Gi').describe('Memory of the virtual machine.'),
  qosClass: enumOf(['Burstable', 'Guaranteed'])
    .optional()
    .default('Burstable')
    .describe('`Guaranteed` reserves all CPU and memory on the host; `Burstable` lets machines share CPU.'),
}).describe('CPU and memory of the virtual machines; a change replaces the nodes.');

export const kubevirtHostDevice = object({
  deviceName: string({ maxLength: 255 }).describe(
    'Resource name under which the infrastructure cluster offers the device, for example a GPU.',
  ),
  count: integer({ minimum: 1, maximum: 2147483647 })
    .optional()
    .default(1)
    .describe('Number of such devices per machine.'),
});

export const kubevirtNodePoolPlatform = object({
  rootVolume: kubevirtRootVolume.default({ persistent: { size: '32Gi' }, type: 'Persistent' }),
  additionalNetworks: list(
    object({
      name: string({ maxLength: 255 }).describe(
        'Network attachment definition of the infrastructure cluster, as `namespace/name`.',
      ),
    }),
    { maxItems: 20 },
  )
    .optional()
    .describe('Further networks the machines are attached to.'),
  attachDefaultNetwork: boolean()
    .optional()
    .default(true)
    .describe(
      'Whether machines join the pod network of the infrastructure cluster;',
      'can be switched off only with additional networks.',
    ),
  compute: kubevirtCompute.optional().default({ cores: 2, memory: '8Gi' }),
  hostDevices: list(kubevirtHostDevice, { maxItems: 10 })
    .optional()
    .describe('Devices of the host passed to the machines; they prevent live migration.'),
  networkInterfaceMultiqueue: enumOf(['Enable', 'Disable'])
    .optional()
    .default('Enable')
    .describe('Whether network interfaces get a queue per virtual CPU.'),
  nodeSelector: stringMap()
    .optional()
    .describe('Labels nodes of the infrastructure cluster must have to run the machines.'),
}).describe('Settings of nodes that are virtual machines.');

export const kubevirtNodePoolStatus = object({
  cacheName: string({ maxLength: 255 }).optional().describe('Volume claim that holds the cached boot image.'),
  credentials: kubevirtCredentials.optional(),
}).describe('What was made on the infrastructure cluster.');
