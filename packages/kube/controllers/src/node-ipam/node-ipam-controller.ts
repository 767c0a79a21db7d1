import type { corev1 } from '@hypershift-ts/kube-apimachinery';
import { addressAt, corev1 as core, formatCIDR, parseCIDR } from '@hypershift-ts/kube-apimachinery';
import type { Controller } from '@hypershift-ts/kube-controller';
import { controller } from '@hypershift-ts/kube-controller';

export interface NodeIpamOptions {
  /** `--cluster-cidr`, for example `10.244.0.0/16`. */
  readonly clusterCidr: string;
  /** `--node-cidr-mask-size`. Default 24. */
  readonly nodeMaskSize?: number;
}

/** The first block of the size that none of the taken ones is. */
export function nextNodeCidr(
  { clusterCidr, nodeMaskSize = 24 }: NodeIpamOptions,
  taken: ReadonlySet<string>,
): string | undefined {
  const cluster = parseCIDR(clusterCidr);
  if (!cluster) throw new Error(`cluster CIDR ${clusterCidr} is not an address block`);
  const width = cluster.address.family === 4 ? 32 : 128;
  const size = 1n << BigInt(width - nodeMaskSize);
  for (let block = 0n; ; block++) {
    const address = addressAt(cluster, block * size);
    if (!address) return undefined;
    const text = formatCIDR({ address, bits: nodeMaskSize });
    if (!taken.has(text)) return text;
  }
}

/** Gives every node its block of pod addresses. */
export function nodeIpamController(options: NodeIpamOptions): Controller {
  return controller<corev1.Node>({
    name: 'node-ipam-controller',
    for: {
      type: core.nodes,
      predicate: { updated: (_before: corev1.Node, next: corev1.Node) => !next.spec?.podCIDR, deleted: () => false },
    },
    // One at a time, and each waits for its own write to show: two nodes must never get one block.
    concurrency: 1,
    async reconcile(key, { cache, client, events }) {
      const node = cache.get(core.nodes, key);
      if (!node || node.spec?.podCIDR) return;
      const { items } = await client.list(core.nodes);
      const podCIDR = nextNodeCidr(options, new Set(items.flatMap(({ spec }) => spec?.podCIDRs ?? [])));
      if (!podCIDR) {
        events.warning(node, 'CIDRNotAvailable', `Node ${key.name} status is now: CIDRNotAvailable`);
        return;
      }
      await client.patch(core.nodes, key, { type: 'merge', body: { spec: { podCIDR, podCIDRs: [podCIDR] } } });
    },
  });
}
