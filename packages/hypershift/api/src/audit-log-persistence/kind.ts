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
  maxBackup: int32({ minimum: 1 }).optional(),
  maxSize: int32({ minimum: 1 }).optional(),
});

export const auditLogSnapshots = object({
  enabled: boolean().optional(),
  minInterval: string({ pattern: '^([0-9]+(ns|us|µs|ms|s|m|h))+$' }).optional(),
  namespaceRetentionCount: int32({ minimum: 1 }).optional(),
  perPodRetentionCount: int32({ minimum: 1 }).optional(),
  volumeSnapshotClassName: string().optional(),
});

export const auditLogStorage = object({
  size: quantity().optional(),
  storageClassName: string().optional(),
});

export const auditLogPersistenceSpec = object({
  auditLog: auditLogRotation.optional(),
  enabled: boolean().optional(),
  snapshots: auditLogSnapshots.optional(),
  storage: auditLogStorage.optional(),
});

export const auditLogPersistenceConfig = defineKind({
  group: 'auditlogpersistence.hypershift.openshift.io',
  version: 'v1alpha1',
  kind: 'AuditLogPersistenceConfig',
  plural: 'auditlogpersistenceconfigs',
  shortNames: ['alpc', 'alpcs'],
  scope: 'Cluster',
  description: '',
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
