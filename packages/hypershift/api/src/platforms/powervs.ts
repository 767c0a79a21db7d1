/** Hosted clusters and node pools on IBM Power Virtual Server. */
import { localObjectReference } from '../common/references.ts';
import { enumOf, int32, intOrString, object, string } from '../schema/index.ts';

export const powerVSResourceReference = object({
  name: string({ maxLength: 255 }).optional(),
  id: string({ maxLength: 255 }).optional(),
});

export const powerVSVpc = object({
  name: string({ maxLength: 255 }),
  region: string({ maxLength: 255 }),
  subnet: string({ maxLength: 255 }).optional(),
  zone: string({ maxLength: 255 }).optional(),
});

export const powerVSPlatform = object({
  accountID: string({ maxLength: 255 }),
  cisInstanceCRN: string({ maxLength: 255, pattern: '^crn:' }),
  imageRegistryOperatorCloudCreds: localObjectReference,
  ingressOperatorCloudCreds: localObjectReference,
  kubeCloudControllerCreds: localObjectReference,
  nodePoolManagementCreds: localObjectReference,
  region: string({ maxLength: 255 }),
  resourceGroup: string({ maxLength: 255 }),
  serviceInstanceID: string({ maxLength: 255 }),
  storageOperatorCloudCreds: localObjectReference,
  subnet: powerVSResourceReference,
  vpc: powerVSVpc,
  zone: string({ maxLength: 255 }),
});

export const powerVSNodePoolPlatform = object({
  image: powerVSResourceReference.optional(),
  imageDeletePolicy: enumOf(['delete', 'retain']).optional().default('delete'),
  memoryGiB: int32().optional().default(32),
  processorType: enumOf(['dedicated', 'shared', 'capped']).optional().default('shared'),
  processors: intOrString().optional().default('0.5'),
  storageType: enumOf(['tier1', 'tier3']).optional().default('tier1'),
  systemType: string({ maxLength: 255 }).optional().default('s922'),
});
