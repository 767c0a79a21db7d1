import {
  finalizers,
  generatedEncryptionKeyName,
  hostedClusters,
  withGeneratedEncryption,
  withIdentity,
} from '@hypershift-ts/hypershift-api';
import { corev1 } from '@hypershift-ts/kube-apimachinery';
import { getIfPresent, ownerReference, type ReconcileContext } from '@hypershift-ts/kube-controller';
import type { HostedClusterScope } from './scope.ts';

/** The key of a cluster that is encrypted without having asked for it; made once, as a new one could read nothing. */
async function ensureEncryptionKey(
  { cluster, options }: HostedClusterScope,
  { client, signal }: ReconcileContext,
): Promise<void> {
  const { namespace = '', name = '' } = cluster.metadata;
  const key = { namespace, name: generatedEncryptionKeyName(name) };
  if (await getIfPresent(client, corev1.secrets, key, { signal })) return;
  const data = { key: Buffer.from(options.randomBytes(32)).toString('base64') };
  const ownerReferences = [ownerReference(hostedClusters, cluster)];
  await client.create(corev1.secrets, { metadata: { ...key, ownerReferences }, type: 'Opaque', data }, { signal });
}

/** Identity and finalizer come first: everything that is made later is found by them. Tells whether it wrote. */
export async function prepare(scope: HostedClusterScope, context: ReconcileContext): Promise<boolean> {
  const { cluster, options } = scope;
  const named = withGeneratedEncryption(withIdentity(cluster, options));
  const held = cluster.metadata.finalizers ?? [];
  const isHeld = held.includes(finalizers.hypershift.key);
  if (named === cluster && isHeld) return false;
  if (named.spec.secretEncryption && !cluster.spec.secretEncryption) await ensureEncryptionKey(scope, context);
  const metadata = { ...named.metadata, finalizers: isHeld ? held : [...held, finalizers.hypershift.key] };
  await context.client.update(hostedClusters, { ...named, metadata }, { signal: context.signal });
  return true;
}
