import { annotations, labels } from '@hypershift-ts/hypershift-api';
import type { corev1 } from '@hypershift-ts/kube-apimachinery';
import type { capiv1beta1 } from '@hypershift-ts/machines-cluster-api';
import { nodePoolNameOf } from '../machines/of-node.ts';

/** Labels of a Machine with this prefix belong on its Node, without it. */
const managedPrefix = 'managed.hypershift.openshift.io.';
/** Ours: what the operator put on a Node, so that it can take it away again. */
const ownedMark = 'hypershift-ts.io/node-pool-properties';

interface Taint {
  readonly key: string;
  readonly value?: string;
  readonly effect: string;
}

export interface PoolProperties {
  readonly labels: { readonly [key: string]: string };
  readonly taints: readonly Taint[];
}

/** What the NodePool wants on a Machine's Node; undefined while it has not said so. */
export function poolProperties(machine: capiv1beta1.Machine): PoolProperties | undefined {
  const pool = nodePoolNameOf(machine);
  if (!pool) return undefined;
  const text = machine.metadata.annotations?.[annotations.nodePoolTaints.key];
  // The NodePool writes it; the change of the Machine brings the node back.
  if (text === undefined) return undefined;
  const own = Object.entries(machine.metadata.labels ?? {})
    .filter(([key]) => key.startsWith(managedPrefix))
    .map(([key, value]) => [key.slice(managedPrefix.length), value]);
  return { labels: { ...Object.fromEntries(own), [labels.nodePool.key]: pool }, taints: parseTaints(text, machine) };
}

function parseTaints(text: string, { metadata }: capiv1beta1.Machine): readonly Taint[] {
  const parsed: unknown = JSON.parse(text);
  if (parsed === null) return [];
  const isTaint = (value: unknown): value is Taint =>
    typeof value === 'object' && value !== null && 'key' in value && 'effect' in value;
  if (Array.isArray(parsed) && parsed.every(isTaint)) return parsed;
  throw new Error(
    `annotation ${annotations.nodePoolTaints.key} of Machine ${metadata.namespace}/${metadata.name} is no list of taints`,
  );
}

/** Body of the merge patch that gives a Node the properties of its pool; undefined when there is nothing to change. */
export function nodePatch(node: corev1.Node, wanted: PoolProperties, keepInSync: boolean): object | undefined {
  const isSynced = node.metadata.annotations?.[annotations.labelsSynced.key] === 'true';
  const before = isSynced ? ownedBy(node) : { labels: {}, taints: [] };
  // Nodes that were set up without a record keep what they have: nobody can tell what is whose.
  if (isSynced && (!keepInSync || !before)) return undefined;
  const record = JSON.stringify(wanted);
  if (isSynced && node.metadata.annotations?.[ownedMark] === record) return undefined;
  const dropped = Object.keys(before?.labels ?? {}).filter((key) => !(key in wanted.labels));
  const taints = nextTaints((node.spec?.taints ?? []) as readonly Taint[], before?.taints ?? [], wanted.taints);
  return {
    metadata: {
      resourceVersion: node.metadata.resourceVersion,
      labels: { ...Object.fromEntries(dropped.map((key) => [key, null])), ...wanted.labels },
      annotations: { [annotations.labelsSynced.key]: 'true', ...(keepInSync ? { [ownedMark]: record } : {}) },
    },
    spec: { taints },
  };
}

function nextTaints(live: readonly Taint[], before: readonly Taint[], wanted: readonly Taint[]): readonly Taint[] {
  const others = live.filter((taint) => !before.some(same(taint)) && !wanted.some(same(taint)));
  return [...others, ...wanted];
}

/** A taint is told apart by key and effect. */
const same = (taint: Taint) => (other: Taint) => other.key === taint.key && other.effect === taint.effect;

function ownedBy(node: corev1.Node): PoolProperties | undefined {
  const text = node.metadata.annotations?.[ownedMark];
  try {
    return text === undefined ? undefined : (JSON.parse(text) as PoolProperties);
  } catch {
    return undefined;
  }
}
