import { corev1 } from '@hypershift-ts/kube-apimachinery';
import type { Client } from '@hypershift-ts/kube-client';
import { deleteIfPresent, getIfPresent } from '@hypershift-ts/kube-controller';
import { daemonPodName } from '../machines/daemon-protocol.ts';
import { daemonPod, upgradeName } from './objects.ts';

/** Sees that every node at work has its daemon. One that ended is removed, and the next look makes a new one. */
export async function ensureDaemons(
  client: Client,
  pool: string,
  nodes: readonly corev1.Node[],
  settings: Parameters<typeof daemonPod>[2],
  signal: AbortSignal,
): Promise<void> {
  for (const { metadata } of nodes) {
    const node = metadata.name ?? '';
    const key = { namespace: upgradeName(pool), name: daemonPodName(node) };
    const live = await getIfPresent(client, corev1.pods, key, { signal });
    if (!live) await client.create(corev1.pods, daemonPod(pool, node, settings), { signal });
    else if (live.status?.phase === 'Failed' || live.status?.phase === 'Succeeded')
      await deleteIfPresent(client, corev1.pods, key, { live, signal });
  }
}

export async function removeDaemons(
  client: Client,
  pool: string,
  nodes: readonly corev1.Node[],
  signal: AbortSignal,
): Promise<void> {
  if (nodes.length === 0) return;
  const namespace = upgradeName(pool);
  const { items } = await client.list(corev1.pods, { namespace, signal });
  const idle = new Set(nodes.map(({ metadata }) => daemonPodName(metadata.name ?? '')));
  for (const live of items) {
    const name = live.metadata.name ?? '';
    if (idle.has(name)) await deleteIfPresent(client, corev1.pods, { namespace, name }, { live, signal });
  }
}
