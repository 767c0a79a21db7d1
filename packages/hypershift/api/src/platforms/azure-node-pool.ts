/** A node pool on Microsoft Azure. */
import { enumOf, int32, object, raw, string } from '../schema/index.ts';

export const azureMarketplaceImage = object(
  {
    imageGeneration: enumOf(['Gen1', 'Gen2'])
      .optional()
      .default('Gen2')
      .describe('Hyper-V generation of the image; `Gen1` only for machine sizes that cannot do better.'),
    offer: string({ minLength: 1, maxLength: 255 }).optional().describe('Offer of the publisher.'),
    publisher: string({ minLength: 3, maxLength: 50, pattern: '^[a-z0-9][a-z0-9-_]{2,49}$' })
      .optional()
      .describe('Publisher of the image; set it with offer, SKU and version or leave all four to the release.'),
    sku: string({ minLength: 1, maxLength: 255, pattern: '^[a-z0-9-_]+$' }).optional().describe('SKU of the offer.'),
    version: string({ minLength: 1, maxLength: 32, pattern: raw`^[0-9]+\.[0-9]+\.[0-9]+$|^latest$` })
      .optional()
      .describe('Version of the image, as `x.y.z` or `latest`.'),
  },
  { minProperties: 1 },
)
  .describe('Image from the marketplace; with the generation alone, the image the release names.')
  .rule(
    'has(self.imageGeneration) || has(self.publisher) && has(self.offer) && has(self.sku) && has(self.version)',
    'must specify imageGeneration or must specify publisher, offer, sku and version',
  )
  .rule(
    '[has(self.publisher), has(self.offer), has(self.sku), has(self.version)].filter(x, x == true).size() == 0 || [has(self.publisher), has(self.offer), has(self.sku), has(self.version)].filter(x, x == true).size() == 4',
    'publisher, offer, sku and version must either be all set, or all omitted',
  );

export const azureVmImage = object({
  type: enumOf(['ImageID', 'AzureMarketplace']).describe(
    'Whether the image lies in the subscription or comes from the marketplace.',
  ),
  azureMarketplace: azureMarketplaceImage.optional(),
  imageID: string({ maxLength: 255 }).optional().describe('Resource ID of the image; for type `ImageID`.'),
})
  .describe('Image the virtual machines boot.')
  .rule(
    "has(self.type) && self.type == 'ImageID' ?  has(self.imageID) : !has(self.imageID)",
    'imageID is required when type is ImageID, and forbidden otherwise',
  )
  .rule(
    "has(self.type) && self.type == 'AzureMarketplace' ?  true : !has(self.azureMarketplace)",
    'azureMarketplace is forbidden when type is not AzureMarketplace',
  );

export const azureOsDisk = object({
  diskStorageAccountType: enumOf(['Premium_LRS', 'PremiumV2_LRS', 'Standard_LRS', 'StandardSSD_LRS'])
    .optional()
    .describe('Kind of disk; absent means `Premium_LRS`.'),
  encryptionSetID: string({ minLength: 1, maxLength: 285 })
    .optional()
    .describe('Resource ID of the disk encryption set; absent means keys of the platform.')
    .rule(
      "size(self.split('/')) == 9 && self.matches('^/subscriptions/.*/resourceGroups/.*/providers/Microsoft.Compute/diskEncryptionSets/.*$')",
      'encryptionSetID must be in the format `/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}/providers/Microsoft.Compute/diskEncryptionSets/{resourceName}`',
    )
    .rule(
      "self.split('/')[2].matches('^[{]?[0-9a-fA-F]{8}-([0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}[}]?$')",
      'the subscriptionId in the encryptionSetID must be a valid UUID. It should be 5 groups of hyphen separated hexadecimal characters in the form 8-4-4-4-12',
    )
    .rule(
      raw`self.split('/')[4].matches('[a-zA-Z0-9-_\\(\\)\\.]{1,90}')`,
      'The resourceGroupName should be between 1 and 90 characters, consisting only of alphanumeric characters, hyphens, underscores, periods and parenthesis',
    )
    .rule(
      "!self.split('/')[4].endsWith('.')",
      'the resourceGroupName in the encryptionSetID must not end with a period (.) character',
    )
    .rule(
      "self.split('/')[8].matches('[a-zA-Z0-9-_]{1,80}')",
      'The resourceName should be between 1 and 80 characters, consisting only of alphanumeric characters, hyphens and underscores',
    ),
  persistence: enumOf(['Persistent', 'Ephemeral'])
    .optional()
    .describe(
      '`Ephemeral` keeps the disk on the host, which is faster and costs nothing but must fit there;',
      'absent leaves it to the platform.',
    ),
  sizeGiB: int32({ minimum: 16, maximum: 32767 }).optional().describe('Size in GiB; absent means 30.'),
}).describe('Disk of the operating system.');

export const azureDiagnostics = object({
  storageAccountType: enumOf(['Managed', 'UserManaged', 'Disabled'])
    .optional()
    .default('Disabled')
    .describe('Where boot diagnostics go: storage of Azure, a storage account of yours, or nowhere.'),
  userManaged: object({
    storageAccountURI: string({ maxLength: 1024 })
      .describe('HTTPS address of the storage account.')
      .rule("isURL(self) && url(self).getScheme() == 'https'", 'storageAccountURI must be a valid HTTPS URL'),
  })
    .optional()
    .describe('Storage account of yours; for type `UserManaged`.'),
})
  .describe('Screenshots and console output of booting machines.')
  .rule(
    "self.storageAccountType == 'UserManaged' ? has(self.userManaged) : !has(self.userManaged)",
    'userManaged is required when storageAccountType is UserManaged, and forbidden otherwise',
  );

export const azureNodePoolPlatform = object({
  image: azureVmImage,
  osDisk: azureOsDisk,
  subnetID: string({ minLength: 1, maxLength: 355 })
    .describe('Resource ID of the subnet of the nodes, in the virtual network and subscription of the cluster; fixed.')
    .rule(
      "size(self.split('/')) == 11 && self.matches('^/subscriptions/.*/resourceGroups/.*/providers/Microsoft.Network/virtualNetworks/.*/subnets/.*$')",
      'encryptionSetID must be in the format `/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}/providers/Microsoft.Network/virtualNetworks/{vnetName}/subnets/{subnetName}`',
    )
    .rule(
      "self.split('/')[2].matches('^[{]?[0-9a-fA-F]{8}-([0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}[}]?$')",
      'the subscriptionId in the encryptionSetID must be a valid UUID. It should be 5 groups of hyphen separated hexadecimal characters in the form 8-4-4-4-12',
    )
    .rule(
      raw`self.split('/')[4].matches('[a-zA-Z0-9-_\\(\\)\\.]{1,90}')`,
      'The resourceGroupName should be between 1 and 90 characters, consisting only of alphanumeric characters, hyphens, underscores, periods and parenthesis',
    )
    .rule(
      "!self.split('/')[4].endsWith('.')",
      'the resourceGroupName in the subnetID must not end with a period (.) character',
    )
    .rule(
      raw`self.split('/')[8].matches('[a-zA-Z0-9-_\\.]{2,64}')`,
      'The vnetName should be between 2 and 64 characters, consisting only of alphanumeric characters, hyphens, underscores and periods',
    )
    .rule(
      "!self.split('/')[8].endsWith('.') && !self.split('/')[8].endsWith('-')",
      'the vnetName in the subnetID must not end with either a period (.) or hyphen (-) character',
    )
    .rule(
      raw`self.split('/')[10].matches('[a-zA-Z0-9][a-zA-Z0-9-_\\.]{0,79}')`,
      'The subnetName should be between 1 and 80 characters, consisting only of alphanumeric characters, hyphens and underscores and must start with an alphanumeric character',
    )
    .rule(
      "!self.split('/')[10].endsWith('.') && !self.split('/')[10].endsWith('-')",
      'the subnetName in the subnetID must not end with a period (.) or hyphen (-) character',
    )
    .immutable('SubnetID is immutable'),
  vmSize: string({
    maxLength: 255,
    pattern: '^(Standard_|Basic_)?[A-Z]+[0-9]+(-[0-9]+)?[abdilmptsCNP]*(_[A-Z]*[0-9]+[A-Z]*)?(_v[0-9]+)?$',
  }).describe('Size of the virtual machines, for example `Standard_D4s_v5`; a change replaces the nodes.'),
  availabilityZone: string({ maxLength: 255 })
    .optional()
    .describe('Availability zone of the nodes; absent suits regions without zones.')
    .rule("self in ['1', '2', '3']"),
  diagnostics: azureDiagnostics.optional(),
  encryptionAtHost: enumOf(['Enabled', 'Disabled'])
    .optional()
    .default('Enabled')
    .describe('Whether the host encrypts disks and caches; the subscription must have the feature registered.'),
}).describe('Settings of nodes on Azure.');
