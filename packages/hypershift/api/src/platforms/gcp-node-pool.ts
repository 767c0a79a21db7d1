/** A node pool on Google Cloud. */
import { enumOf, int64, list, object, string } from '../schema/index.ts';
import { gcpNameFormat, gcpResourceLabel, gcpServiceAccountEmail } from './gcp.ts';

export const gcpBootDisk = object({
  diskSizeGB: int64({ minimum: 20, maximum: 65536 }).optional().default(64).describe('Size in GB.'),
  diskType: enumOf(['pd-standard', 'pd-ssd', 'pd-balanced'])
    .optional()
    .default('pd-balanced')
    .describe('Kind of persistent disk.'),
  encryptionKey: object({
    kmsKeyName: string({ minLength: 1, maxLength: 2048 })
      .describe('Full name of the Cloud KMS key.')
      .rule(
        "self.matches('^projects/[a-z][a-z0-9-]{4,28}[a-z0-9]/locations/[a-z0-9-]+/keyRings/[a-zA-Z0-9_-]+/cryptoKeys/[a-zA-Z0-9_-]+$')",
        'kmsKeyName must be in the format projects/{project}/locations/{location}/keyRings/{keyRing}/cryptoKeys/{key}',
      ),
  })
    .optional()
    .describe('Key of yours for the disk; absent means keys of Google.'),
}).describe('Boot disk of the instances.');

export const gcpNodeServiceAccount = object({
  email: gcpServiceAccountEmail.optional(),
  scopes: list(string({ maxLength: 512 }), { type: 'set', minItems: 1, maxItems: 50 })
    .optional()
    .describe('OAuth scopes the instances may use; absent means the usual ones for compute.'),
}).describe('Google service account the instances run as.');

export const gcpNodePoolPlatform = object({
  machineType: string({ minLength: 1, maxLength: 255 })
    .describe('Machine type, for example `n2-standard-4`; a change replaces the nodes.')
    .rule(
      "self.matches('^[a-z0-9]+(-[a-z0-9]+)*$')",
      'machineType must start and end with a lowercase letter or digit, and contain only lowercase letters, digits, and hyphens',
    ),
  subnet: string({ minLength: 1, maxLength: 63 }).describe('Subnet of the nodes, by name.').check(gcpNameFormat),
  zone: string({ minLength: 1, maxLength: 63 })
    .describe('Zone of the nodes; use a pool per zone to spread.')
    .rule(
      "self.matches('^[a-z]+(?:-[a-z0-9]+)*-[a-z]$')",
      'zone must be in the form of region-zone (e.g., us-central1-a)',
    ),
  bootDisk: gcpBootDisk.optional(),
  image: string({ minLength: 1, maxLength: 2048 })
    .optional()
    .describe('Image to boot; absent means the one the release names.'),
  networkTags: list(string({ minLength: 1, maxLength: 63 }).check(gcpNameFormat), {
    type: 'set',
    minItems: 1,
    maxItems: 64,
  })
    .optional()
    .describe('Network tags of the instances, for firewall rules.'),
  onHostMaintenance: enumOf(['MIGRATE', 'TERMINATE'])
    .optional()
    .describe('What happens to instances when their host is serviced; absent moves standard ones and ends the others.'),
  provisioningModel: enumOf(['Standard', 'Spot', 'Preemptible'])
    .optional()
    .default('Standard')
    .describe(
      'How instances are bought: `Standard`, or cheaper and taken back when needed elsewhere (`Spot`,',
      '`Preemptible`).',
    ),
  resourceLabels: list(gcpResourceLabel, { type: 'map', keys: ['key'], minItems: 1, maxItems: 60 })
    .optional()
    .describe('Labels for the resources of this pool; they win over those of the cluster.'),
  serviceAccount: gcpNodeServiceAccount.optional(),
})
  .describe('Settings of nodes on Google Cloud.')
  .rule(
    "!has(self.onHostMaintenance) || !has(self.provisioningModel) || self.provisioningModel == 'Standard' || self.onHostMaintenance == 'TERMINATE'",
    'onHostMaintenance must be TERMINATE when provisioningModel is Spot or Preemptible',
  );
