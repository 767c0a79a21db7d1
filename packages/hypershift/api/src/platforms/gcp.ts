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
  name: string({ minLength: 1, maxLength: 63 }).check(gcpNameFormat),
});

export const gcpResourceLabel = object({
  key: string({ minLength: 1, maxLength: 63 })
    .rule(
      "self.matches('^[a-z]([_a-z0-9-]{0,61}[a-z0-9])?$')",
      'key must start with a lowercase letter, contain only lowercase letters, digits, underscores, or hyphens, and end with a letter or digit',
    )
    .rule("!self.startsWith('goog')", "Label keys starting with the reserved 'goog' prefix are not allowed"),
  value: string({ minLength: 0, maxLength: 63 }).rule(
    "self.matches('^$|^[a-z]([_a-z0-9-]{0,61}[a-z0-9])?$')",
    'value must be empty or start with a lowercase letter, contain only lowercase letters, digits, underscores, or hyphens, and end with a letter or digit',
  ),
});

export const gcpServiceAccountEmail = string({ minLength: 37, maxLength: 85 }).check(serviceAccountEmailFormat);

export const gcpNetworkConfig = object({
  network: gcpResourceReference.immutable('Network is immutable'),
  privateServiceConnectSubnet: gcpResourceReference.immutable('Private Service Connect subnet is immutable'),
});

export const gcpServiceAccountsEmails = object({
  cloudController: string({ minLength: 37, maxLength: 85 })
    .immutable('CloudController is immutable')
    .check(serviceAccountEmailFormat),
  controlPlane: string({ minLength: 37, maxLength: 85 })
    .immutable('ControlPlane is immutable')
    .check(serviceAccountEmailFormat),
  imageRegistry: string({ minLength: 37, maxLength: 85 })
    .immutable('ImageRegistry is immutable')
    .check(serviceAccountEmailFormat),
  network: string({ minLength: 37, maxLength: 85 }).immutable('Network is immutable').check(serviceAccountEmailFormat),
  nodePool: string({ minLength: 37, maxLength: 85 })
    .immutable('NodePool is immutable')
    .check(serviceAccountEmailFormat),
  storage: string({ minLength: 37, maxLength: 85 }).immutable('Storage is immutable').check(serviceAccountEmailFormat),
});

export const gcpWorkloadIdentity = object({
  poolID: string({ minLength: 4, maxLength: 32 })
    .rule(
      "self.matches('^[a-z][a-z0-9-]{2,30}[a-z0-9]$')",
      'poolID must start with a lowercase letter, contain only lowercase letters, digits, or hyphens, and end with a letter or digit',
    )
    .rule("!self.startsWith('gcp-')", "Pool ID cannot start with reserved prefix 'gcp-'")
    .immutable('Pool ID is immutable'),
  projectNumber: string({ minLength: 1, maxLength: 25 })
    .rule("self.matches('^[0-9]+$')", 'projectNumber must contain only digits')
    .immutable('Project number is immutable'),
  providerID: string({ minLength: 4, maxLength: 32 })
    .rule(
      "self.matches('^[a-z][a-z0-9-]{2,30}[a-z0-9]$')",
      'providerID must start with a lowercase letter, contain only lowercase letters, digits, or hyphens, and end with a letter or digit',
    )
    .rule("!self.startsWith('gcp-')", "Provider ID cannot start with reserved prefix 'gcp-'")
    .immutable('Provider ID is immutable'),
  serviceAccountsEmails: gcpServiceAccountsEmails,
});

export const gcpPlatform = object({
  networkConfig: gcpNetworkConfig,
  project: string({ minLength: 6, maxLength: 30 })
    .rule(
      "self.matches('^[a-z][a-z0-9-]{4,28}[a-z0-9]$')",
      'project must start with a lowercase letter, contain only lowercase letters, digits, or hyphens, and end with a letter or digit',
    )
    .immutable('Project is immutable'),
  region: string({ minLength: 1, maxLength: 63 })
    .rule(
      "self.matches('^[a-z]+-[a-z]+[0-9]+$')",
      'region must be a valid GCP region (e.g., us-central1, europe-west2)',
    )
    .immutable('Region is immutable'),
  workloadIdentity: gcpWorkloadIdentity.immutable('WorkloadIdentity is immutable'),
  endpointAccess: enumOf(['PublicAndPrivate', 'Private']).optional().default('Private'),
  resourceLabels: list(gcpResourceLabel, { type: 'map', keys: ['key'], minItems: 1, maxItems: 60 }).optional(),
})
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
