/** A hosted cluster on Google Cloud. */
import { enumOf, list, object, raw, string, type Rule } from '../schema/index.ts';

export const serviceAccountEmailFormat: Rule = {
  rule: raw`self.matches('^[a-z][a-z0-9-]{4,28}[a-z0-9]@[a-z][a-z0-9-]{4,28}[a-z0-9]\\.iam\\.gserviceaccount\\.com$')`,
  message: 'email must be a valid GCP service account email (format: name@project.iam.gserviceaccount.com)',
};

export const gcpNameFormat: Rule = {
  rule: "self.matches('^[a-z]([-a-z0-9]*[a-z0-9])?$')",
  message:
    'must start with a lowercase letter, contain only lowercase letters, digits, or hyphens, and not end with a hyphen',
};

export const gcpResourceReference = object({
  name: string({ minLength: 1, maxLength: 63 })
    .describe('Name of the resource in the project of the cluster.')
    .check(gcpNameFormat),
});

export const gcpResourceLabel = object({
  key: string({ minLength: 1, maxLength: 63 })
    .describe('Key of the label.')
    .rule(
      "self.matches('^[a-z]([_a-z0-9-]{0,61}[a-z0-9])?$')",
      'key must start with a lowercase letter, contain only lowercase letters, digits, underscores, or hyphens, and end with a letter or digit',
    )
    .rule("!self.startsWith('goog')", "Label keys starting with the reserved 'goog' prefix are not allowed"),
  value: string({ minLength: 0, maxLength: 63 })
    .describe('Value of the label; may be empty.')
    .rule(
      "self.matches('^$|^[a-z]([_a-z0-9-]{0,61}[a-z0-9])?$')",
      'value must be empty or start with a lowercase letter, contain only lowercase letters, digits, underscores, or hyphens, and end with a letter or digit',
    ),
});

export const gcpServiceAccountEmail = string({ minLength: 37, maxLength: 85 })
  .describe('Email address of a Google service account.')
  .check(serviceAccountEmailFormat);

export const gcpNetworkConfig = object({
  network: gcpResourceReference.describe('VPC network of the cluster.').immutable('Network is immutable'),
  privateServiceConnectSubnet: gcpResourceReference
    .describe('Subnet the endpoint towards the control plane gets its address from.')
    .immutable('Private Service Connect subnet is immutable'),
}).describe('Network of the cluster.');

export const gcpServiceAccountsEmails = object({
  cloudController: string({ minLength: 37, maxLength: 85 })
    .describe('Service account of the cloud controller manager.')
    .immutable('CloudController is immutable')
    .check(serviceAccountEmailFormat),
  controlPlane: string({ minLength: 37, maxLength: 85 })
    .describe('Service account of the control plane operator, which makes endpoints and DNS records.')
    .immutable('ControlPlane is immutable')
    .check(serviceAccountEmailFormat),
  imageRegistry: string({ minLength: 37, maxLength: 85 })
    .describe('Service account of the image registry.')
    .immutable('ImageRegistry is immutable')
    .check(serviceAccountEmailFormat),
  network: string({ minLength: 37, maxLength: 85 })
    .describe('Service account of the cloud network configuration controller.')
    .immutable('Network is immutable')
    .check(serviceAccountEmailFormat),
  nodePool: string({ minLength: 37, maxLength: 85 })
    .describe('Service account of Cluster API, which makes and deletes instances.')
    .immutable('NodePool is immutable')
    .check(serviceAccountEmailFormat),
  storage: string({ minLength: 37, maxLength: 85 })
    .describe('Service account of the persistent disk CSI driver.')
    .immutable('Storage is immutable')
    .check(serviceAccountEmailFormat),
}).describe('Google service accounts of the components; all must belong to the project of the cluster.');

export const gcpWorkloadIdentity = object({
  poolID: string({ minLength: 4, maxLength: 32 })
    .describe('Workload identity pool that trusts the cluster.')
    .rule(
      "self.matches('^[a-z][a-z0-9-]{2,30}[a-z0-9]$')",
      'poolID must start with a lowercase letter, contain only lowercase letters, digits, or hyphens, and end with a letter or digit',
    )
    .rule("!self.startsWith('gcp-')", "Pool ID cannot start with reserved prefix 'gcp-'")
    .immutable('Pool ID is immutable'),
  projectNumber: string({ minLength: 1, maxLength: 25 })
    .describe('Number, not name, of the project that holds the pool.')
    .rule("self.matches('^[0-9]+$')", 'projectNumber must contain only digits')
    .immutable('Project number is immutable'),
  providerID: string({ minLength: 4, maxLength: 32 })
    .describe('Provider in the pool that knows the issuer of the cluster.')
    .rule(
      "self.matches('^[a-z][a-z0-9-]{2,30}[a-z0-9]$')",
      'providerID must start with a lowercase letter, contain only lowercase letters, digits, or hyphens, and end with a letter or digit',
    )
    .rule("!self.startsWith('gcp-')", "Provider ID cannot start with reserved prefix 'gcp-'")
    .immutable('Provider ID is immutable'),
  serviceAccountsEmails: gcpServiceAccountsEmails,
}).describe('How service account tokens of the cluster are exchanged for Google credentials; fixed.');

export const gcpPlatform = object({
  networkConfig: gcpNetworkConfig,
  project: string({ minLength: 6, maxLength: 30 })
    .describe('Project of all resources of the cluster.')
    .rule(
      "self.matches('^[a-z][a-z0-9-]{4,28}[a-z0-9]$')",
      'project must start with a lowercase letter, contain only lowercase letters, digits, or hyphens, and end with a letter or digit',
    )
    .immutable('Project is immutable'),
  region: string({ minLength: 1, maxLength: 63 })
    .describe('Google Cloud region of the cluster.')
    .rule(
      "self.matches('^[a-z]+-[a-z]+[0-9]+$')",
      'region must be a valid GCP region (e.g., us-central1, europe-west2)',
    )
    .immutable('Region is immutable'),
  workloadIdentity: gcpWorkloadIdentity.immutable('WorkloadIdentity is immutable'),
  endpointAccess: enumOf(['PublicAndPrivate', 'Private'])
    .optional()
    .default('Private')
    .describe('Whether the API server is reachable privately alone or from the internet too.'),
  resourceLabels: list(gcpResourceLabel, { type: 'map', keys: ['key'], minItems: 1, maxItems: 60 })
    .optional()
    .describe('Labels for all Google Cloud resources of the cluster.'),
})
  .describe('Settings of a cluster on Google Cloud.')
  .rule(
    "self.workloadIdentity.serviceAccountsEmails.controlPlane.contains('@') && self.workloadIdentity.serviceAccountsEmails.controlPlane.endsWith('@' + self.project + '.iam.gserviceaccount.com')",
    'controlPlane service account must belong to the same project',
  )
  .rule(
    "self.workloadIdentity.serviceAccountsEmails.nodePool.contains('@') && self.workloadIdentity.serviceAccountsEmails.nodePool.endsWith('@' + self.project + '.iam.gserviceaccount.com')",
    'nodePool service account must belong to the same project',
  )
  .rule(
    "self.workloadIdentity.serviceAccountsEmails.cloudController.contains('@') && self.workloadIdentity.serviceAccountsEmails.cloudController.endsWith('@' + self.project + '.iam.gserviceaccount.com')",
    'cloudController service account must belong to the same project',
  )
  .rule(
    "self.workloadIdentity.serviceAccountsEmails.storage.contains('@') && self.workloadIdentity.serviceAccountsEmails.storage.endsWith('@' + self.project + '.iam.gserviceaccount.com')",
    'storage service account must belong to the same project',
  )
  .rule(
    "self.workloadIdentity.serviceAccountsEmails.imageRegistry.contains('@') && self.workloadIdentity.serviceAccountsEmails.imageRegistry.endsWith('@' + self.project + '.iam.gserviceaccount.com')",
    'imageRegistry service account must belong to the same project',
  )
  .rule(
    "self.workloadIdentity.serviceAccountsEmails.network.endsWith('@' + self.project + '.iam.gserviceaccount.com')",
    'network service account must belong to the same project',
  );
