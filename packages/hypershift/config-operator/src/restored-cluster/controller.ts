import { annotations, type HostedControlPlane, hostedControlPlanes } from '@hypershift-ts/hypershift-api';
import { corev1, hasConditionStatus } from '@hypershift-ts/kube-apimachinery';
import { type Controller, controller } from '@hypershift-ts/kube-controller';
import { controlPlaneKey, controlPlaneOf, isOwnControlPlane } from '../control-plane.ts';
import type { GuestScope } from '../options.ts';
import { patchControlPlaneStatus } from '../status/patch-status.ts';

const mark = annotations.restoredFromBackup.key;
const isReady = ({ status }: corev1.Node): boolean => hasConditionStatus(status?.conditions, 'Ready', 'True');

/** Says on a control plane that came from a backup whether its nodes work again. Others are left alone. */
export function restoredClusterController(scope: GuestScope): Controller {
  return controller<HostedControlPlane, [corev1.Node]>({
    name: 'restored-cluster',
    for: {
      type: hostedControlPlanes,
      namespace: scope.options.namespace,
      predicate: {
        created: isOwnControlPlane(scope),
        updated: (before, after) => before.metadata.annotations?.[mark] !== after.metadata.annotations?.[mark],
      },
    },
    watches: [
      {
        type: corev1.nodes,
        cache: scope.guest,
        predicate: { updated: (before, after) => isReady(before) !== isReady(after) },
        map: () => [controlPlaneKey(scope)],
      },
    ],
    async reconcile(_key, context) {
      const hcp = controlPlaneOf(scope);
      if (!hcp || hcp.metadata.deletionTimestamp || hcp.metadata.annotations?.[mark] === undefined) return;
      const waiting = scope.guest
        .list(corev1.nodes)
        .filter((node) => !isReady(node))
        .map(({ metadata }) => metadata.name);
      const message =
        waiting.length === 0
          ? 'Hosted cluster recovery finished'
          : `Hosted cluster recovery not finished yet: waiting for nodes ${waiting.slice(0, 10).join(', ')}`;
      const status = waiting.length === 0 ? 'True' : 'False';
      const condition = {
        type: 'HostedClusterRestoredFromBackup',
        status,
        reason: 'RecoveryFinished',
        message,
      } as const;
      await patchControlPlaneStatus(hcp, { conditions: [condition] }, context);
    },
  });
}
