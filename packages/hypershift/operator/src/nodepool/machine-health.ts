/** What the machines of a pool say together. */
import type { NodePool, NodePoolConditionType } from '@hypershift-ts/hypershift-api';
import { findCondition } from '@hypershift-ts/kube-apimachinery';
import type { capiv1beta1 } from '@hypershift-ts/machines-cluster-api';
import { blockedDrains } from './blocked-drains.ts';
import { fails, holds, type PoolVerdict } from './report.ts';

type Machine = capiv1beta1.Machine;

/** Why one machine is not as it should be. */
export interface Complaint {
  readonly machine: string;
  readonly reason: string;
  readonly message: string;
}

const mostPerReason = 1000;
const mostInAll = 3000;
const mostReason = 1024;
/** Progress of Cluster API, which changes all the time and tells nothing. */
const counter = /\d+ of \d+ completed/;

/** Many complaints as one condition. `what` is what the machines should be: ready, healthy, ... */
export function summarised(
  type: NodePoolConditionType,
  what: string,
  total: number,
  complaints: readonly Complaint[],
): PoolVerdict {
  if (complaints.length === 0) return holds(type, 'All is well');
  const byReason = new Map<string, Complaint[]>();
  for (const complaint of complaints)
    byReason.set(complaint.reason, [...(byReason.get(complaint.reason) ?? []), complaint]);
  const reasons = [...byReason.keys()].sort();
  let message = `${complaints.length} of ${total} machines are not ${what}\n`;
  for (const reason of reasons) message += linesOf(byReason.get(reason) ?? []);
  if (message.length > mostInAll) message = `${message.slice(0, mostInAll)}... message truncated\n`;
  return fails(type, joinedReasons(reasons), message);
}

function linesOf(complaints: readonly Complaint[]): string {
  let text = '';
  for (const { machine, reason, message } of complaints) {
    text += `Machine ${machine}: ${reason}${message ? `: ${message}` : ''}\n`;
    if (text.length > mostPerReason) return `${text}... too many similar errors\n`;
  }
  return text;
}

function joinedReasons(reasons: readonly string[]): string {
  const joined = reasons.join(',');
  const suffix = ',ReasonsTruncated';
  return joined.length <= mostReason ? joined : `${joined.slice(0, mostReason - suffix.length)}${suffix}`;
}

function readyComplaint(machine: Machine): Complaint | undefined {
  const name = machine.metadata.name ?? '';
  const [drain] = blockedDrains([machine]);
  if (drain) return { machine: name, reason: drain.reason, message: drain.message };
  const ready = findCondition(machine.status?.conditions, 'Ready');
  if (!ready) return { machine: name, reason: 'WaitingForInfrastructure', message: '' };
  if (ready.status === 'True') return undefined;
  const infrastructure = findCondition(machine.status?.conditions, 'InfrastructureReady');
  const telling =
    infrastructure && infrastructure.status !== 'True' && !counter.test(infrastructure.message ?? '')
      ? infrastructure
      : ready;
  const message = telling.message ?? '';
  return { machine: name, reason: telling.reason || 'NotReady', message: counter.test(message) ? '' : message };
}

function healthComplaint({ metadata, status }: Machine): Complaint | undefined {
  const name = metadata.name ?? '';
  const healthy = findCondition(status?.conditions, 'NodeHealthy');
  if (!healthy) return { machine: name, reason: 'WaitingForNodeRef', message: '' };
  if (healthy.status === 'True') return undefined;
  return { machine: name, reason: healthy.reason || 'NodeNotHealthy', message: healthy.message ?? '' };
}

/** AllMachinesReady and AllNodesHealthy. */
export function machineVerdicts(pool: NodePool, machines: readonly Machine[]): readonly PoolVerdict[] {
  const types = ['AllMachinesReady', 'AllNodesHealthy'] as const;
  if (machines.length === 0)
    return types.map((type) =>
      pool.spec.replicas === 0
        ? fails(type, 'AsExpected', 'NodePool set to no replicas')
        : fails(type, 'NotFound', 'No Machines are created'),
    );
  return [
    summarised(
      types[0],
      'ready',
      machines.length,
      machines.flatMap((machine) => readyComplaint(machine) ?? []),
    ),
    summarised(
      types[1],
      'healthy',
      machines.length,
      machines.flatMap((machine) => healthComplaint(machine) ?? []),
    ),
  ];
}
