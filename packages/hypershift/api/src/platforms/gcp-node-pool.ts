/** A node pool on Google Cloud. */
import { enumOf, int64, list, object, string } from '../schema/index.ts';
import { gcpNameFormat, gcpResourceLabel, gcpServiceAccountEmail } from './gcp.ts';

export const gcpBootDisk = object({
  diskSizeGB: int64({ minimum: 20, maximum: 65536 }).optional().default(64),
  diskType: enumOf(['pd-standard', 'pd-ssd', 'pd-balanced']).optional().default('pd-balanced'),
  encryptionKey: object({
    kmsKeyName: string({ minLength: 1, maxLength: 2048 }).rule(
      "self.matches('^projects/[a-z][a-z0-9-]{4,28}[a-z0-9]/locations/[a-z0-9-]+/keyRings/[a-zA-Z0-9_-]+/cryptoKeys/[a-zA-Z0-9_-]+$')",
      'kmsKeyName must be in the format projects/{project}/locations/{location}/keyRings/{keyRing}/cryptoKeys/{key}',
    ),
  }).optional(),
});

export const gcpNodeServiceAccount = object({
  email: gcpServiceAccountEmail.optional(),
  scopes: list(string({ maxLength: 512 }), { type: 'set', minItems: 1, maxItems: 50 }).optional(),
});

export const gcpNodePoolPlatform = object({
  machineType: string({ minLength: 1, maxLength: 255 }).rule(
    "self.matches('^[a-z0-9]+(-[a-z0-9]+)*$')",
    'machineType must start and end with a lowercase letter or digit, and contain only lowercase letters, digits, and hyphens',
  ),
  subnet: string({ minLength: 1, maxLength: 63 }).check(gcpNameFormat),
  zone: string({ minLength: 1, maxLength: 63 }).rule(
    "self.matches('^[a-z]+(?:-[a-z0-9]+)*-[a-z]$')",
    'zone must be in the form of region-zone (e.g., us-central1-a)',
  ),
  bootDisk: gcpBootDisk.optional(),
  image: string({ minLength: 1, maxLength: 2048 }).optional(),
  networkTags: list(string({ minLength: 1, maxLength: 63 }).check(gcpNameFormat), {
    type: 'set',
    minItems: 1,
    maxItems: 64,
  }).optional(),
  onHostMaintenance: enumOf(['MIGRATE', 'TERMINATE']).optional(),
  provisioningModel: enumOf(['Standard', 'Spot', 'Preemptible']).optional().default('Standard'),
  resourceLabels: list(gcpResourceLabel, { type: 'map', keys: ['key'], minItems: 1, maxItems: 60 }).optional(),
  serviceAccount: gcpNodeServiceAccount.optional(),
}).rule(
  "!has(self.onHostMaintenance) || !has(self.provisioningModel) || self.provisioningModel == 'Standard' || self.onHostMaintenance == 'TERMINATE'",
  'onHostMaintenance must be TERMINATE when provisioningModel is Spot or Preemptible',
);
