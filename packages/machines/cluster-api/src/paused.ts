import type { KubeObject, ResourceType } from '@hypershift-ts/kube-apimachinery';
import type { ReconcileContext } from '@hypershift-ts/kube-controller';
import { newState, withNewStates } from './conditions/v1beta2.ts';
import type { Cluster, MachineStatusV1beta2 } from './generated/capiv1beta1.ts';
import { annotations, hasAnnotation } from './keys.ts';
import { writeStatus } from './upkeep.ts';

interface Pausable extends KubeObject {
  readonly status?: { readonly v1beta2?: MachineStatusV1beta2 };
}

/** Paused by itself or with its whole cluster. */
export function isPaused(cluster: Pick<Cluster, 'spec'> | undefined, object: KubeObject): boolean {
  return cluster?.spec.paused === true || hasAnnotation(object, annotations.paused);
}

/** What paused it, for people. */
function pausedBy(cluster: Pick<Cluster, 'spec'> | undefined, object: KubeObject): string {
  return [
    ...(cluster?.spec.paused ? ['Cluster spec.paused is set to true'] : []),
    ...(hasAnnotation(object, annotations.paused) ? [`${object.kind} has the ${annotations.paused} annotation`] : []),
  ].join(', ');
}

/** Nothing is done for a paused object but to say so. */
export async function tellPaused<T extends Pausable>(
  type: ResourceType<T>,
  object: T,
  cluster: Pick<Cluster, 'spec'> | undefined,
  { client, clock }: ReconcileContext,
): Promise<undefined> {
  const { v1beta2 } = object.status ?? {};
  const paused = [newState('Paused', 'True', 'Paused', pausedBy(cluster, object))];
  const conditions = withNewStates(v1beta2?.conditions, paused, object.metadata.generation, clock.now());
  const status = { ...object.status, v1beta2: { ...v1beta2, conditions } };
  // The statuses of the five kinds share this part and keep the rest of their own.
  await writeStatus(client, type, object, status as NonNullable<T['status']>);
  return undefined;
}
