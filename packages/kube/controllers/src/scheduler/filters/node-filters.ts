import type { corev1 } from '@hypershift-ts/kube-apimachinery';
import { matchesNode } from '../../placement/node-affinity.ts';
import { podRequests } from '../../placement/pod-requests.ts';
import { tolerates, untoleratedTaint } from '../../placement/taints.ts';
import type { NodeState } from '../node-state.ts';
import type { Filter, Refusal } from './filter.ts';

type Pod = corev1.Pod;

const refusal = (reason: string, cause: Refusal['cause'], preemptible = false): Refusal => ({
  reasons: [reason],
  cause,
  preemptible,
});

const unschedulableTaint = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' };
const unschedulable = refusal('node(s) were unschedulable', 'node');
const wrongNode = refusal("node(s) didn't match Pod's node affinity/selector", 'node');
const portsTaken = refusal("node(s) didn't have free ports for the requested pod ports", 'ports', true);

export function unschedulableFilter({ spec }: Pod): Filter {
  const tolerated = spec.tolerations?.some((toleration) => tolerates(toleration, unschedulableTaint)) ?? false;
  return ({ node }) => (node.spec?.unschedulable && !tolerated ? unschedulable : undefined);
}

export function taintFilter({ spec }: Pod): Filter {
  return ({ node }) => {
    const taint = untoleratedTaint(node.spec?.taints, spec.tolerations, ['NoSchedule', 'NoExecute']);
    return taint && refusal(`node(s) had untolerated taint {${taint.key}: ${taint.value ?? ''}}`, 'node');
  };
}

export function nodeAffinityFilter({ spec }: Pod): Filter {
  return ({ node }) => (matchesNode(spec, node) ? undefined : wrongNode);
}

interface HostPort {
  readonly port: number;
  readonly protocol: string;
  readonly ip: string;
}

function hostPorts({ spec }: Pod): readonly HostPort[] {
  const ports: HostPort[] = [];
  for (const container of [...spec.containers, ...(spec.initContainers ?? [])]) {
    for (const { hostPort, protocol = 'TCP', hostIP } of container.ports ?? []) {
      if (hostPort) ports.push({ port: hostPort, protocol, ip: hostIP || '0.0.0.0' });
    }
  }
  return ports;
}

export function portFilter(pod: Pod): Filter | undefined {
  const wanted = hostPorts(pod);
  if (wanted.length === 0) return undefined;
  const clashes = (a: HostPort, b: HostPort) =>
    a.port === b.port && a.protocol === b.protocol && (a.ip === b.ip || a.ip === '0.0.0.0' || b.ip === '0.0.0.0');
  return ({ pods }) => {
    for (const other of pods.values()) {
      if (hostPorts(other).some((used) => wanted.some((port) => clashes(port, used)))) return portsTaken;
    }
    return undefined;
  };
}

export function resourceFilter(pod: Pod): Filter {
  const requests = Object.entries(podRequests(pod.spec)).filter(([, amount]) => amount > 0);
  return (state: NodeState) => {
    const { allocatable, requested, pods } = state;
    const reasons: string[] = [];
    let possible = true;
    if (pods.size + 1 > (allocatable['pods'] ?? 0)) {
      reasons.push('Too many pods');
      possible = (allocatable['pods'] ?? 0) >= 1;
    }
    for (const [resource, amount] of requests) {
      const room = allocatable[resource] ?? 0;
      if (amount <= room - (requested[resource] ?? 0)) continue;
      reasons.push(`Insufficient ${resource}`);
      if (amount > room) possible = false;
    }
    return reasons.length === 0 ? undefined : { reasons, cause: 'resources', preemptible: possible };
  };
}
