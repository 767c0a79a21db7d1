import { annotations } from '@hypershift-ts/hypershift-api';
import { corev1, jsonEqual, type KubeObject } from '@hypershift-ts/kube-apimachinery';
import { type Controller, controller } from '@hypershift-ts/kube-controller';
import { capiv1beta1 } from '@hypershift-ts/machines-cluster-api';
import { machineKeyOf } from '../machines/of-node.ts';
import type { GuestScope } from '../options.ts';
import { nodePatch, poolProperties } from './desired.ts';

/** Brings labels and taints of a node pool onto its nodes: once for each, and again after changes where wanted. */
export function nodeController(scope: GuestScope): Controller {
  const { guest, management, options } = scope;
  const { namespace, hostedClient, keepNodesInSync = true } = options;
  return controller<corev1.Node, [capiv1beta1.Machine]>({
    name: 'node',
    for: { type: corev1.nodes, cache: guest, predicate: { updated: hasMoved } },
    watches: [
      {
        type: capiv1beta1.machines,
        namespace,
        cache: management,
        predicate: { updated: hasNewProperties, deleted: () => false },
        map: ({ status }) => (status?.nodeRef?.name ? [{ name: status.nodeRef.name }] : []),
      },
    ],
    async reconcile(key, { signal }) {
      const node = guest.get(corev1.nodes, key);
      const machineKey = node && machineKeyOf(node);
      if (!node || !machineKey || machineKey.namespace !== namespace) return;
      if (!keepNodesInSync && node.metadata.annotations?.[annotations.labelsSynced.key] === 'true') return;
      const machine = management.get(capiv1beta1.machines, machineKey, { namespace });
      const wanted = machine && poolProperties(machine);
      const body = wanted && nodePatch(node, wanted, keepNodesInSync);
      if (body) await hostedClient.patch(corev1.nodes, key, { type: 'merge', body }, { signal });
    },
  });
}

/** Heartbeats are no news. */
function hasMoved(before: corev1.Node, after: corev1.Node): boolean {
  return !jsonEqual(before.metadata.annotations, after.metadata.annotations);
}

function hasNewProperties(before: KubeObject & { readonly status?: object }, after: typeof before): boolean {
  return (
    !jsonEqual(before.metadata.labels, after.metadata.labels) ||
    !jsonEqual(before.metadata.annotations, after.metadata.annotations) ||
    !jsonEqual(nodeRefOf(before), nodeRefOf(after))
  );
}

const nodeRefOf = ({ status }: { readonly status?: object }) =>
  (status as { readonly nodeRef?: object } | undefined)?.nodeRef;
