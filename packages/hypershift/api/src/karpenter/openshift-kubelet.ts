/** Kubelet settings of nodes that Karpenter makes. */
import { boolean, int32, map, object, string, stringMap } from '../schema/index.ts';

export const nodeClassKubelet = object(
  {
    cpuCFSQuota: boolean().optional().describe('Whether CPU limits of containers are enforced; absent means yes.'),
    evictionHard: map(string({ maxLength: 64 }), { minProperties: 1, maxProperties: 20 })
      .optional()
      .describe('Free resources below which pods are evicted at once, by signal, as an amount or a percentage.')
      .rule(
        "self.all(x, x in ['memory.available','nodefs.available','nodefs.inodesFree','imagefs.available','imagefs.inodesFree','pid.available'])",
        "valid keys for evictionHard are ['memory.available','nodefs.available','nodefs.inodesFree','imagefs.available','imagefs.inodesFree','pid.available']",
      )
      .rule('self.all(x, self[x].size() > 0)', 'evictionHard values must not be empty'),
    evictionMaxPodGracePeriod: int32().optional().describe('Most seconds a pod gets to end during a soft eviction.'),
    evictionSoft: map(string({ maxLength: 64 }), { minProperties: 1, maxProperties: 20 })
      .optional()
      .describe(
        'Free resources below which pods are evicted after a grace period, by signal;',
        'at least as large as the hard limit.',
      )
      .rule(
        "self.all(x, x in ['memory.available','nodefs.available','nodefs.inodesFree','imagefs.available','imagefs.inodesFree','pid.available'])",
        "valid keys for evictionSoft are ['memory.available','nodefs.available','nodefs.inodesFree','imagefs.available','imagefs.inodesFree','pid.available']",
      )
      .rule('self.all(x, self[x].size() > 0)', 'evictionSoft values must not be empty'),
    evictionSoftGracePeriod: stringMap({ minProperties: 1, maxProperties: 20 })
      .optional()
      .describe('How long a soft limit must be crossed before pods are evicted, by signal; every soft limit needs one.')
      .rule(
        "self.all(x, x in ['memory.available','nodefs.available','nodefs.inodesFree','imagefs.available','imagefs.inodesFree','pid.available'])",
        "valid keys for evictionSoftGracePeriod are ['memory.available','nodefs.available','nodefs.inodesFree','imagefs.available','imagefs.inodesFree','pid.available']",
      ),
    imageGCHighThresholdPercent: int32({ minimum: 0, maximum: 100 })
      .optional()
      .describe('Disk usage in percent above which unused images are deleted.'),
    imageGCLowThresholdPercent: int32({ minimum: 0, maximum: 100 })
      .optional()
      .describe('Disk usage in percent at which deleting images stops.'),
    kubeReserved: stringMap({ minProperties: 1, maxProperties: 20 })
      .optional()
      .describe('Resources set aside for the kubelet and the container runtime.')
      .rule(
        "self.all(x, x=='cpu' || x=='memory' || x=='ephemeral-storage' || x=='pid')",
        "valid keys for kubeReserved are ['cpu','memory','ephemeral-storage','pid']",
      )
      .rule("self.all(x, !self[x].startsWith('-'))", 'kubeReserved value cannot be a negative resource quantity')
      .rule('self.all(x, self[x].size() > 0)', 'kubeReserved values must not be empty'),
    maxPods: int32({ minimum: 1, maximum: 2500 })
      .optional()
      .describe('Most pods a node may run; absent means 250, the default of OpenShift.'),
    podsPerCore: int32({ minimum: 1, maximum: 2500 })
      .optional()
      .describe('Most pods per CPU core, if that is fewer than `maxPods`.'),
    systemReserved: stringMap({ minProperties: 1, maxProperties: 20 })
      .optional()
      .describe('Resources set aside for the operating system.')
      .rule(
        "self.all(x, x=='cpu' || x=='memory' || x=='ephemeral-storage' || x=='pid')",
        "valid keys for systemReserved are ['cpu','memory','ephemeral-storage','pid']",
      )
      .rule("self.all(x, !self[x].startsWith('-'))", 'systemReserved value cannot be a negative resource quantity')
      .rule('self.all(x, self[x].size() > 0)', 'systemReserved values must not be empty'),
  },
  { keepUnknown: true },
)
  .describe(
    'Kubelet settings of the nodes; further fields of the kubelet configuration are passed on as they are.',
    'A change replaces the nodes.',
  )
  .rule(
    '!has(self.imageGCHighThresholdPercent) || !has(self.imageGCLowThresholdPercent) || self.imageGCHighThresholdPercent > self.imageGCLowThresholdPercent',
    'imageGCHighThresholdPercent must be greater than imageGCLowThresholdPercent',
  )
  .rule(
    '!has(self.podsPerCore) || !has(self.maxPods) || self.podsPerCore <= self.maxPods',
    'podsPerCore must not exceed maxPods',
  )
  .rule(
    '!has(self.evictionSoft) || (has(self.evictionSoftGracePeriod) && self.evictionSoft.all(e, e in self.evictionSoftGracePeriod))',
    'evictionSoft entry does not have a matching evictionSoftGracePeriod',
  )
  .rule(
    '!has(self.evictionSoftGracePeriod) || (has(self.evictionSoft) && self.evictionSoftGracePeriod.all(e, e in self.evictionSoft))',
    'evictionSoftGracePeriod entry does not have a matching evictionSoft',
  )
  .rule(
    "!has(self.evictionHard) || !has(self.evictionSoft) || self.evictionHard.all(key, !(key in self.evictionSoft) || ((self.evictionSoft[key].endsWith('%') && self.evictionHard[key].endsWith('%')) ? (self.evictionSoft[key].size() <= 1 || self.evictionHard[key].size() <= 1 || double(self.evictionSoft[key].substring(0, self.evictionSoft[key].size() - 1)) >= double(self.evictionHard[key].substring(0, self.evictionHard[key].size() - 1))) : (!(isQuantity(self.evictionSoft[key]) && isQuantity(self.evictionHard[key])) || quantity(self.evictionSoft[key]).compareTo(quantity(self.evictionHard[key])) >= 0)))",
    'evictionSoft threshold must be greater than or equal to evictionHard threshold for the same signal (soft eviction should fire before hard)',
  );
