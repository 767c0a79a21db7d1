/** Hosted clusters and node pools on IBM Power Virtual Server. */
import { localObjectReference } from '../common/references.ts';
import { enumOf, int32, intOrString, object, string } from '../schema/index.ts';

export const powerVSResourceReference = object({
  name: string({ maxLength: 255 }).optional().describe('Name of the resource; set this or `id`.'),
  id: string({ maxLength: 255 }).optional().describe('Identifier of the resource; set this or `name`.'),
});

export const powerVSVpc = object({
  name: string({ maxLength: 255 }).describe('Name of the VPC.'),
  region: string({ maxLength: 255 }).describe(
    'IBM Cloud region of the VPC, which may differ from that of the machines.',
  ),
  subnet: string({ maxLength: 255 }).optional().describe('Subnet for load balancers.'),
  zone: string({ maxLength: 255 }).optional().describe('Zone of the subnet.'),
}).describe('VPC the load balancers of the cluster live in.');

export const powerVSPlatform = object({
  accountID: string({ maxLength: 255 }).describe('IBM Cloud account of the cluster.'),
  cisInstanceCRN: string({ maxLength: 255, pattern: '^crn:' }).describe(
    'Internet Services instance that holds the DNS zone, by CRN.',
  ),
  imageRegistryOperatorCloudCreds: localObjectReference.describe(
    'Secret with the API key of the image registry operator.',
  ),
  ingressOperatorCloudCreds: localObjectReference.describe(
    'Secret with the API key of the ingress operator, which writes DNS records.',
  ),
  kubeCloudControllerCreds: localObjectReference.describe('Secret with the API key of the cloud controller manager.'),
  nodePoolManagementCreds: localObjectReference.describe(
    'Secret with the API key of Cluster API, which makes and deletes machines.',
  ),
  region: string({ maxLength: 255 }).describe('Power VS region of the machines.'),
  resourceGroup: string({ maxLength: 255 }).describe('Resource group of all resources of the cluster.'),
  serviceInstanceID: string({ maxLength: 255 }).describe('Power VS workspace the machines are made in.'),
  storageOperatorCloudCreds: localObjectReference.describe('Secret with the API key of the block storage CSI driver.'),
  subnet: powerVSResourceReference.describe('Power VS network the machines are on.'),
  vpc: powerVSVpc,
  zone: string({ maxLength: 255 }).describe('Power VS zone of the machines.'),
}).describe('Settings of a cluster on IBM Power Virtual Server; all Secrets hold their key in `ibmcloud_api_key`.');

export const powerVSNodePoolPlatform = object({
  image: powerVSResourceReference.optional().describe('Boot image; absent imports the one the release names.'),
  imageDeletePolicy: enumOf(['delete', 'retain'])
    .optional()
    .default('delete')
    .describe('Whether an imported image is deleted with the pool or kept.'),
  memoryGiB: int32().optional().default(32).describe('Memory in GiB.'),
  processorType: enumOf(['dedicated', 'shared', 'capped'])
    .optional()
    .default('shared')
    .describe('How processors are used: alone, shared with room to exceed the share, or shared up to it (`capped`).'),
  processors: intOrString()
    .optional()
    .default('0.5')
    .describe('Number of processors; shared ones may be fractions, dedicated ones must be whole.'),
  storageType: enumOf(['tier1', 'tier3'])
    .optional()
    .default('tier1')
    .describe('Speed of the disks; `tier1` is the faster one.'),
  systemType: string({ maxLength: 255 })
    .optional()
    .default('s922')
    .describe('Model of the host, for example `s922` or `e980`.'),
}).describe('Settings of nodes on IBM Power Virtual Server.');
