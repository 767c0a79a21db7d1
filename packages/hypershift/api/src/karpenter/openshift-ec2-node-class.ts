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
    deleteOnTermination: enumOf(['Delete', 'Retain']).optional(),
    encrypted: enumOf(['Encrypted', 'Unencrypted']).optional(),
    iops: int64().optional(),
    kmsKeyID: string({ minLength: 1, maxLength: 2048 }).optional(),
    snapshotID: string({ minLength: 1, maxLength: 256 }).optional(),
    throughput: int64().optional(),
    volumeSizeGiB: int64({ minimum: 1, maximum: 65536 }).optional(),
    volumeType: enumOf(['Standard', 'IO1', 'IO2', 'GP2', 'SC1', 'ST1', 'GP3']).optional(),
  },
  { minProperties: 1 },
).rule('has(self.snapshotID) || has(self.volumeSizeGiB)', 'snapshotID or volumeSizeGiB must be defined');

export const nodeClassBlockDeviceMapping = object(
  {
    deviceName: string({ minLength: 1, maxLength: 256 }).optional(),
    ebs: nodeClassEbsVolume.optional(),
    rootVolume: enumOf(['RootVolume', 'NotRootVolume']).optional(),
  },
  { minProperties: 1 },
);

export const nodeClassCapacityReservationSelectorTerm = object(
  {
    id: string({ minLength: 1, maxLength: 256 })
      .optional()
      .rule("self.matches('^cr-[0-9a-z]+$')", 'id must match the pattern cr-[0-9a-z]+'),
    instanceMatchCriteria: enumOf(['Open', 'Targeted']).optional(),
    ownerID: string({ minLength: 1, maxLength: 12 })
      .optional()
      .rule("self.matches('^[0-9]{12}$')", 'ownerID must be a 12-digit AWS account ID'),
    tags: stringMap({ minProperties: 1, maxProperties: 20 }).optional().check(nonEmptyTags),
  },
  { minProperties: 1 },
);

export const nodeClassMetadataOptions = object(
  {
    access: enumOf(['HTTPEndpoint', 'None']).optional(),
    httpIPProtocol: enumOf(['IPv4', 'IPv6']).optional(),
    httpPutResponseHopLimit: int64({ minimum: 1, maximum: 64 }).optional(),
    httpTokens: enumOf(['Required', 'Optional']).optional(),
  },
  { minProperties: 1 },
);

export const nodeClassSecurityGroupSelectorTerm = object(
  {
    name: string({ minLength: 1, maxLength: 256 }).optional(),
    id: string({ minLength: 1, maxLength: 256 })
      .optional()
      .rule("self.matches('^sg-[0-9a-z]+$')", 'id must match the pattern sg-[0-9a-z]+'),
    tags: stringMap({ minProperties: 1, maxProperties: 20 }).optional().check(nonEmptyTags),
  },
  { minProperties: 1 },
);

export const nodeClassSubnetSelectorTerm = object(
  {
    id: string({ minLength: 1, maxLength: 256 })
      .optional()
      .rule("self.matches('^subnet-[0-9a-z]+$')", 'id must match the pattern subnet-[0-9a-z]+'),
    tags: stringMap({ minProperties: 1, maxProperties: 20 }).optional().check(nonEmptyTags),
  },
  { minProperties: 1 },
);

export const openshiftEC2NodeClassSpec = object(
  {
    blockDeviceMappings: list(nodeClassBlockDeviceMapping, { type: 'atomic', minItems: 1, maxItems: 50 })
      .optional()
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
      .rule(
        'self.all(x, has(x.tags) || has(x.id) || has(x.ownerID) || has(x.instanceMatchCriteria))',
        "expected at least one, got none, ['tags', 'id', 'ownerID', 'instanceMatchCriteria']",
      )
      .rule(
        '!self.all(x, has(x.id) && (has(x.tags) || has(x.ownerID) || has(x.instanceMatchCriteria)))',
        "'id' is mutually exclusive, cannot be set along with other fields in a capacity reservation selector term",
      ),
    instanceStorePolicy: enumOf(['RAID0']).optional(),
    ipAddressAssociation: enumOf(['Public', 'SubnetDefault']).optional(),
    kubelet: nodeClassKubelet.optional(),
    metadataOptions: nodeClassMetadataOptions.optional(),
    monitoring: enumOf(['Detailed', 'Basic']).optional(),
    securityGroupSelectorTerms: list(nodeClassSecurityGroupSelectorTerm, { type: 'atomic', minItems: 1, maxItems: 30 })
      .optional()
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
      .rule('self.size() != 0', 'subnetSelectorTerms cannot be empty')
      .rule('self.all(x, has(x.tags) || has(x.id))', "expected at least one, got none, ['tags', 'id']")
      .rule(
        '!self.all(x, has(x.id) && has(x.tags))',
        "'id' is mutually exclusive, cannot be set with a combination of other fields in subnetSelectorTerms",
      ),
    tags: stringMap({ minProperties: 1 })
      .optional()
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
      .rule(
        raw`self.matches('^(0|[1-9]\\d*)\\.(0|[1-9]\\d*)\\.(0|[1-9]\\d*)(?:-((?:0|[1-9]\\d*|\\d*[a-zA-Z-][0-9a-zA-Z-]*)(?:\\.(?:0|[1-9]\\d*|\\d*[a-zA-Z-][0-9a-zA-Z-]*))*))?(?:\\+([0-9a-zA-Z-]+(?:\\.[0-9a-zA-Z-]+)*))?$')`,
        'version must be a valid semantic version (e.g., 4.20.1)',
      ),
  },
  { minProperties: 1 },
);

export const nodeClassCapacityReservation = object({
  availabilityZone: string({ minLength: 1, maxLength: 64 }),
  id: string({ minLength: 1, maxLength: 256 }),
  instanceMatchCriteria: enumOf(['Open', 'Targeted']),
  instanceType: string({ minLength: 1, maxLength: 256 }),
  ownerID: string({ minLength: 1, maxLength: 12 }),
  endTime: dateTime().optional(),
  reservationType: enumOf(['Default', 'CapacityBlock']).optional(),
  state: enumOf(['Active', 'Expiring']).optional(),
});

export const nodeClassSecurityGroup = object({
  id: string({ minLength: 1, maxLength: 256 }),
  name: string({ minLength: 1, maxLength: 256 }).optional(),
});

export const nodeClassSubnet = object({
  id: string({ minLength: 1, maxLength: 256 }),
  zone: string({ minLength: 1, maxLength: 256 }),
  zoneID: string({ minLength: 1, maxLength: 256 }).optional(),
});

export const openshiftEC2NodeClassStatus = object(
  {
    capacityReservations: list(nodeClassCapacityReservation, { type: 'atomic', minItems: 1, maxItems: 100 }).optional(),
    conditions: list(condition, { type: 'map', keys: ['type'], minItems: 1, maxItems: 100 }).optional(),
    releaseImage: string({ minLength: 1, maxLength: 512 }).optional(),
    securityGroups: list(nodeClassSecurityGroup, { type: 'atomic', minItems: 1, maxItems: 100 }).optional(),
    subnets: list(nodeClassSubnet, { type: 'atomic', minItems: 1, maxItems: 100 }).optional(),
    version: string({ minLength: 1, maxLength: 64 }).optional(),
  },
  { minProperties: 1 },
);

export const openshiftEC2NodeClass = defineKind({
  group: 'karpenter.hypershift.openshift.io',
  version: 'v1',
  kind: 'OpenshiftEC2NodeClass',
  plural: 'openshiftec2nodeclasses',
  shortNames: ['oec2nc', 'oec2ncs'],
  scope: 'Cluster',
  description: '',
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
