import type { KubeObject, ResourceType } from '@hypershift-ts/kube-apimachinery';
import { isNotFound } from '@hypershift-ts/kube-apimachinery';
import type { Client } from '@hypershift-ts/kube-client';
import { type Controller, controller, Manager, patchStatus } from '@hypershift-ts/kube-controller';
import { capiv1beta2 } from '@hypershift-ts/machines-cluster-api';
import { mapiv1beta1 } from '@hypershift-ts/machines-machine-api';
import { clusterApiNamespace, machineApiNamespace } from './keys.ts';

const paused = 'cluster.x-k8s.io/paused';
const infraFinalizer = 'played.infrastructure.cluster.x-k8s.io';

/** Objects that carry it are left alone, as if the controllers were down. */
export const deaf = 'example.com/deaf';

/** An InfraMachine of any platform. */
type Infra = ResourceType<KubeObject>;

/** One side's controller, as far as a handover and a deletion depend on it. */
interface Part<T extends KubeObject> {
  readonly type: ResourceType<T>;
  readonly namespace: string;
  readonly finalizer?: string;
  readonly isPaused: (object: T) => boolean;
  /** What must be gone before the object may go. */
  readonly remove?: (object: T) => Promise<boolean>;
}

function actor<T extends KubeObject>(
  { type, namespace, finalizer, isPaused, remove }: Part<T>,
  infra: Infra,
): Controller {
  return controller({
    name: `${type.kind} of ${type.group}`,
    for: { type, namespace },
    watches: [
      {
        type: infra,
        namespace: clusterApiNamespace,
        map: ({ metadata }) =>
          type === (capiv1beta2.machines as unknown) ? [{ namespace, name: metadata.name! }] : [],
      },
    ],
    async reconcile(key, { client, cache, clock }) {
      const object = cache.get(type, key, { namespace });
      if (!object || object.metadata.annotations?.[deaf] !== undefined) return;
      const stopped = isPaused(object);
      const condition = stopped
        ? { type: 'Paused', status: 'True' as const, reason: 'Paused', message: 'asked to pause' }
        : { type: 'Paused', status: 'False' as const, reason: 'NotPaused', message: 'at work' };
      const told = (await patchStatus(client, type, object, { conditions: [condition] }, { clock })) as T;
      if (stopped || !finalizer) return;
      const { finalizers = [], deletionTimestamp, resourceVersion } = told.metadata;
      const change = async (wanted: readonly string[]) => {
        const body = { metadata: { finalizers: wanted, resourceVersion } };
        await client.patch(type, key, { type: 'merge', body });
      };
      if (!deletionTimestamp && !finalizers.includes(finalizer)) await change([...finalizers, finalizer]);
      if (deletionTimestamp && finalizers.includes(finalizer) && (!remove || (await remove(told))))
        await change(finalizers.filter((other) => other !== finalizer));
    },
  });
}

const hasAuthority = ({ status }: mapiv1beta1.Machine | mapiv1beta1.MachineSet) =>
  status?.authoritativeAPI === 'MachineAPI';
const isAsked = ({ metadata }: KubeObject) => metadata.annotations?.[paused] !== undefined;

/** Asks the infrastructure to go, and answers whether it has. */
async function removeInfra({ metadata }: KubeObject, client: Client, infra: Infra): Promise<boolean> {
  const key = { name: metadata.name!, namespace: clusterApiNamespace };
  try {
    const { metadata: found } = await client.get(infra, key);
    if (!found.deletionTimestamp) await client.delete(infra, key);
    return false;
  } catch (error) {
    if (isNotFound(error)) return true;
    throw error;
  }
}

/** The controllers of both APIs: they pause when asked to, say so, and take instances away when they may. */
export function actors(client: Client, infra: Infra): Manager {
  const play = <T extends KubeObject>(part: Part<T>) => actor(part, infra);
  return new Manager({ client, gracePeriodMs: 1000 }).add(
    play<mapiv1beta1.Machine>({
      type: mapiv1beta1.machines,
      namespace: machineApiNamespace,
      finalizer: 'machine.machine.openshift.io',
      isPaused: (machine) => !hasAuthority(machine),
    }),
    play<mapiv1beta1.MachineSet>({
      type: mapiv1beta1.machinesets,
      namespace: machineApiNamespace,
      isPaused: (set) => !hasAuthority(set),
    }),
    play<capiv1beta2.Machine>({
      type: capiv1beta2.machines,
      namespace: clusterApiNamespace,
      finalizer: 'machine.cluster.x-k8s.io',
      isPaused: isAsked,
      remove: (machine) => removeInfra(machine, client, infra),
    }),
    play<capiv1beta2.MachineSet>({
      type: capiv1beta2.machinesets,
      namespace: clusterApiNamespace,
      finalizer: 'cluster.x-k8s.io/machineset',
      isPaused: isAsked,
    }),
    play<KubeObject>({
      type: infra,
      namespace: clusterApiNamespace,
      finalizer: infraFinalizer,
      isPaused: isAsked,
    }),
  );
}
