/** A node pool on Microsoft Azure. */
import { enumOf, int32, object, raw, string } from '../schema/index.ts';

export const azureMarketplaceImage = object(
  {
    imageGeneration: enumOf(['Gen1', 'Gen2']).optional().default('Gen2'),
    offer: string({ minLength: 1, maxLength: 255 }).optional(),
    publisher: string({ minLength: 3, maxLength: 50, pattern: '^[a-z0-9][a-z0-9-_]{2,49}$' }).optional(),
    sku: string({ minLength: 1, maxLength: 255, pattern: '^[a-z0-9-_]+$' }).optional(),
    version: string({ minLength: 1, maxLength: 32, pattern: raw`^[0-9]+\.[0-9]+\.[0-9]+$|^latest$` }).optional(),
  },
  { minProperties: 1 },
)
  .rule(
    'has(self.imageGeneration) || has(self.publisher) && has(self.offer) && has(self.sku) && has(self.version)',
    'must specify imageGeneration or must specify publisher, offer, sku and version',
  )
  .rule(
    '[has(self.publisher), has(self.offer), has(self.sku), has(self.version)].filter(x, x == true).size() == 0 || [has(self.publisher), has(self.offer), has(self.sku), has(self.version)].filter(x, x == true).size() == 4',
    'publisher, offer, sku and version must either be all set, or all omitted',
  );

export const azureVmImage = object({
  type: enumOf(['ImageID', 'AzureMarketplace']),
  azureMarketplace: azureMarketplaceImage.optional(),
  imageID: string({ maxLength: 255 }).optional(),
})
  .rule(
    "has(self.type) && self.type == 'ImageID' ?  has(self.imageID) : !has(self.imageID)",
    'imageID is required when type is ImageID, and forbidden otherwise',
  )
  .rule(
    "has(self.type) && self.type == 'AzureMarketplace' ?  true : !has(self.azureMarketplace)",
    'azureMarketplace is forbidden when type is not AzureMarketplace',
  );

export const azureOsDisk = object({
  diskStorageAccountType: enumOf(['Premium_LRS', 'PremiumV2_LRS', 'Standard_LRS', 'StandardSSD_LRS']).optional(),
  encryptionSetID: string({ minLength: 1, maxLength: 285 })
    .optional()
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
  persistence: enumOf(['Persistent', 'Ephemeral']).optional(),
  sizeGiB: int32({ minimum: 16, maximum: 32767 }).optional(),
});

export const azureDiagnostics = object({
  storageAccountType: enumOf(['Managed', 'UserManaged', 'Disabled']).optional().default('Disabled'),
  userManaged: object({
    storageAccountURI: string({ maxLength: 1024 }).rule(
      "isURL(self) && url(self).getScheme() == 'https'",
      'storageAccountURI must be a valid HTTPS URL',
    ),
  }).optional(),
}).rule(
  "self.storageAccountType == 'UserManaged' ? has(self.userManaged) : !has(self.userManaged)",
  'userManaged is required when storageAccountType is UserManaged, and forbidden otherwise',
);

export const azureNodePoolPlatform = object({
  image: azureVmImage,
  osDisk: azureOsDisk,
  subnetID: string({ minLength: 1, maxLength: 355 })
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
  }),
  availabilityZone: string({ maxLength: 255 }).optional().rule("self in ['1', '2', '3']"),
  diagnostics: azureDiagnostics.optional(),
  encryptionAtHost: enumOf(['Enabled', 'Disabled']).optional().default('Enabled'),
});
