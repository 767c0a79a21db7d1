import { labels } from '@hypershift-ts/hypershift-api';
import { corev1, jsonEqual } from '@hypershift-ts/kube-apimachinery';
import { type Controller, controller, deleteIfPresent } from '@hypershift-ts/kube-controller';
import { capiv1beta1 } from '@hypershift-ts/machines-cluster-api';
import { machineKeyOf } from '../machines/of-node.ts';
import type { GuestScope } from '../options.ts';

/** Taints of the node termination handler: the cloud is about to take the machine away. */
const taintPrefix = 'aws-node-termination-handler/';
const signalAnnotation = 'hypershift.openshift.io/spot-interruption-signal';

/** Replaces machines the cloud takes away before they are gone, so that their pods move in time. */
export function spotRemediationController({ guest, management, options }: GuestScope): Controller {
  const { namespace } = options;
  return controller({
    name: 'spot-remediation',
    for: {
      type: corev1.nodes,
      cache: guest,
      predicate: { updated: (a, b) => !jsonEqual(a.spec?.taints, b.spec?.taints), deleted: () => false },
    },
    async reconcile(key, { client, log, signal }) {
      const node = guest.get(corev1.nodes, key);
      const warning = node?.spec?.taints?.find((taint) => taint.key.startsWith(taintPrefix))?.key;
      const machineKey = node && machineKeyOf(node);
      if (!warning || machineKey?.namespace !== namespace) return;
      const machine = management.get(capiv1beta1.machines, machineKey, { namespace });
      if (!machine || machine.metadata.deletionTimestamp) return;
      if (machine.metadata.labels?.[labels.interruptibleInstance.key] === undefined) return;
      if (machine.metadata.annotations?.[signalAnnotation] !== warning) {
        const body = { metadata: { annotations: { [signalAnnotation]: warning } } };
        await client.patch(capiv1beta1.machines, machineKey, { type: 'merge', body }, { signal });
      }
      log.info(
        { machine: machineKey.name, node: key.name, taint: warning },
        'replacing a machine the cloud takes away',
      );
      await deleteIfPresent(client, capiv1beta1.machines, machineKey, { live: machine, signal });
    },
  });
}
