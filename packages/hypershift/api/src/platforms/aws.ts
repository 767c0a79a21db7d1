/** A hosted cluster on Amazon Web Services. */
import { boolean, enumOf, list, object, raw, string } from '../schema/index.ts';

export const awsResourceFilter = object({
  name: string({ maxLength: 255 }).describe('Name of an EC2 filter, for example `tag:Name`.'),
  values: list(string({ maxLength: 255 }), { maxItems: 50 }).describe('Values of which one must match.'),
});

export const awsResourceReference = object({
  filters: list(awsResourceFilter, { maxItems: 50 })
    .optional()
    .describe('Filters that must all match; use them instead of `id`.'),
  id: string({ maxLength: 255 }).optional().describe('Identifier of the resource; use it instead of `filters`.'),
}).describe('An AWS resource, by identifier or found with filters.');

export const awsRolesRef = object({
  controlPlaneOperatorARN: string({ maxLength: 2048 }).describe(
    'Role of the control plane operator, which manages security groups, endpoints and private DNS.',
  ),
  imageRegistryARN: string({ maxLength: 2048 }).describe('Role of the image registry, which keeps images in S3.'),
  ingressARN: string({ maxLength: 2048 }).describe(
    'Role of the ingress operator, which writes DNS records to Route 53.',
  ),
  kubeCloudControllerARN: string({ maxLength: 2048 }).describe(
    'Role of the cloud controller manager, which makes load balancers and looks after nodes.',
  ),
  networkARN: string({ maxLength: 2048 }).describe(
    'Role of the cloud network configuration controller, which moves egress IPs between nodes.',
  ),
  nodePoolManagementARN: string({ maxLength: 2048 }).describe(
    'Role of Cluster API, which makes and deletes the instances of node pools.',
  ),
  storageARN: string({ maxLength: 2048 }).describe('Role of the EBS CSI driver, which makes and attaches volumes.'),
}).describe(
  'IAM roles the parts of the cluster assume.',
  'A value `arn-from-secret::<name>` is replaced by the ARN found in that Secret.',
);

export const awsCloudProviderConfig = object({
  vpc: string({ maxLength: 255 }).describe('Identifier of the VPC of the cluster.'),
  subnet: awsResourceReference.optional(),
  zone: string({ maxLength: 255 }).optional().describe('Availability zone of cloud resources of the control plane.'),
}).describe('What the cloud controller manager needs to know about the network; needed for load balancers.');

export const awsResourceTag = object({
  key: string({ minLength: 1, maxLength: 128 })
    .describe('Key of the tag.')
    .rule(
      "self.matches('^[0-9A-Za-z_.:/=+@-]+$')",
      'key must only contain letters, digits, and the characters _ . : / = + - @',
    ),
  value: string({ minLength: 1, maxLength: 256 })
    .describe('Value of the tag.')
    .rule(
      "self.matches('^[0-9A-Za-z_.:/=+@-]+$')",
      'value must only contain letters, digits, and the characters _ . : / = + - @',
    ),
  overridePolicy: enumOf(['Allow', 'Deny'])
    .optional()
    .describe('Whether a NodePool may give its own resources another value for this key; absent means `Deny`.'),
});

export const awsServiceEndpoint = object({
  name: string({ maxLength: 255 }).describe('Service by its AWS name, for example `ec2`.'),
  url: string({ maxLength: 2048, pattern: '^https://' }).describe('HTTPS URL to use for it.'),
});

export const awsSharedVPCRolesRef = object({
  controlPlaneARN: string({
    maxLength: 2048,
    pattern: raw`^arn:(aws|aws-cn|aws-us-gov):iam::[0-9]{12}:role\/.*$`,
  }).describe('Role in the account of the VPC that may make endpoints, security groups and records in the local zone.'),
  ingressARN: string({ maxLength: 2048, pattern: raw`^arn:(aws|aws-cn|aws-us-gov):iam::[0-9]{12}:role\/.*$` }).describe(
    'Role in the account of the VPC that may write records to the private ingress zone.',
  ),
}).describe('Roles in the account that owns the VPC, assumed from the account of the cluster.');

export const awsSharedVPC = object({
  localZoneID: string({ maxLength: 32 }).describe(
    'Identifier of the private zone `<name>.hypershift.local`, which the owner of the VPC makes.',
  ),
  rolesRef: awsSharedVPCRolesRef,
}).describe('Settings for a VPC that belongs to another AWS account.');

export const awsPlatform = object({
  region: string({ maxLength: 255 }).describe('AWS region of the cluster and its nodes. Do not change it.'),
  rolesRef: awsRolesRef,
  additionalAllowedPrincipals: list(string({ maxLength: 255 }), { maxItems: 25 })
    .optional()
    .describe('Further AWS principals that may connect to the private endpoint service, by ARN.'),
  cloudProviderConfig: awsCloudProviderConfig.optional(),
  endpointAccess: enumOf(['Public', 'PublicAndPrivate', 'Private'])
    .optional()
    .default('Public')
    .describe(
      'Whether the API server is reachable from the internet, through PrivateLink or both;',
      'anything but `Public` needs an operator installed with private access on AWS.',
    ),
  multiArch: boolean().optional().default(false).describe('Deprecated and without effect: the release image decides.'),
  resourceTags: list(awsResourceTag, { maxItems: 25 })
    .optional()
    .describe('Tags for all AWS resources of the cluster; a tag that marks the cluster as owner is added.'),
  serviceEndpoints: list(awsServiceEndpoint, { maxItems: 50 })
    .optional()
    .describe('Other URLs for AWS services, where the usual ones are out of reach.'),
  sharedVPC: awsSharedVPC.optional(),
  terminationHandlerQueueURL: string({
    maxLength: 512,
    pattern: raw`^https://sqs\.[a-z0-9-]+\.amazonaws\.com/[0-9]{12}/[a-zA-Z0-9_-]+(\.fifo)?$`,
  })
    .optional()
    .describe(
      'SQS queue that receives interruption notices of instances; needed for Spot node pools,',
      'whose nodes are drained when a notice arrives.',
    ),
}).describe('Settings of a cluster on AWS. Admission does not stop changes, but most of them are not followed.');

export const awsPlatformStatus = object({
  defaultWorkerSecurityGroupID: string({ maxLength: 255 })
    .optional()
    .describe('Security group made for the cluster that its nodes belong to.'),
}).describe('What was made on AWS.');
