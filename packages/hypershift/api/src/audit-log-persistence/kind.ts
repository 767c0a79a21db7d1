/** Audit logs of kube-apiservers kept on volumes. */
import { nodeOverlayStatus } from '../karpenter/node-overlay.ts';
import {
  boolean,
  defineKind,
  int32,
  object,
  quantity,
  resourceOf,
  string,
  type ManifestOf,
  type ObjectOf,
} from '../schema/index.ts';

export const auditLogRotation = object({
  maxBackup: int32({ minimum: 1 }).optional().describe('Old log files to keep; absent means 10.'),
  maxSize: int32({ minimum: 1 })
    .optional()
    .describe('Size in megabytes at which a new file is begun; absent means 200.'),
}).describe('Rotation of audit log files.');

export const auditLogSnapshots = object({
  enabled: boolean()
    .optional()
    .describe('Takes a snapshot of the volume when the API server container has crashed; absent means no.'),
  minInterval: string({ pattern: '^([0-9]+(ns|us|µs|ms|s|m|h))+$' })
    .optional()
    .describe('Least time between two snapshots of the same pod; absent means one hour.'),
  namespaceRetentionCount: int32({ minimum: 1 })
    .optional()
    .describe('Snapshots to keep per control plane; absent means 50.'),
  perPodRetentionCount: int32({ minimum: 1 }).optional().describe('Snapshots to keep per pod; absent means 10.'),
  volumeSnapshotClassName: string().optional().describe('Snapshot class to use; absent means the default class.'),
}).describe('Snapshots of the log volumes for later analysis.');

export const auditLogStorage = object({
  size: quantity().optional().describe('Size of each volume; absent means 5Gi. It must hold all rotated files.'),
  storageClassName: string().optional().describe('Storage class of the volumes; absent means the default class.'),
}).describe('Volume each API server pod writes its audit log to.');

export const auditLogPersistenceSpec = object({
  auditLog: auditLogRotation.optional(),
  enabled: boolean().optional().describe('Switches the feature on; absent means off, and logs vanish with their pod.'),
  snapshots: auditLogSnapshots.optional(),
  storage: auditLogStorage.optional(),
}).describe('What is kept, where and how long.');

export const auditLogPersistenceConfig = defineKind({
  group: 'auditlogpersistence.hypershift.openshift.io',
  version: 'v1alpha1',
  kind: 'AuditLogPersistenceConfig',
  plural: 'auditlogpersistenceconfigs',
  shortNames: ['alpc', 'alpcs'],
  scope: 'Cluster',
  description:
    'Audit logs of all API servers on this management cluster kept on volumes; the one object is named `cluster`.',
  statusSubresource: true,
  fields: {
    spec: auditLogPersistenceSpec.unenforced(),
    status: nodeOverlayStatus.optional(),
  },
  rules: [
    {
      rule: "self.metadata.name == 'cluster'",
      message: "exactly one configuration may exist and must be named 'cluster'",
    },
  ],
});

/** An AuditLogPersistenceConfig as an API server hands it out: defaults are filled in. */
export type AuditLogPersistenceConfig = ObjectOf<typeof auditLogPersistenceConfig>;

/** An AuditLogPersistenceConfig as a client may send it. */
export type AuditLogPersistenceConfigManifest = ManifestOf<typeof auditLogPersistenceConfig>;

export const auditLogPersistenceConfigs = resourceOf(auditLogPersistenceConfig);
