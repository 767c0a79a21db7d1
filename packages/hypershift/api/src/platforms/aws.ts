/** A hosted cluster on Amazon Web Services. */
import { boolean, enumOf, list, object, raw, string } from '../schema/index.ts';

export const awsResourceFilter = object({
  name: string({ maxLength: 255 }),
  values: list(string({ maxLength: 255 }), { maxItems: 50 }),
});

export const awsResourceReference = object({
  filters: list(awsResourceFilter, { maxItems: 50 }).optional(),
  id: string({ maxLength: 255 }).optional(),
});

export const awsRolesRef = object({
  controlPlaneOperatorARN: string({ maxLength: 2048 }),
  imageRegistryARN: string({ maxLength: 2048 }),
  ingressARN: string({ maxLength: 2048 }),
  kubeCloudControllerARN: string({ maxLength: 2048 }),
  networkARN: string({ maxLength: 2048 }),
  nodePoolManagementARN: string({ maxLength: 2048 }),
  storageARN: string({ maxLength: 2048 }),
});

export const awsCloudProviderConfig = object({
  vpc: string({ maxLength: 255 }),
  subnet: awsResourceReference.optional(),
  zone: string({ maxLength: 255 }).optional(),
});

export const awsResourceTag = object({
  key: string({ minLength: 1, maxLength: 128 }).rule(
    "self.matches('^[0-9A-Za-z_.:/=+@-]+$')",
    'key must only contain letters, digits, and the characters _ . : / = + - @',
  ),
  value: string({ minLength: 1, maxLength: 256 }).rule(
    "self.matches('^[0-9A-Za-z_.:/=+@-]+$')",
    'value must only contain letters, digits, and the characters _ . : / = + - @',
  ),
  overridePolicy: enumOf(['Allow', 'Deny']).optional(),
});

export const awsServiceEndpoint = object({
  name: string({ maxLength: 255 }),
  url: string({ maxLength: 2048, pattern: '^https://' }),
});

export const awsSharedVPCRolesRef = object({
  controlPlaneARN: string({ maxLength: 2048, pattern: raw`^arn:(aws|aws-cn|aws-us-gov):iam::[0-9]{12}:role\/.*$` }),
  ingressARN: string({ maxLength: 2048, pattern: raw`^arn:(aws|aws-cn|aws-us-gov):iam::[0-9]{12}:role\/.*$` }),
});

export const awsSharedVPC = object({
  localZoneID: string({ maxLength: 32 }),
  rolesRef: awsSharedVPCRolesRef,
});

export const awsPlatform = object({
  region: string({ maxLength: 255 }),
  rolesRef: awsRolesRef,
  additionalAllowedPrincipals: list(string({ maxLength: 255 }), { maxItems: 25 }).optional(),
  cloudProviderConfig: awsCloudProviderConfig.optional(),
  endpointAccess: enumOf(['Public', 'PublicAndPrivate', 'Private']).optional().default('Public'),
  multiArch: boolean().optional().default(false),
  resourceTags: list(awsResourceTag, { maxItems: 25 }).optional(),
  serviceEndpoints: list(awsServiceEndpoint, { maxItems: 50 }).optional(),
  sharedVPC: awsSharedVPC.optional(),
  terminationHandlerQueueURL: string({
    maxLength: 512,
    pattern: raw`^https://sqs\.[a-z0-9-]+\.amazonaws\.com/[0-9]{12}/[a-zA-Z0-9_-]+(\.fifo)?$`,
  }).optional(),
});

export const awsPlatformStatus = object({
  defaultWorkerSecurityGroupID: string({ maxLength: 255 }).optional(),
});
