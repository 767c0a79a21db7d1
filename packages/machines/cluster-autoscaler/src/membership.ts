import type { corev1 } from '@hypershift-ts/kube-apimachinery';
import { controllerOf } from '@hypershift-ts/kube-controller';
import type { capiv1beta1 as capi } from '@hypershift-ts/machines-cluster-api';
import type { AutoscalerFlags } from './flags.ts';
import type { NodeGroup } from './node-group.ts';
import type { Member } from './scale-down.ts';

export const deleteMachine = 'cluster.x-k8s.io/delete-machine';

/** Which nodes belong to which group, and how many machines of each have yet to become nodes. */
export interface Memberships {
  readonly members: readonly Member[];
  readonly upcoming: ReadonlyMap<string, number>;
  /** Machines that did not become nodes in time, by group. */
  readonly late: ReadonlyMap<string, readonly capi.Machine[]>;
  /** When the next machine will be late unless it becomes a node; infinite when none is awaited. */
  readonly nextLateMs: number;
}

export interface MembershipInputs {
  readonly groups: readonly NodeGroup[];
  readonly machines: readonly capi.Machine[];
  readonly sets: readonly capi.MachineSet[];
  readonly nodes: readonly corev1.Node[];
  readonly flags: AutoscalerFlags;
  readonly nowMs: number;
}

export function memberships({ groups, machines, sets, nodes, flags, nowMs }: MembershipInputs): Memberships {
  const byId = new Map(groups.map((group) => [group.id, group]));
  const groupOfSet = new Map(sets.map((set) => [set.metadata.name, byId.get(groupId(set))]));
  const nodeByProvider = new Map(nodes.map((node) => [node.spec?.providerID ?? '', node]));
  const members: Member[] = [];
  const present = new Map<string, number>();
  const late = new Map<string, capi.Machine[]>();
  let nextLateMs = Number.POSITIVE_INFINITY;
  for (const machine of machines) {
    const { deletionTimestamp, annotations, creationTimestamp } = machine.metadata;
    const owner = controllerOf(machine);
    const group = owner?.kind === 'MachineSet' ? groupOfSet.get(owner.name) : undefined;
    if (!group || deletionTimestamp || annotations?.[deleteMachine] !== undefined) continue;
    const node = machine.spec.providerID ? nodeByProvider.get(machine.spec.providerID) : undefined;
    if (node) members.push({ node, machine, group });
    else {
      const lateMs = Date.parse(creationTimestamp ?? '') + flags.maxNodeProvisionTimeMs;
      if (lateMs > nowMs) {
        nextLateMs = Math.min(nextLateMs, lateMs);
        continue;
      }
      late.set(group.id, [...(late.get(group.id) ?? []), machine]);
    }
    present.set(group.id, (present.get(group.id) ?? 0) + 1);
  }
  const upcoming = new Map(groups.map(({ id, target }) => [id, Math.max(target - (present.get(id) ?? 0), 0)]));
  return { members, upcoming, late, nextLateMs };
}

/** The group that sizes a set: its deployment's, or its own. */
function groupId(set: capi.MachineSet): string {
  const owner = controllerOf(set);
  return owner?.kind === 'MachineDeployment' ? `MachineDeployment/${owner.name}` : `MachineSet/${set.metadata.name}`;
}
