import { corev1, type KubeObject, type ResourceType } from '@hypershift-ts/kube-apimachinery';
import { done, type ReconcileContext } from '@hypershift-ts/kube-controller';
import {
  type Copy,
  copies,
  copyOf,
  type Reference,
  referencedBy,
  signingKeySecret,
  unwantedCopies,
} from '../../copied-objects/index.ts';
import { ensure, ensureAll, find, remove } from '../live.ts';
import type { HostedClusterScope } from '../scope.ts';
import type { ClusterStep } from './step.ts';

type Source = corev1.Secret | corev1.ConfigMap;

const typeOf = (kind: Reference['kind']) =>
  (kind === 'Secret' ? corev1.secrets : corev1.configmaps) as ResourceType<Source>;

/** Marks a user's object as read by the cluster, as other tools look for it. */
async function mark(
  { cluster }: HostedClusterScope,
  kind: Reference['kind'],
  source: KubeObject | undefined,
  { client, signal }: ReconcileContext,
): Promise<void> {
  const key = referencedBy(cluster);
  if (!source || source.metadata.annotations?.[key] !== undefined) return;
  const at = { namespace: cluster.metadata.namespace ?? '', name: source.metadata.name ?? '' };
  const body = { metadata: { annotations: { [key]: 'true' } } };
  await client.patch(typeOf(kind), at, { type: 'merge', body }, { signal });
}

async function copyOne(scope: HostedClusterScope, copy: Copy, context: ReconcileContext): Promise<void> {
  const { cluster } = scope;
  const key = { namespace: cluster.metadata.namespace ?? '', name: copy.name };
  const source = await find(context, typeOf(copy.kind), key);
  await ensure(context, copyOf(cluster, copy, source));
  await mark(scope, copy.kind, source, context);
}

async function sourceSecrets(scope: HostedClusterScope, context: ReconcileContext) {
  const { cluster, platform } = scope;
  const found = new Map<string, corev1.Secret>();
  for (const { name } of platform.sourceSecrets(cluster)) {
    const key = { namespace: cluster.metadata.namespace ?? '', name };
    const secret = await find(context, corev1.secrets, key);
    if (!secret) continue;
    found.set(name, secret);
    await mark(scope, 'Secret', secret, context);
  }
  return found;
}

/** Copies all of some objects; one that fails does not keep the others from being copied. */
async function copyEach(scope: HostedClusterScope, list: readonly Copy[], context: ReconcileContext): Promise<void> {
  const failures: Error[] = [];
  for (const copy of list) await copyOne(scope, copy, context).catch((error: Error) => failures.push(error));
  if (failures.length > 0) throw new Error(failures.map(({ message }) => message).join('; '));
}

/** What gives the control plane access to the cloud. */
export const credentialsStep: ClusterStep = {
  name: 'PlatformCredentials',
  kind: 'critical',
  async run(scope, context) {
    const { cluster, namespace, platform } = scope;
    const secrets = await sourceSecrets(scope, context);
    await ensureAll(context, platform.credentials({ cluster, namespace, secrets }));
    return done();
  },
};

/** The credential without which no image can be pulled. */
export const pullSecretStep: ClusterStep = {
  name: 'PullSecretSync',
  kind: 'critical',
  async run(scope, context) {
    const pullSecret = copies(scope.cluster).filter(({ target }) => target === 'pull-secret');
    await copyEach(scope, pullSecret, context);
    return done();
  },
};

/** The keys, or the key service, that data at rest is encrypted with. */
export const encryptionStep: ClusterStep = {
  name: 'SecretEncryptionSync',
  kind: 'critical',
  async run(scope, context) {
    const { cluster, namespace, platform } = scope;
    const keys = copies(cluster).filter(({ critical, target }) => critical && target !== 'pull-secret');
    await copyEach(scope, keys, context);
    if (cluster.spec.secretEncryption?.type === 'kms') {
      const secrets = await sourceSecrets(scope, context);
      await ensureAll(context, platform.keyService({ cluster, namespace, secrets }));
    }
    return done();
  },
};

/** Everything else a cluster names; each is worth having without the others. */
export const otherCopiesStep: ClusterStep = {
  name: 'GlobalConfigSync',
  kind: 'best-effort',
  async run(scope, context) {
    const { cluster, namespace } = scope;
    for (const { kind, name } of unwantedCopies(cluster)) await remove(context, typeOf(kind), { namespace, name });
    const others = copies(cluster).filter(({ critical }) => !critical);
    await copyEach(scope, others, context);
    return done();
  },
};

/** The key that signs service account tokens, where the user brings one. */
export const signingKeyStep: ClusterStep = {
  name: 'ServiceAccountSigningKey',
  kind: 'best-effort',
  async run(scope, context) {
    const { cluster } = scope;
    const name = cluster.spec.serviceAccountSigningKey?.name;
    if (!name) return done();
    const source = await find(context, corev1.secrets, { namespace: cluster.metadata.namespace ?? '', name });
    const made = signingKeySecret(cluster, source);
    if (made) await ensure(context, made);
    await mark(scope, 'Secret', source, context);
    return done();
  },
};
