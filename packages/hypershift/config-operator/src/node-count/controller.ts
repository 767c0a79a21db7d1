import { hostedControlPlanes } from '@hypershift-ts/hypershift-api';
import { corev1 } from '@hypershift-ts/kube-apimachinery';
import { type Controller, controller } from '@hypershift-ts/kube-controller';
import { controlPlaneKey, controlPlaneOf, isOwnControlPlane } from '../control-plane.ts';
import type { GuestScope } from '../options.ts';
import { patchControlPlaneStatus } from '../status/patch-status.ts';

/** Every new count wakes all who read the control plane; a hundred nodes that join together are one or two. */
const gatherMs = 1000;

/** Tells how many nodes the hosted cluster has; its size class follows from that. */
export function nodeCountController(scope: GuestScope): Controller {
  return controller({
    name: 'nodecount',
    for: {
      type: hostedControlPlanes,
      namespace: scope.options.namespace,
      predicate: { created: isOwnControlPlane(scope), updated: () => false },
    },
    watches: [
      {
        type: corev1.nodes,
        cache: scope.guest,
        predicate: { updated: () => false },
        gatherMsOf: () => gatherMs,
        map: () => [controlPlaneKey(scope)],
      },
    ],
    async reconcile(_key, context) {
      const hcp = controlPlaneOf(scope);
      if (!hcp || hcp.metadata.deletionTimestamp) return;
      const nodeCount = scope.guest.list(corev1.nodes).length;
      await patchControlPlaneStatus(hcp, { fields: { nodeCount } }, context);
    },
  });
}
