import { corev1 } from '@hypershift-ts/kube-apimachinery';
import type { PendingClaim } from '../../hosted-control-plane/conditions.ts';
import type { Pass } from '../pass.ts';
import { warningsAbout } from './warnings.ts';

/** A volume claim of etcd that cannot be filled, with what the cluster says about it. Read only while etcd is down. */
export async function pendingClaimOf(pass: Pass): Promise<PendingClaim | undefined> {
  const { client, namespace, signal } = pass;
  const { items } = await client.list(corev1.persistentvolumeclaims, { namespace, labelSelector: 'app=etcd', signal });
  for (const { metadata, status } of items) {
    if (status?.phase === 'Bound') continue;
    const events = await warningsAbout(pass, 'PersistentVolumeClaim', metadata.name ?? '');
    if (events.length > 0) return { name: metadata.name ?? '', events };
  }
  return undefined;
}
