/** How Karpenter makes EC2 instances for a hosted cluster; OpenShift’s own kind. */
import { condition } from '../common/conditions.ts';
import {
  dateTime,
  defineKind,
  enumOf,
  int64,
  list,
  object,
  raw,
  resourceOf,
  string,
  stringMap,
  type ManifestOf,
  type ObjectOf,
} from '../schema/index.ts';
import { nodeClassKubelet } from './openshift-kubelet.ts';
import { nonEmptyTags } from './selectors.ts';

export const nodeClassEbsVolume = object(
  {
    deleteOnTermination: enumOf(['Delete', 'Retain'])
      .optional()
      .describe('Whether the volume goes with its instance; retained ones cost until you delete them.'),
    encrypted: enumOf(['Encrypted', 'Unencrypted'])
      .optional()
      .describe('Whether the volume is encrypted; absent follows the setting of the account or the snapshot.'),
    iops: int64().optional().describe('Operations per second to provision; for types `IO1`, `IO2` and `GP3`.'),
    kmsKeyID: string({ minLength: 1, maxLength: 2048 })
      .optional()
      .describe('KMS key for the volume; absent means the default EBS key of the account.'),
    snapshotID: string({ minLength: 1, maxLength: 256 }).optional().describe('Snapshot the volume is made from.'),
    throughput: int64().optional().describe('Throughput in MiB per second; for type `GP3`.'),
    volumeSizeGiB: int64({ minimum: 1, maximum: 65536 })
      .optional()
      .describe('Size in GiB; needed without a snapshot, and not smaller than one.'),
    volumeType: enumOf(['Standard', 'IO1', 'IO2', 'GP2', 'SC1', 'ST1', 'GP3'])
      .optional()
      .describe('EBS volume type; absent means the default of EC2.'),
  },
  { minProperties: 1 },
)
  .describe('The EBS volume behind a device.')
  .rule('has(self.snapshotID) || has(self.volumeSizeGiB)', 'snapshotID or volumeSizeGiB must be defined');

export const nodeClassBlockDeviceMapping = object(
  {
    deviceName: string({ minLength: 1, maxLength: 256 })
      .optional()
      .describe('Device the volume appears as, for example `/dev/xvda`.'),
    ebs: nodeClassEbsVolume.optional(),
    rootVolume: enumOf(['RootVolume', 'NotRootVolume'])
      .optional()
      .describe('Marks the volume the kubelet uses, so that its size counts as ephemeral storage; one at most.'),
  },
  { minProperties: 1 },
);

export const nodeClassCapacityReservationSelectorTerm = object(
  {
    id: string({ minLength: 1, maxLength: 256 })
      .optional()
      .describe('A certain reservation; not together with other fields.')
      .rule("self.matches('^cr-[0-9a-z]+$')", 'id must match the pattern cr-[0-9a-z]+'),
    instanceMatchCriteria: enumOf(['Open', 'Targeted'])
      .optional()
      .describe('Kind of reservation: open to any fitting instance, or only for those that name it.'),
    ownerID: string({ minLength: 1, maxLength: 12 })
      .optional()
      .describe('AWS account that owns the reservation, as one may be shared.')
      .rule("self.matches('^[0-9]{12}$')", 'ownerID must be a 12-digit AWS account ID'),
    tags: stringMap({ minProperties: 1, maxProperties: 20 })
      .optional()
      .describe('Tags the reservation must carry; `*` stands for any value.')
      .check(nonEmptyTags),
  },
  { minProperties: 1 },
);

export const nodeClassMetadataOptions = object(
  {
    access: enumOf(['HTTPEndpoint', 'None'])
      .optional()
      .describe('Whether instances can use the metadata service at all.'),
    httpIPProtocol: enumOf(['IPv4', 'IPv6']).optional().describe('IP version the metadata service answers on.'),
    httpPutResponseHopLimit: int64({ minimum: 1, maximum: 64 })
      .optional()
      .describe('Network hops an answer may travel; pods without host network need at least two.'),
    httpTokens: enumOf(['Required', 'Optional'])
      .optional()
      .describe('Whether requests need a session token, which is the safer version 2 of the service.'),
  },
  { minProperties: 1 },
).describe('How instances reach the metadata service.');

export const nodeClassSecurityGroupSelectorTerm = object(
  {
    name: string({ minLength: 1, maxLength: 256 })
      .optional()
      .describe('Name of the group, not its `Name` tag; not together with other fields.'),
    id: string({ minLength: 1, maxLength: 256 })
      .optional()
      .describe('A certain group; not together with other fields.')
      .rule("self.matches('^sg-[0-9a-z]+$')", 'id must match the pattern sg-[0-9a-z]+'),
    tags: stringMap({ minProperties: 1, maxProperties: 20 })
      .optional()
      .describe('Tags the group must carry; `*` stands for any value.')
      .check(nonEmptyTags),
  },
  { minProperties: 1 },
);

export const nodeClassSubnetSelectorTerm = object(
  {
    id: string({ minLength: 1, maxLength: 256 })
      .optional()
      .describe('A certain subnet; not together with other fields.')
      .rule("self.matches('^subnet-[0-9a-z]+$')", 'id must match the pattern subnet-[0-9a-z]+'),
    tags: stringMap({ minProperties: 1, maxProperties: 20 })
      .optional()
      .describe('Tags the subnet must carry; `*` stands for any value.')
      .check(nonEmptyTags),
  },
  { minProperties: 1 },
);

export const openshiftEC2NodeClassSpec = object(
  {
    blockDeviceMappings: list(nodeClassBlockDeviceMapping, { type: 'atomic', minItems: 1, maxItems: 50 })
      .optional()
      .describe('Volumes of the instances; absent means one encrypted gp3 root volume.')
      .rule(
        "self.filter(x, has(x.rootVolume)?x.rootVolume=='RootVolume':false).size() <= 1",
        'must have only one blockDeviceMappings with rootVolume',
      ),
    capacityReservationSelectorTerms: list(nodeClassCapacityReservationSelectorTerm, {
      type: 'atomic',
      minItems: 1,
      maxItems: 30,
    })
      .optional()
      .describe('Capacity reservations that may be used; fields of a term must all match, one matching term is enough.')
      .rule(
        'self.all(x, has(x.tags) || has(x.id) || has(x.ownerID) || has(x.instanceMatchCriteria))',
        "expected at least one, got none, ['tags', 'id', 'ownerID', 'instanceMatchCriteria']",
      )
      .rule(
        '!self.all(x, has(x.id) && (has(x.tags) || has(x.ownerID) || has(x.instanceMatchCriteria)))',
        "'id' is mutually exclusive, cannot be set along with other fields in a capacity reservation selector term",
      ),
    instanceStorePolicy: enumOf(['RAID0'])
      .optional()
      .describe(
        '`RAID0` joins the local disks of an instance and uses them for pods and images;',
        'absent leaves them alone.',
      ),
    ipAddressAssociation: enumOf(['Public', 'SubnetDefault'])
      .optional()
      .describe('Whether instances get a public address or what their subnet says.'),
    kubelet: nodeClassKubelet.optional(),
    metadataOptions: nodeClassMetadataOptions.optional(),
    monitoring: enumOf(['Detailed', 'Basic'])
      .optional()
      .describe('How often instances report metrics: every minute for a fee, or every five.'),
    securityGroupSelectorTerms: list(nodeClassSecurityGroupSelectorTerm, { type: 'atomic', minItems: 1, maxItems: 30 })
      .optional()
      .describe(
        'Security groups of the instances; all groups that match a term are used.',
        'Absent means those whose tag `karpenter.sh/discovery` is the infraID of the cluster.',
      )
      .rule('self.size() != 0', 'securityGroupSelectorTerms cannot be empty')
      .rule(
        'self.all(x, has(x.tags) || has(x.id) || has(x.name))',
        "expected at least one, got none, ['tags', 'id', 'name']",
      )
      .rule(
        '!self.all(x, has(x.id) && (has(x.tags) || has(x.name)))',
        "'id' is mutually exclusive, cannot be set with a combination of other fields in securityGroupSelectorTerms",
      )
      .rule(
        '!self.all(x, has(x.name) && (has(x.tags) || has(x.id)))',
        "'name' is mutually exclusive, cannot be set with a combination of other fields in securityGroupSelectorTerms",
      ),
    subnetSelectorTerms: list(nodeClassSubnetSelectorTerm, { type: 'atomic', minItems: 1, maxItems: 30 })
      .optional()
      .describe(
        'Subnets instances may be in; all that match a term are candidates.',
        'Absent means the private ones tagged for the cluster.',
      )
      .rule('self.size() != 0', 'subnetSelectorTerms cannot be empty')
      .rule('self.all(x, has(x.tags) || has(x.id))', "expected at least one, got none, ['tags', 'id']")
      .rule(
        '!self.all(x, has(x.id) && has(x.tags))',
        "'id' is mutually exclusive, cannot be set with a combination of other fields in subnetSelectorTerms",
      ),
    tags: stringMap({ minProperties: 1 })
      .optional()
      .describe('Further tags for all resources made for the nodes.')
      .rule("self.all(k, k != '')", "empty tag keys aren't supported")
      .rule("self.all(k, k !='eks:eks-cluster-name')", 'tag contains a restricted tag matching eks:eks-cluster-name')
      .rule(
        "self.all(k, !k.startsWith('kubernetes.io/cluster') )",
        'tag contains a restricted tag matching kubernetes.io/cluster/',
      )
      .rule("self.all(k, k != 'karpenter.sh/nodepool')", 'tag contains a restricted tag matching karpenter.sh/nodepool')
      .rule(
        "self.all(k, k !='karpenter.sh/nodeclaim')",
        'tag contains a restricted tag matching karpenter.sh/nodeclaim',
      )
      .rule(
        "self.all(k, k !='karpenter.k8s.aws/ec2nodeclass')",
        'tag contains a restricted tag matching karpenter.k8s.aws/ec2nodeclass',
      ),
    version: string({ minLength: 5, maxLength: 64 })
      .optional()
      .describe('OpenShift version of the nodes; absent means that of the control plane. A change replaces the nodes.')
      .rule(
        raw`self.matches('^(0|[1-9]\\d*)\\.(0|[1-9]\\d*)\\.(0|[1-9]\\d*)(?:-((?:0|[1-9]\\d*|\\d*[a-zA-Z-][0-9a-zA-Z-]*)(?:\\.(?:0|[1-9]\\d*|\\d*[a-zA-Z-][0-9a-zA-Z-]*))*))?(?:\\+([0-9a-zA-Z-]+(?:\\.[0-9a-zA-Z-]+)*))?$')`,
        'version must be a valid semantic version (e.g., 4.20.1)',
      ),
  },
  { minProperties: 1 },
).describe('What EC2 instances for a hosted cluster should be like.');

export const nodeClassCapacityReservation = object({
  availabilityZone: string({ minLength: 1, maxLength: 64 }).describe('Zone the capacity is in.'),
  id: string({ minLength: 1, maxLength: 256 }).describe('Identifier of the reservation.'),
  instanceMatchCriteria: enumOf(['Open', 'Targeted']).describe(
    'Kind of reservation: open to any fitting instance, or only for those that name it.',
  ),
  instanceType: string({ minLength: 1, maxLength: 256 }).describe('Instance type the capacity is for.'),
  ownerID: string({ minLength: 1, maxLength: 12 }).describe('AWS account that owns the reservation.'),
  endTime: dateTime().optional().describe('When the reservation ends; absent means when somebody cancels it.'),
  reservationType: enumOf(['Default', 'CapacityBlock']).optional().describe('Ordinary reservation or capacity block.'),
  state: enumOf(['Active', 'Expiring'])
    .optional()
    .describe('Whether the reservation can be used, or is about to end and its nodes are drained.'),
});

export const nodeClassSecurityGroup = object({
  id: string({ minLength: 1, maxLength: 256 }).describe('Identifier of the group.'),
  name: string({ minLength: 1, maxLength: 256 }).optional().describe('Name of the group.'),
});

export const nodeClassSubnet = object({
  id: string({ minLength: 1, maxLength: 256 }).describe('Identifier of the subnet.'),
  zone: string({ minLength: 1, maxLength: 256 }).describe(
    'Availability zone by name, which means different places in different accounts.',
  ),
  zoneID: string({ minLength: 1, maxLength: 256 })
    .optional()
    .describe('Availability zone by identifier, which means the same place in all accounts.'),
});

export const openshiftEC2NodeClassStatus = object(
  {
    capacityReservations: list(nodeClassCapacityReservation, { type: 'atomic', minItems: 1, maxItems: 100 })
      .optional()
      .describe('Reservations that were found.'),
    conditions: list(condition, { type: 'map', keys: ['type'], minItems: 1, maxItems: 100 })
      .optional()
      .describe('`Ready`, and whether the version was found and is close enough to that of the control plane.'),
    releaseImage: string({ minLength: 1, maxLength: 512 }).optional().describe('Release image the version stands for.'),
    securityGroups: list(nodeClassSecurityGroup, { type: 'atomic', minItems: 1, maxItems: 100 })
      .optional()
      .describe('Security groups that were found.'),
    subnets: list(nodeClassSubnet, { type: 'atomic', minItems: 1, maxItems: 100 })
      .optional()
      .describe('Subnets that were found.'),
    version: string({ minLength: 1, maxLength: 64 }).optional().describe('OpenShift version new nodes get.'),
  },
  { minProperties: 1 },
).describe('What was found on AWS for this class.');

export const openshiftEC2NodeClass = defineKind({
  group: 'karpenter.hypershift.openshift.io',
  version: 'v1',
  kind: 'OpenshiftEC2NodeClass',
  plural: 'openshiftec2nodeclasses',
  shortNames: ['oec2nc', 'oec2ncs'],
  scope: 'Cluster',
  description:
    'What EC2 instances made by Karpenter for this hosted cluster should be like. It lives in the hosted cluster; an EC2NodeClass is made from it.',
  columns: [{ name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status' }],
  statusSubresource: true,
  fields: {
    spec: openshiftEC2NodeClassSpec,
    status: openshiftEC2NodeClassStatus.optional(),
  },
});

/** An OpenshiftEC2NodeClass as an API server hands it out: defaults are filled in. */
export type OpenshiftEC2NodeClass = ObjectOf<typeof openshiftEC2NodeClass>;

/** An OpenshiftEC2NodeClass as a client may send it. */
export type OpenshiftEC2NodeClassManifest = ManifestOf<typeof openshiftEC2NodeClass>;

export const openshiftEC2NodeClasses = resourceOf(openshiftEC2NodeClass);
