import { createPrivateKey, createPublicKey } from 'node:crypto';
import type { HostedCluster } from '@hypershift-ts/hypershift-api';
import type { corev1, ObjectMeta } from '@hypershift-ts/kube-apimachinery';
import { belongsTo, controlPlaneNamespaceOf } from '../names/index.ts';
import { configurationReferences, type Reference } from './references.ts';

/** One object to copy: what it is called there, and which keys must be in the source. */
export interface Copy extends Reference {
  readonly target: string;
  /** Keys the copy has and the source must have; absent copies everything, with labels and annotations. */
  readonly keys?: readonly string[];
  readonly type?: string;
  /** Whether nothing can go on without it. */
  readonly critical: boolean;
}

/** A source that is missing, or lacks a key. Says which field names it. */
class SourceInvalid extends Error {
  override readonly name = 'SourceInvalid';
  readonly code: 'SOURCE_OBJECT_MISSING' | 'SOURCE_KEY_MISSING';
  readonly field: string;

  constructor({ kind, name, field }: Reference, key?: string) {
    super(
      key === undefined
        ? `${kind} ${name} named by ${field} does not exist; create it beside the HostedCluster`
        : `${kind} ${name} named by ${field} must have key ${key}`,
    );
    this.code = key === undefined ? 'SOURCE_OBJECT_MISSING' : 'SOURCE_KEY_MISSING';
    this.field = field;
  }
}

/** What is copied into the namespace of a control plane, keys of service accounts apart. */
export function copies(cluster: HostedCluster): readonly Copy[] {
  const { spec } = cluster;
  const aescbc = spec.secretEncryption?.type === 'aescbc' ? spec.secretEncryption.aescbc : undefined;
  const etcd = spec.etcd.managementType === 'Unmanaged' ? spec.etcd.unmanaged?.tls?.clientSecret?.name : undefined;
  const secret = (
    name: string | undefined,
    own: Omit<Copy, 'kind' | 'name' | 'target'> & { target?: string },
  ): readonly Copy[] => (name ? [{ target: name, ...own, kind: 'Secret', name }] : []);
  const field = 'spec.secretEncryption.aescbc';
  return [
    ...secret(spec.pullSecret.name, {
      field: 'spec.pullSecret',
      target: 'pull-secret',
      keys: ['.dockerconfigjson'],
      type: 'kubernetes.io/dockerconfigjson',
      critical: true,
    }),
    ...secret(aescbc?.activeKey.name, { field: `${field}.activeKey`, keys: ['key'], type: 'Opaque', critical: true }),
    ...secret(aescbc?.backupKey?.name, { field: `${field}.backupKey`, keys: ['key'], type: 'Opaque', critical: true }),
    ...secret(spec.auditWebhook?.name, {
      field: 'spec.auditWebhook',
      keys: ['webhook-kubeconfig'],
      type: 'Opaque',
      critical: false,
    }),
    ...secret(spec.sshKey?.name, {
      field: 'spec.sshKey',
      target: 'ssh-key',
      keys: ['id_rsa.pub'],
      type: 'Opaque',
      critical: false,
    }),
    ...secret(etcd, {
      field: 'spec.etcd.unmanaged.tls.clientSecret',
      keys: ['etcd-client.crt', 'etcd-client.key', 'etcd-client-ca.crt'],
      type: 'Opaque',
      critical: false,
    }),
    ...(spec.additionalTrustBundle?.name
      ? [
          {
            kind: 'ConfigMap' as const,
            name: spec.additionalTrustBundle.name,
            field: 'spec.additionalTrustBundle',
            target: 'user-ca-bundle',
            keys: ['ca-bundle.crt'],
            critical: false,
          },
        ]
      : []),
    ...configurationReferences(cluster).map((one) => ({ ...one, target: one.name, critical: false })),
  ];
}

/** Copies that must be gone because the field that asked for them is unset. */
export function unwantedCopies({
  spec,
}: HostedCluster): readonly { readonly kind: Reference['kind']; readonly name: string }[] {
  return [
    ...(spec.sshKey?.name ? [] : [{ kind: 'Secret' as const, name: 'ssh-key' }]),
    ...(spec.additionalTrustBundle?.name ? [] : [{ kind: 'ConfigMap' as const, name: 'user-ca-bundle' }]),
  ];
}

/** The copy of a source object. */
export function copyOf(
  cluster: HostedCluster,
  copy: Copy,
  source: corev1.Secret | corev1.ConfigMap | undefined,
): corev1.Secret | corev1.ConfigMap {
  if (!source) throw new SourceInvalid(copy);
  const missing = copy.keys?.find((key) => source.data?.[key] === undefined);
  if (missing !== undefined) throw new SourceInvalid(copy, missing);
  const metadata: ObjectMeta = {
    name: copy.target,
    namespace: controlPlaneNamespaceOf(cluster),
    ...(copy.keys || !source.metadata.labels ? {} : { labels: source.metadata.labels }),
    annotations: { ...(copy.keys ? {} : source.metadata.annotations), ...belongsTo(cluster) },
  };
  const data = copy.keys ? Object.fromEntries(copy.keys.map((key) => [key, source.data?.[key] ?? ''])) : source.data;
  const type = copy.type ?? ('type' in source ? source.type : undefined);
  return {
    apiVersion: 'v1',
    kind: copy.kind,
    metadata,
    ...(data ? { data } : {}),
    ...(!copy.keys && 'binaryData' in source && source.binaryData ? { binaryData: source.binaryData } : {}),
    ...(copy.kind === 'Secret' && type ? { type } : {}),
  };
}

/** The key that signs service account tokens, with its public half, and a former public key during rotation. */
export function signingKeySecret(cluster: HostedCluster, source: corev1.Secret | undefined): corev1.Secret | undefined {
  const name = cluster.spec.serviceAccountSigningKey?.name;
  if (!name) return undefined;
  const reference: Reference = { kind: 'Secret', name, field: 'spec.serviceAccountSigningKey' };
  if (!source) throw new SourceInvalid(reference);
  const key = source.data?.['key'];
  if (key === undefined) throw new SourceInvalid(reference, 'key');
  const publicKey = createPublicKey(createPrivateKey(Buffer.from(key, 'base64'))).export({
    type: 'spki',
    format: 'pem',
  });
  const former = Buffer.from(source.data?.['old-key.pub'] ?? '', 'base64');
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'sa-signing-key', namespace: controlPlaneNamespaceOf(cluster), annotations: belongsTo(cluster) },
    data: {
      'service-account.key': key,
      'service-account.pub': Buffer.concat([Buffer.from(publicKey), former]).toString('base64'),
    },
  };
}
