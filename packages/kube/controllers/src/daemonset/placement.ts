import type { appsv1, corev1 } from '@hypershift-ts/kube-apimachinery';
import { matchesNode } from '../placement/node-affinity.ts';
import { untoleratedTaint } from '../placement/taints.ts';

type DaemonSet = appsv1.DaemonSet;
type Node = corev1.Node;
type Pod = corev1.Pod;
type Toleration = corev1.Toleration;

const noSchedule = (key: string): Toleration => ({
  key: `node.kubernetes.io/${key}`,
  operator: 'Exists',
  effect: 'NoSchedule',
});
const noExecute = (key: string): Toleration => ({
  key: `node.kubernetes.io/${key}`,
  operator: 'Exists',
  effect: 'NoExecute',
});

/** Daemons stay where ordinary pods would leave. */
const daemonTolerations = ['not-ready', 'unreachable']
  .map(noExecute)
  .concat(['disk-pressure', 'memory-pressure', 'pid-pressure', 'unschedulable'].map(noSchedule));

/** The template's tolerations and those every daemon has. */
function tolerationsOf({ spec }: DaemonSet): readonly Toleration[] {
  const own = spec.template.spec.tolerations ?? [];
  const extra = spec.template.spec.hostNetwork
    ? [...daemonTolerations, noSchedule('network-unavailable')]
    : daemonTolerations;
  const missing = extra.filter(
    (toleration) => !own.some((one) => one.key === toleration.key && one.effect === toleration.effect),
  );
  return [...own, ...missing];
}

/** Whether a daemon belongs on the node, and whether one that is there may stay. */
export function fitsNode(set: DaemonSet, node: Node): { readonly run: boolean; readonly stay: boolean } {
  const { spec } = set.spec.template;
  if (spec.nodeName && spec.nodeName !== node.metadata.name) return { run: false, stay: false };
  if (!matchesNode(spec, node)) return { run: false, stay: false };
  const tolerations = tolerationsOf(set);
  const stay = !untoleratedTaint(node.spec?.taints, tolerations, ['NoExecute']);
  return { run: stay && !untoleratedTaint(node.spec?.taints, tolerations, ['NoSchedule']), stay };
}

/** The spec of the daemon for one node: any other affinity stays, the node's name is added to every term. */
export function specForNode(set: DaemonSet, node: string): corev1.PodSpec {
  const { spec } = set.spec.template;
  const fields = [{ key: 'metadata.name', operator: 'In', values: [node] }];
  const terms = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms;
  return {
    ...spec,
    tolerations: tolerationsOf(set),
    affinity: {
      ...spec.affinity,
      nodeAffinity: {
        ...spec.affinity?.nodeAffinity,
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: terms?.length
            ? terms.map((term) => ({ ...term, matchFields: fields }))
            : [{ matchFields: fields }],
        },
      },
    },
  };
}

/** The node a daemon runs on or is meant for. */
export function nodeOfPod({ spec }: Pod): string | undefined {
  if (spec.nodeName) return spec.nodeName;
  const terms = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms;
  for (const { matchFields } of terms ?? []) {
    const name = matchFields?.find(({ key, operator }) => key === 'metadata.name' && operator === 'In')?.values?.[0];
    if (name) return name;
  }
  return undefined;
}
