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
  name: string().optional().describe('Name of the image; `*` stands for any text.'),
  alias: string({ maxLength: 30 })
    .optional()
    .describe('Image family and version, as `family@version`; not together with other terms.')
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
  id: string({ pattern: 'ami-[0-9a-z]+' }).optional().describe('A certain image; not together with other fields.'),
  owner: string()
    .optional()
    .describe('Account the image must belong to, by number, `self` or `amazon`; absent means your own and Amazon.'),
  ssmParameter: string().optional().describe('SSM parameter that holds the identifier of the image.'),
  tags: stringMap({ maxProperties: 20 })
    .optional()
    .describe('Tags the image must carry; `*` stands for any value.')
    .check(nonEmptyTags),
});

export const ec2Ebs = object({
  deleteOnTermination: boolean().optional().describe('Whether the volume goes with its instance.'),
  encrypted: boolean()
    .optional()
    .describe('Whether the volume is encrypted; a volume from an encrypted snapshot always is.'),
  iops: int64().optional().describe('Operations per second to provision; for types `io1`, `io2` and `gp3`.'),
  kmsKeyID: string().optional().describe('KMS key for the volume; absent means the default EBS key of the account.'),
  snapshotID: string().optional().describe('Snapshot the volume is made from.'),
  throughput: int64().optional().describe('Throughput in MiB per second; for type `gp3`.'),
  volumeInitializationRate: int32({ minimum: 100, maximum: 300 })
    .optional()
    .describe('Speed in MiB per second at which the snapshot is loaded; absent loads blocks when they are read.'),
  volumeSize: string({
    pattern:
      '^((?:[1-9][0-9]{0,3}|[1-4][0-9]{4}|[5][0-8][0-9]{3}|59000)Gi|(?:[1-9][0-9]{0,3}|[1-5][0-9]{4}|[6][0-3][0-9]{3}|64000)G|([1-9]||[1-5][0-7]|58)Ti|([1-9]||[1-5][0-9]|6[0-3]|64)T)$',
  })
    .optional()
    .describe('Size with unit, for example `100Gi`; needed without a snapshot, and not smaller than one.'),
  volumeType: enumOf(['standard', 'io1', 'io2', 'gp2', 'sc1', 'st1', 'gp3']).optional().describe('EBS volume type.'),
})
  .describe('The EBS volume behind a device.')
  .rule('has(self.snapshotID) || has(self.volumeSize)', 'snapshotID or volumeSize must be defined')
  .rule(
    "!has(self.volumeInitializationRate) || (has(self.snapshotID) && self.snapshotID != '')",
    'snapshotID must be set when volumeInitializationRate is set',
  );

export const ec2BlockDeviceMapping = object({
  deviceName: string().optional().describe('Device the volume appears as, for example `/dev/xvda`.'),
  ebs: ec2Ebs.optional(),
  rootVolume: boolean()
    .optional()
    .describe('Marks the volume the kubelet uses, so that its size counts as ephemeral storage; one at most.'),
});

export const ec2CapacityReservationSelectorTerm = object({
  id: string({ pattern: '^cr-[0-9a-z]+$' })
    .optional()
    .describe('A certain reservation; not together with other fields.'),
  instanceMatchCriteria: enumOf(['open', 'targeted'])
    .optional()
    .describe('Kind of reservation: open to any fitting instance, or only for those that name it.'),
  ownerID: string({ pattern: '^[0-9]{12}$' })
    .optional()
    .describe('AWS account that owns the reservation, as one may be shared.'),
  tags: stringMap({ maxProperties: 20 })
    .optional()
    .describe('Tags the reservation must carry; `*` stands for any value.')
    .check(nonEmptyTags),
});

export const ec2ConnectionTracking = object({
  tcpEstablishedTimeout: int32({ minimum: 60, maximum: 432000 })
    .optional()
    .describe('Seconds a silent TCP connection is remembered.'),
  udpStreamTimeout: int32({ minimum: 60, maximum: 180 })
    .optional()
    .describe('Seconds a silent UDP flow with several exchanges is remembered.'),
  udpTimeout: int32({ minimum: 30, maximum: 60 })
    .optional()
    .describe('Seconds a silent UDP flow with a single exchange is remembered.'),
})
  .describe('How long security groups remember silent connections; absent means the defaults of EC2.')
  .rule(
    'has(self.tcpEstablishedTimeout) || has(self.udpStreamTimeout) || has(self.udpTimeout)',
    'at least one of tcpEstablishedTimeout, udpStreamTimeout, or udpTimeout must be set',
  );

export const ec2Kubelet = object({
  clusterDNS: list(string())
    .optional()
    .describe('Addresses of the DNS servers pods use; not every image can use them.'),
  cpuCFSQuota: boolean().optional().describe('Whether CPU limits of containers are enforced; absent means yes.'),
  evictionHard: map(
    string({
      pattern: raw`^((\d{1,2}(\.\d{1,2})?|100(\.0{1,2})?)%||(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?)$`,
    }),
  )
    .optional()
    .describe('Free resources below which pods are evicted at once, by signal, as an amount or a percentage.')
    .rule(
      "self.all(x, x in ['memory.available','nodefs.available','nodefs.inodesFree','imagefs.available','imagefs.inodesFree','pid.available'])",
      "valid keys for evictionHard are ['memory.available','nodefs.available','nodefs.inodesFree','imagefs.available','imagefs.inodesFree','pid.available']",
    ),
  evictionMaxPodGracePeriod: int32().optional().describe('Most seconds a pod gets to end during a soft eviction.'),
  evictionSoft: map(
    string({
      pattern: raw`^((\d{1,2}(\.\d{1,2})?|100(\.0{1,2})?)%||(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?)$`,
    }),
  )
    .optional()
    .describe('Free resources below which pods are evicted after a grace period, by signal.')
    .rule(
      "self.all(x, x in ['memory.available','nodefs.available','nodefs.inodesFree','imagefs.available','imagefs.inodesFree','pid.available'])",
      "valid keys for evictionSoft are ['memory.available','nodefs.available','nodefs.inodesFree','imagefs.available','imagefs.inodesFree','pid.available']",
    ),
  evictionSoftGracePeriod: stringMap()
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
  kubeReserved: map(
    string({
      pattern: raw`^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?$`,
    }),
  )
    .optional()
    .describe('Resources set aside for the kubelet and the container runtime.')
    .rule(
      "self.all(x, x=='cpu' || x=='memory' || x=='ephemeral-storage' || x=='pid')",
      "valid keys for kubeReserved are ['cpu','memory','ephemeral-storage','pid']",
    )
    .rule("self.all(x, !self[x].startsWith('-'))", 'kubeReserved value cannot be a negative resource quantity'),
  maxPods: int32({ minimum: 0 }).optional().describe('Most pods a node may run.'),
  podsPerCore: int32({ minimum: 0 }).optional().describe('Most pods per CPU core, if that is fewer than `maxPods`.'),
  systemReserved: map(
    string({
      pattern: raw`^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?$`,
    }),
  )
    .optional()
    .describe('Resources set aside for the operating system.')
    .rule(
      "self.all(x, x=='cpu' || x=='memory' || x=='ephemeral-storage' || x=='pid')",
      "valid keys for systemReserved are ['cpu','memory','ephemeral-storage','pid']",
    )
    .rule("self.all(x, !self[x].startsWith('-'))", 'systemReserved value cannot be a negative resource quantity'),
})
  .describe('Kubelet settings that Karpenter reckons with when it chooses instances.')
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
  httpEndpoint: enumOf(['enabled', 'disabled'])
    .optional()
    .default('enabled')
    .describe('Whether instances can use the metadata service at all.'),
  httpProtocolIPv6: enumOf(['enabled', 'disabled'])
    .optional()
    .default('disabled')
    .describe('Whether the metadata service answers on IPv6.'),
  httpPutResponseHopLimit: int64({ minimum: 1, maximum: 64 })
    .optional()
    .default(1)
    .describe('Network hops an answer may travel; pods without host network need at least two.'),
  httpTokens: enumOf(['required', 'optional'])
    .optional()
    .default('required')
    .describe('Whether requests need a session token, which is the safer version 2 of the service.'),
}).describe('How instances reach the metadata service.');

export const ec2NetworkInterface = object({
  deviceIndex: int32({ minimum: 0 }).describe('Position of the interface on its network card.'),
  interfaceType: enumOf(['interface', 'efa-only']).describe(
    'Ordinary interface, or one for the Elastic Fabric Adapter without IP traffic.',
  ),
  networkCardIndex: int32({ minimum: 0 }).describe(
    'Network card the interface is on; the primary interface is on card 0.',
  ),
});

export const ec2PlacementGroupSelector = object({
  name: string({ minLength: 1 }).optional().describe('Placement group by name; set this or `id`.'),
  id: string({ pattern: '^pg-[0-9a-z]+$' }).optional().describe('Placement group by identifier; set this or `name`.'),
})
  .describe('Placement group instances are started in; absent means none.')
  .rule('has(self.name) || has(self.id)', "expected at least one, got none, ['name', 'id']")
  .rule('!(has(self.name) && has(self.id))', "'name' and 'id' are mutually exclusive");

export const ec2SecurityGroupSelectorTerm = object({
  name: string().optional().describe('Name of the group, not its `Name` tag; not together with other fields.'),
  id: string({ pattern: 'sg-[0-9a-z]+' }).optional().describe('A certain group; not together with other fields.'),
  tags: stringMap({ maxProperties: 20 })
    .optional()
    .describe('Tags the group must carry; `*` stands for any value.')
    .check(nonEmptyTags),
});

export const ec2SubnetSelectorTerm = object({
  id: string({ pattern: 'subnet-[0-9a-z]+' }).optional().describe('A certain subnet; not together with other fields.'),
  tags: stringMap({ maxProperties: 20 })
    .optional()
    .describe('Tags the subnet must carry; `*` stands for any value.')
    .check(nonEmptyTags),
});

export const ec2NodeClassSpec = object({
  amiFamily: enumOf(['Custom'])
    .optional()
    .describe(
      'Kind of image, which decides how user data is made; on OpenShift always `Custom`,',
      'which passes it on untouched.',
    ),
  amiSelectorTerms: list(ec2AmiSelectorTerm, { minItems: 1, maxItems: 30 })
    .optional()
    .describe('Images to boot; on OpenShift each by identifier, as the release names them.')
    .rule(
      '!self.exists(x, has(x.alias) || has(x.tags) || has(x.name) || has(x.owner))',
      'expected only "id" to be set',
    ),
  associatePublicIPAddress: boolean()
    .optional()
    .describe('Whether instances get a public address; absent means what their subnet says.'),
  blockDeviceMappings: list(ec2BlockDeviceMapping, { maxItems: 50 })
    .optional()
    .describe('Volumes of the instances; absent means those of the image.')
    .rule(
      'self.filter(x, has(x.rootVolume)?x.rootVolume==true:false).size() <= 1',
      'must have only one blockDeviceMappings with rootVolume',
    ),
  capacityReservationSelectorTerms: list(ec2CapacityReservationSelectorTerm, { maxItems: 30 })
    .optional()
    .describe('Capacity reservations that may be used; fields of a term must all match, one matching term is enough.')
    .rule(
      'self.all(x, has(x.tags) || has(x.id) || has(x.instanceMatchCriteria))',
      "expected at least one, got none, ['tags', 'id', 'instanceMatchCriteria']",
    )
    .rule(
      '!self.all(x, has(x.id) && (has(x.tags) || has(x.ownerID) || has(x.instanceMatchCriteria)))',
      "'id' is mutually exclusive, cannot be set along with other fields in a capacity reservation selector term",
    ),
  connectionTracking: ec2ConnectionTracking.optional(),
  context: string()
    .optional()
    .describe('Free text passed on when instances are made; meant for capacity agreed upon with AWS.'),
  cpuOptions: object({
    nestedVirtualization: enumOf(['enabled', 'disabled'])
      .optional()
      .describe('Whether instances may run virtual machines themselves.'),
  })
    .optional()
    .describe('Processor settings of the instances.'),
  detailedMonitoring: boolean()
    .optional()
    .describe('Makes instances report metrics every minute, for a fee, instead of every five.'),
  instanceProfile: string()
    .optional()
    .describe('Existing instance profile of the instances; use it instead of `role`.')
    .rule("self != ''", 'instanceProfile cannot be empty'),
  instanceStorePolicy: enumOf(['RAID0'])
    .optional()
    .describe(
      '`RAID0` joins the local disks of an instance and uses them for pods and images;',
      'absent leaves them alone.',
    ),
  ipPrefixCount: int32({ minimum: 0 })
    .optional()
    .describe('Number of IPv4 prefixes the primary interface gets for pods.'),
  kubelet: ec2Kubelet.optional(),
  metadataOptions: ec2MetadataOptions.optional().default({
    httpEndpoint: 'enabled',
    httpProtocolIPv6: 'disabled',
    httpPutResponseHopLimit: 1,
    httpTokens: 'required',
  }),
  networkInterfaces: list(ec2NetworkInterface, { maxItems: 150 })
    .optional()
    .describe(
      'Network interfaces of the instances; one ordinary interface must be the primary one.',
      'Absent means that one alone.',
    )
    .rule(
      "self.size() == 0 || self.exists(x, x.deviceIndex == 0 && x.networkCardIndex == 0 && x.interfaceType == 'interface')",
      "networkInterfaces must include a primary interface with interfaceType='interface'",
    )
    .rule(
      "self.all(x, self.filter(y, x.networkCardIndex == y.networkCardIndex && x.deviceIndex == y.deviceIndex).size() == 1 && (x.interfaceType != 'efa-only' || self.filter(y, x.networkCardIndex == y.networkCardIndex && y.interfaceType == 'efa-only').size() == 1))",
      'networkInterfaces must not have duplicate networkCardIndex and deviceIndex pairs, and can have at most one efa device per network card',
    ),
  placementGroupSelector: ec2PlacementGroupSelector.optional(),
  role: string()
    .optional()
    .describe('IAM role of the instances, for which Karpenter makes a profile; use it instead of `instanceProfile`.')
    .rule("self != ''", 'role cannot be empty'),
  securityGroupSelectorTerms: list(ec2SecurityGroupSelectorTerm, { maxItems: 30 })
    .optional()
    .describe('Security groups of the instances; all groups that match a term are used.')
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
    .describe('Subnets instances may be in; all that match a term are candidates.')
    .rule('self.size() != 0', 'subnetSelectorTerms cannot be empty')
    .rule('self.all(x, has(x.tags) || has(x.id))', "expected at least one, got none, ['tags', 'id']")
    .rule(
      '!self.all(x, has(x.id) && has(x.tags))',
      "'id' is mutually exclusive, cannot be set with a combination of other fields in a subnet selector term",
    ),
  tags: stringMap()
    .optional()
    .describe('Further tags for all resources made for the nodes.')
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
  userData: string()
    .optional()
    .describe('Data handed to instances at boot; on OpenShift the pointer to their Ignition configuration.'),
}).describe('What EC2 instances should be like.');

export const ec2NodeClass = defineKind({
  group: 'karpenter.k8s.aws',
  version: 'v1',
  kind: 'EC2NodeClass',
  plural: 'ec2nodeclasses',
  shortNames: ['ec2nc', 'ec2ncs'],
  categories: ['karpenter'],
  scope: 'Cluster',
  description:
    'What EC2 instances made by Karpenter should be like. On a hosted cluster an operator makes it from an OpenshiftEC2NodeClass; edit that one.',
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
