import type { ResourceType } from '@hypershift-ts/kube-apimachinery';
import { controllerOf } from '@hypershift-ts/kube-controller';
import { capiv1beta1 as capi } from '@hypershift-ts/machines-cluster-api';

/** What can be scaled: a MachineDeployment, or a MachineSet that belongs to none. */
export type Scalable = capi.MachineDeployment | capi.MachineSet;

const sizes = 'cluster.x-k8s.io/cluster-api-autoscaler-node-group';

/** Machines of one kind whose number the autoscaler may change between two bounds. */
export interface NodeGroup {
  /** `MachineDeployment/pool`: unique in its namespace. */
  readonly id: string;
  readonly type: ResourceType<Scalable>;
  readonly owner: Scalable;
  readonly min: number;
  readonly max: number;
  /** How many machines are asked for. */
  readonly target: number;
}

function boundOf(
  annotations: { readonly [key: string]: string } | undefined,
  which: 'min' | 'max',
): number | undefined {
  const text = annotations?.[`${sizes}-${which}-size`];
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}

/** The node group of an object, or undefined when it is not the autoscaler's to scale. */
export function nodeGroupOf(type: ResourceType<Scalable>, owner: Scalable): NodeGroup | undefined {
  const { annotations, deletionTimestamp, name } = owner.metadata;
  const [min, max] = [boundOf(annotations, 'min'), boundOf(annotations, 'max')];
  if (min === undefined || max === undefined || max === 0 || max < min || deletionTimestamp) return undefined;
  // A set copies its deployment's annotations, and only the deployment may size it.
  if (controllerOf(owner)?.kind === 'MachineDeployment') return undefined;
  return { id: `${type.kind}/${name}`, type, owner, min, max, target: owner.spec.replicas ?? 0 };
}

export function nodeGroups(
  deployments: readonly capi.MachineDeployment[],
  sets: readonly capi.MachineSet[],
): readonly NodeGroup[] {
  return [
    ...deployments.map((owner) => nodeGroupOf(capi.machinedeployments as ResourceType<Scalable>, owner)),
    ...sets.map((owner) => nodeGroupOf(capi.machinesets as ResourceType<Scalable>, owner)),
  ].filter((group) => group !== undefined);
}
