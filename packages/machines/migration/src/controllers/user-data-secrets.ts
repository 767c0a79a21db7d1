import { corev1, type KubeObject, type ObjectKey } from '@hypershift-ts/kube-apimachinery';
import type { InformerCache } from '@hypershift-ts/kube-client';
import { type Controller, controller, hasFinalizer } from '@hypershift-ts/kube-controller';
import { capiv1beta2 } from '@hypershift-ts/machines-cluster-api';
import { machineApiNamespace, syncFinalizer } from '../conversion/names.ts';
import { desiredUserData, isSameSecret, workerUserData } from '../surroundings/user-data.ts';
import { inClusterApi, inMachineApi } from './scope.ts';
import { byName, clusterApiWatch, everyClusterApi } from './watches.ts';

/** The secret that the machines of an object boot from, when its copy in the Machine API names the same. */
function bootsFrom(object: KubeObject, { dataSecretName }: { readonly dataSecretName?: string }): readonly string[] {
  return dataSecretName && hasFinalizer(object, syncFinalizer) ? [dataSecretName] : [];
}

const ofMachine = (machine: capiv1beta2.Machine) => bootsFrom(machine, machine.spec.bootstrap);
const ofSet = (set: capiv1beta2.MachineSet) => bootsFrom(set, set.spec.template.spec.bootstrap);
const keys = (names: readonly string[]): readonly ObjectKey[] => names.map(inMachineApi);

function isUsed(name: string, cache: InformerCache): boolean {
  return (
    name === workerUserData ||
    everyClusterApi(capiv1beta2.machines, cache).some((machine) => ofMachine(machine).includes(name)) ||
    everyClusterApi(capiv1beta2.machinesets, cache).some((set) => ofSet(set).includes(name))
  );
}

/** Brings user data to where the copies of machines look for it. */
export function userDataSecretController(): Controller {
  return controller({
    name: 'SecretSyncController',
    for: { type: corev1.secrets, namespace: machineApiNamespace },
    watches: [
      clusterApiWatch(corev1.secrets, byName),
      clusterApiWatch(capiv1beta2.machines, (machine) => keys(ofMachine(machine))),
      clusterApiWatch(capiv1beta2.machinesets, (set) => keys(ofSet(set))),
    ],
    async reconcile(key, { cache, client, log }) {
      const source = cache.get(corev1.secrets, key, { namespace: machineApiNamespace });
      if (!source || !isUsed(key.name, cache)) return;
      const desired = desiredUserData(source);
      if (!desired) {
        log.warn({ secret: key.name }, 'machines boot from a secret without userData; it is not copied');
        return;
      }
      const target = inClusterApi(key.name);
      const stored = cache.get(corev1.secrets, target, { namespace: target.namespace });
      if (!stored) await client.create(corev1.secrets, desired);
      else if (isSameSecret(stored, desired)) return;
      // What cannot change makes room; the event of its going brings the new one.
      else if (stored.immutable || stored.type !== (desired.type ?? 'Opaque'))
        await client.delete(corev1.secrets, target);
      else await client.update(corev1.secrets, { ...stored, ...desired, metadata: stored.metadata });
    },
  });
}
