import type { corev1 } from '@hypershift-ts/kube-apimachinery';
import { corev1 as core } from '@hypershift-ts/kube-apimachinery';
import type { Client } from '@hypershift-ts/kube-client';
import { controllerOf } from '@hypershift-ts/kube-controller';
import type { Machine } from '../generated/capiv1beta1.ts';
import { nodeAnnotations, outdatedTaint, uninitializedTaint } from '../keys.ts';

type Node = corev1.Node;

/** Labels of a Machine that its Node gets: roles, and those that users put under a domain of restriction. */
export function isNodeLabel(key: string): boolean {
  const domain = key.split('/')[0] ?? '';
  return (
    domain === 'node-role.kubernetes.io' ||
    ['node-restriction.kubernetes.io', 'node.cluster.x-k8s.io'].some(
      (name) => domain === name || domain.endsWith(`.${name}`),
    )
  );
}

/** The merge patch that makes a Node tell of its Machine, or undefined when it does already. */
export function nodePatch(machine: Machine, node: Node, outdated = false): object | undefined {
  const owner = controllerOf(machine) ?? machine.metadata.ownerReferences?.[0];
  const wanted = Object.entries(machine.metadata.labels ?? {}).filter(([key]) => isNodeLabel(key));
  const managed = wanted.map(([key]) => key).sort();
  const annotations: { readonly [key: string]: string } = {
    [nodeAnnotations.clusterName]: machine.spec.clusterName,
    [nodeAnnotations.clusterNamespace]: machine.metadata.namespace ?? '',
    [nodeAnnotations.machine]: machine.metadata.name ?? '',
    ...(owner ? { [nodeAnnotations.ownerKind]: owner.kind, [nodeAnnotations.ownerName]: owner.name } : {}),
    [nodeAnnotations.labelsFromMachine]: managed.join(','),
    [nodeAnnotations.annotationsFromMachine]: '',
  };
  const before = node.metadata.annotations?.[nodeAnnotations.labelsFromMachine]?.split(',') ?? [];
  const labels = Object.fromEntries([
    ...before
      .filter((key) => key !== '' && !managed.includes(key) && node.metadata.labels?.[key] !== undefined)
      .map((key) => [key, null]),
    ...wanted.filter(([key, value]) => node.metadata.labels?.[key] !== value),
  ]);
  const changed = Object.entries(annotations).filter(([key, value]) => node.metadata.annotations?.[key] !== value);
  const taints = node.spec?.taints ?? [];
  const wantedTaints = taintsFor(taints, outdated);
  if (changed.length === 0 && Object.keys(labels).length === 0 && wantedTaints === taints) return undefined;
  return {
    metadata: {
      annotations: Object.fromEntries(changed),
      ...(Object.keys(labels).length === 0 ? {} : { labels }),
      ...(wantedTaints === taints ? {} : { resourceVersion: node.metadata.resourceVersion }),
    },
    ...(wantedTaints === taints ? {} : { spec: { taints: wantedTaints } }),
  };
}

type Taints = readonly corev1.Taint[];

/** The same list when nothing changes. */
function taintsFor(taints: Taints, outdated: boolean): Taints {
  const isOutdated = ({ key, effect }: corev1.Taint) => key === outdatedTaint.key && effect === outdatedTaint.effect;
  const kept = taints.filter((taint) => taint.key !== uninitializedTaint && (outdated || !isOutdated(taint)));
  const wanted = outdated && !kept.some(isOutdated) ? [...kept, outdatedTaint] : kept;
  return wanted.length === taints.length && wanted.every((taint, at) => taint === taints[at]) ? taints : wanted;
}

/** Writes what a Node says about its Machine, when that differs. */
export async function markNode(client: Client, machine: Machine, node: Node, outdated: boolean): Promise<void> {
  const body = nodePatch(machine, node, outdated);
  if (body) await client.patch(core.nodes, { name: node.metadata.name ?? '' }, { type: 'merge', body });
}
