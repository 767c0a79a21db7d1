/** How Karpenter makes EC2 instances. */
import {
  boolean,
  defineKind,
  enumOf,
  int32,
  int64,
  list,
  map,
  object,
  raw,
  resourceOf,
  string,
  stringMap,
  type ManifestOf,
  type ObjectOf,
} from '../schema/index.ts';
import { ec2NodeClassStatus } from './ec2-node-class-status.ts';
import { nonEmptyTags } from './selectors.ts';

export const ec2AmiSelectorTerm = object({
  name: string().optional(),
  alias: string({ maxLength: 30 })
    .optional()
    .rule(
      "self.matches('^[a-zA-Z0-9]+@.+$')",
      "'alias' is improperly formatted, must match the format 'family@version'",
    )
    .rule(
      "self.split('@')[0] in ['al2','al2023','bottlerocket','windows2019','windows2022','windows2025']",
      "family is not supported, must be one of the following: 'al2', 'al2023', 'bottlerocket', 'windows2019', 'windows2022', 'windows2025'",
    )
    .rule(
      "self.split('@')[0] in ['windows2019','windows2022','windows2025'] ? self.split('@')[1] == 'latest' : true",
      "windows families may only specify version 'latest'",
    ),
  id: string({ pattern: 'ami-[0-9a-z]+' }).optional(),
  owner: string().optional(),
  ssmParameter: string().optional(),
  tags: stringMap({ maxProperties: 20 }).optional().check(nonEmptyTags),
});

export const ec2Ebs = object({
  deleteOnTermination: boolean().optional(),
  encrypted: boolean().optional(),
  iops: int64().optional(),
  kmsKeyID: string().optional(),
  snapshotID: string().optional(),
  throughput: int64().optional(),
  volumeInitializationRate: int32({ minimum: 100, maximum: 300 }).optional(),
  volumeSize: string({
    pattern:
      '^((?:[1-9][0-9]{0,3}|[1-4][0-9]{4}|[5][0-8][0-9]{3}|59000)Gi|(?:[1-9][0-9]{0,3}|[1-5][0-9]{4}|[6][0-3][0-9]{3}|64000)G|([1-9]||[1-5][0-7]|58)Ti|([1-9]||[1-5][0-9]|6[0-3]|64)T)$',
  }).optional(),
  volumeType: enumOf(['standard', 'io1', 'io2', 'gp2', 'sc1', 'st1', 'gp3']).optional(),
})
  .rule('has(self.snapshotID) || has(self.volumeSize)', 'snapshotID or volumeSize must be defined')
  .rule(
    "!has(self.volumeInitializationRate) || (has(self.snapshotID) && self.snapshotID != '')",
    'snapshotID must be set when volumeInitializationRate is set',
  );

export const ec2BlockDeviceMapping = object({
  deviceName: string().optional(),
  ebs: ec2Ebs.optional(),
  rootVolume: boolean().optional(),
});

export const ec2CapacityReservationSelectorTerm = object({
  id: string({ pattern: '^cr-[0-9a-z]+$' }).optional(),
  instanceMatchCriteria: enumOf(['open', 'targeted']).optional(),
  ownerID: string({ pattern: '^[0-9]{12}$' }).optional(),
  tags: stringMap({ maxProperties: 20 }).optional().check(nonEmptyTags),
});

export const ec2ConnectionTracking = object({
  tcpEstablishedTimeout: int32({ minimum: 60, maximum: 432000 }).optional(),
  udpStreamTimeout: int32({ minimum: 60, maximum: 180 }).optional(),
  udpTimeout: int32({ minimum: 30, maximum: 60 }).optional(),
}).rule(
  'has(self.tcpEstablishedTimeout) || has(self.udpStreamTimeout) || has(self.udpTimeout)',
  'at least one of tcpEstablishedTimeout, udpStreamTimeout, or udpTimeout must be set',
);

export const ec2Kubelet = object({
  clusterDNS: list(string()).optional(),
  cpuCFSQuota: boolean().optional(),
  evictionHard: map(
    string({
      pattern: raw`^((\d{1,2}(\.\d{1,2})?|100(\.0{1,2})?)%||(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?)$`,
    }),
  )
    .optional()
    .rule(
      "self.all(x, x in ['memory.available','nodefs.available','nodefs.inodesFree','imagefs.available','imagefs.inodesFree','pid.available'])",
      "valid keys for evictionHard are ['memory.available','nodefs.available','nodefs.inodesFree','imagefs.available','imagefs.inodesFree','pid.available']",
    ),
  evictionMaxPodGracePeriod: int32().optional(),
  evictionSoft: map(
    string({
      pattern: raw`^((\d{1,2}(\.\d{1,2})?|100(\.0{1,2})?)%||(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?)$`,
    }),
  )
    .optional()
    .rule(
      "self.all(x, x in ['memory.available','nodefs.available','nodefs.inodesFree','imagefs.available','imagefs.inodesFree','pid.available'])",
      "valid keys for evictionSoft are ['memory.available','nodefs.available','nodefs.inodesFree','imagefs.available','imagefs.inodesFree','pid.available']",
    ),
  evictionSoftGracePeriod: stringMap()
    .optional()
    .rule(
      "self.all(x, x in ['memory.available','nodefs.available','nodefs.inodesFree','imagefs.available','imagefs.inodesFree','pid.available'])",
      "valid keys for evictionSoftGracePeriod are ['memory.available','nodefs.available','nodefs.inodesFree','imagefs.available','imagefs.inodesFree','pid.available']",
    ),
  imageGCHighThresholdPercent: int32({ minimum: 0, maximum: 100 }).optional(),
  imageGCLowThresholdPercent: int32({ minimum: 0, maximum: 100 }).optional(),
  kubeReserved: map(
    string({
      pattern: raw`^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?$`,
    }),
  )
    .optional()
    .rule(
      "self.all(x, x=='cpu' || x=='memory' || x=='ephemeral-storage' || x=='pid')",
      "valid keys for kubeReserved are ['cpu','memory','ephemeral-storage','pid']",
    )
    .rule("self.all(x, !self[x].startsWith('-'))", 'kubeReserved value cannot be a negative resource quantity'),
  maxPods: int32({ minimum: 0 }).optional(),
  podsPerCore: int32({ minimum: 0 }).optional(),
  systemReserved: map(
    string({
      pattern: raw`^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?$`,
    }),
  )
    .optional()
    .rule(
      "self.all(x, x=='cpu' || x=='memory' || x=='ephemeral-storage' || x=='pid')",
      "valid keys for systemReserved are ['cpu','memory','ephemeral-storage','pid']",
    )
    .rule("self.all(x, !self[x].startsWith('-'))", 'systemReserved value cannot be a negative resource quantity'),
})
  .rule(
    'has(self.imageGCHighThresholdPercent) && has(self.imageGCLowThresholdPercent) ?  self.imageGCHighThresholdPercent > self.imageGCLowThresholdPercent  : true',
    'imageGCHighThresholdPercent must be greater than imageGCLowThresholdPercent',
  )
  .rule(
    'has(self.evictionSoft) ? self.evictionSoft.all(e, (e in self.evictionSoftGracePeriod)):true',
    'evictionSoft OwnerKey does not have a matching evictionSoftGracePeriod',
  )
  .rule(
    'has(self.evictionSoftGracePeriod) ? self.evictionSoftGracePeriod.all(e, (e in self.evictionSoft)):true',
    'evictionSoftGracePeriod OwnerKey does not have a matching evictionSoft',
  );

export const ec2MetadataOptions = object({
  httpEndpoint: enumOf(['enabled', 'disabled']).optional().default('enabled'),
  httpProtocolIPv6: enumOf(['enabled', 'disabled']).optional().default('disabled'),
  httpPutResponseHopLimit: int64({ minimum: 1, maximum: 64 }).optional().default(1),
  httpTokens: enumOf(['required', 'optional']).optional().default('required'),
});

export const ec2NetworkInterface = object({
  deviceIndex: int32({ minimum: 0 }),
  interfaceType: enumOf(['interface', 'efa-only']),
  networkCardIndex: int32({ minimum: 0 }),
});

export const ec2PlacementGroupSelector = object({
  name: string({ minLength: 1 }).optional(),
  id: string({ pattern: '^pg-[0-9a-z]+$' }).optional(),
})
  .rule('has(self.name) || has(self.id)', "expected at least one, got none, ['name', 'id']")
  .rule('!(has(self.name) && has(self.id))', "'name' and 'id' are mutually exclusive");

export const ec2SecurityGroupSelectorTerm = object({
  name: string().optional(),
  id: string({ pattern: 'sg-[0-9a-z]+' }).optional(),
  tags: stringMap({ maxProperties: 20 }).optional().check(nonEmptyTags),
});

export const ec2SubnetSelectorTerm = object({
  id: string({ pattern: 'subnet-[0-9a-z]+' }).optional(),
  tags: stringMap({ maxProperties: 20 }).optional().check(nonEmptyTags),
});

export const ec2NodeClassSpec = object({
  amiFamily: enumOf(['Custom']).optional(),
  amiSelectorTerms: list(ec2AmiSelectorTerm, { minItems: 1, maxItems: 30 })
    .optional()
    .rule(
      '!self.exists(x, has(x.alias) || has(x.tags) || has(x.name) || has(x.owner))',
      'expected only "id" to be set',
    ),
  associatePublicIPAddress: boolean().optional(),
  blockDeviceMappings: list(ec2BlockDeviceMapping, { maxItems: 50 })
    .optional()
    .rule(
      'self.filter(x, has(x.rootVolume)?x.rootVolume==true:false).size() <= 1',
      'must have only one blockDeviceMappings with rootVolume',
    ),
  capacityReservationSelectorTerms: list(ec2CapacityReservationSelectorTerm, { maxItems: 30 })
    .optional()
    .rule(
      'self.all(x, has(x.tags) || has(x.id) || has(x.instanceMatchCriteria))',
      "expected at least one, got none, ['tags', 'id', 'instanceMatchCriteria']",
    )
    .rule(
      '!self.all(x, has(x.id) && (has(x.tags) || has(x.ownerID) || has(x.instanceMatchCriteria)))',
      "'id' is mutually exclusive, cannot be set along with other fields in a capacity reservation selector term",
    ),
  connectionTracking: ec2ConnectionTracking.optional(),
  context: string().optional(),
  cpuOptions: object({
    nestedVirtualization: enumOf(['enabled', 'disabled']).optional(),
  }).optional(),
  detailedMonitoring: boolean().optional(),
  instanceProfile: string().optional().rule("self != ''", 'instanceProfile cannot be empty'),
  instanceStorePolicy: enumOf(['RAID0']).optional(),
  ipPrefixCount: int32({ minimum: 0 }).optional(),
  kubelet: ec2Kubelet.optional(),
  metadataOptions: ec2MetadataOptions
    .optional()
    .default({
      httpEndpoint: 'enabled',
      httpProtocolIPv6: 'disabled',
      httpPutResponseHopLimit: 1,
      httpTokens: 'required',
    }),
  networkInterfaces: list(ec2NetworkInterface, { maxItems: 150 })
    .optional()
    .rule(
      "self.size() == 0 || self.exists(x, x.deviceIndex == 0 && x.networkCardIndex == 0 && x.interfaceType == 'interface')",
      "networkInterfaces must include a primary interface with interfaceType='interface'",
    )
    .rule(
      "self.all(x, self.filter(y, x.networkCardIndex == y.networkCardIndex && x.deviceIndex == y.deviceIndex).size() == 1 && (x.interfaceType != 'efa-only' || self.filter(y, x.networkCardIndex == y.networkCardIndex && y.interfaceType == 'efa-only').size() == 1))",
      'networkInterfaces must not have duplicate networkCardIndex and deviceIndex pairs, and can have at most one efa device per network card',
    ),
  placementGroupSelector: ec2PlacementGroupSelector.optional(),
  role: string().optional().rule("self != ''", 'role cannot be empty'),
  securityGroupSelectorTerms: list(ec2SecurityGroupSelectorTerm, { maxItems: 30 })
    .optional()
    .rule('self.size() != 0', 'securityGroupSelectorTerms cannot be empty')
    .rule(
      'self.all(x, has(x.tags) || has(x.id) || has(x.name))',
      "expected at least one, got none, ['tags', 'id', 'name']",
    )
    .rule(
      '!self.all(x, has(x.id) && (has(x.tags) || has(x.name)))',
      "'id' is mutually exclusive, cannot be set with a combination of other fields in a security group selector term",
    )
    .rule(
      '!self.all(x, has(x.name) && (has(x.tags) || has(x.id)))',
      "'name' is mutually exclusive, cannot be set with a combination of other fields in a security group selector term",
    ),
  subnetSelectorTerms: list(ec2SubnetSelectorTerm, { maxItems: 30 })
    .optional()
    .rule('self.size() != 0', 'subnetSelectorTerms cannot be empty')
    .rule('self.all(x, has(x.tags) || has(x.id))', "expected at least one, got none, ['tags', 'id']")
    .rule(
      '!self.all(x, has(x.id) && has(x.tags))',
      "'id' is mutually exclusive, cannot be set with a combination of other fields in a subnet selector term",
    ),
  tags: stringMap()
    .optional()
    .rule("self.all(k, k != '')", "empty tag keys aren't supported")
    .rule("self.all(k, k !='eks:eks-cluster-name')", 'tag contains a restricted tag matching eks:eks-cluster-name')
    .rule(
      "self.all(k, !k.startsWith('kubernetes.io/cluster') )",
      'tag contains a restricted tag matching kubernetes.io/cluster/',
    )
    .rule("self.all(k, k != 'karpenter.sh/nodepool')", 'tag contains a restricted tag matching karpenter.sh/nodepool')
    .rule("self.all(k, k !='karpenter.sh/nodeclaim')", 'tag contains a restricted tag matching karpenter.sh/nodeclaim')
    .rule(
      "self.all(k, k !='karpenter.k8s.aws/ec2nodeclass')",
      'tag contains a restricted tag matching karpenter.k8s.aws/ec2nodeclass',
    ),
  userData: string().optional(),
});

export const ec2NodeClass = defineKind({
  group: 'karpenter.k8s.aws',
  version: 'v1',
  kind: 'EC2NodeClass',
  plural: 'ec2nodeclasses',
  shortNames: ['ec2nc', 'ec2ncs'],
  categories: ['karpenter'],
  scope: 'Cluster',
  description: '',
  columns: [
    { name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
    { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
    { name: 'Role', type: 'string', jsonPath: '.spec.role', priority: 1 },
  ],
  statusSubresource: true,
  fields: {
    spec: ec2NodeClassSpec.unenforced(),
    status: ec2NodeClassStatus.optional(),
  },
});

/** An EC2NodeClass as an API server hands it out: defaults are filled in. */
export type EC2NodeClass = ObjectOf<typeof ec2NodeClass>;

/** An EC2NodeClass as a client may send it. */
export type EC2NodeClassManifest = ManifestOf<typeof ec2NodeClass>;

export const ec2NodeClasses = resourceOf(ec2NodeClass);
