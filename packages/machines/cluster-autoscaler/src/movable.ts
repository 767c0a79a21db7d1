import type { corev1, LabelSelector, policyv1 } from '@hypershift-ts/kube-apimachinery';
import { controllerOf } from '@hypershift-ts/kube-controller';
import { isPodFinished, selectorFor } from '@hypershift-ts/kube-controllers';
import type { AutoscalerFlags } from './flags.ts';
import { isDaemon } from './template-node.ts';

type Pod = corev1.Pod;
type Budget = policyv1.PodDisruptionBudget;

const safeToEvict = 'cluster-autoscaler.kubernetes.io/safe-to-evict';
const safeVolumes = 'cluster-autoscaler.kubernetes.io/safe-to-evict-local-volumes';

/** Controllers that are known to make another pod in place of one that is gone. */
const replacing = new Set(['ReplicationController', 'ReplicaSet', 'StatefulSet', 'Job']);

/** What must move before a node may go, or why it may not go. */
export type Moving = { readonly pods: readonly Pod[] } | { readonly blocked: string };

export function podsToMove(pods: readonly Pod[], budgets: readonly Budget[], flags: AutoscalerFlags): Moving {
  const moving = pods.filter((pod) => !isDaemon(pod) && !isPodFinished(pod) && !pod.metadata.deletionTimestamp);
  const left = new Map(budgets.map((budget) => [budget, budget.status?.disruptionsAllowed ?? 0]));
  for (const pod of moving) {
    const problem = problemOf(pod, flags, budgets) ?? spend(pod, left);
    if (problem) return { blocked: `pod ${pod.metadata.namespace}/${pod.metadata.name} ${problem}` };
  }
  return { pods: moving };
}

const selects = ({ metadata, spec }: Budget, pod: Pod) =>
  metadata.namespace === pod.metadata.namespace &&
  selectorFor(spec?.selector as LabelSelector | undefined).matches(pod.metadata.labels);

function problemOf(pod: Pod, flags: AutoscalerFlags, budgets: readonly Budget[]): string | undefined {
  const { annotations = {}, namespace } = pod.metadata;
  if (annotations[safeToEvict] === 'false') return `is marked ${safeToEvict}: "false"`;
  if (annotations[safeToEvict] === 'true') return undefined;
  const controller = controllerOf(pod);
  if (!controller) return 'has no controller that would replace it';
  if (flags.skipNodesWithCustomControllerPods && !replacing.has(controller.kind))
    return `belongs to a ${controller.kind}, which may not replace it`;
  if (flags.skipNodesWithSystemPods && namespace === 'kube-system' && !budgets.some((budget) => selects(budget, pod))) {
    return 'is a system pod without a PodDisruptionBudget';
  }
  return flags.skipNodesWithLocalStorage && hasLocalStorage(pod) ? 'keeps data on the node' : undefined;
}

function hasLocalStorage({ metadata, spec }: Pod): boolean {
  const safe = (metadata.annotations?.[safeVolumes] ?? '').split(',');
  return (spec.volumes ?? []).some(
    ({ name, emptyDir, hostPath }) => (hostPath || (emptyDir && emptyDir.medium !== 'Memory')) && !safe.includes(name),
  );
}

/** Every budget of a pod must allow it to go, together with the others that go with it. */
function spend(pod: Pod, left: Map<Budget, number>): string | undefined {
  for (const [budget, allowed] of left) {
    if (!selects(budget, pod)) continue;
    if (allowed <= 0) return `is held by PodDisruptionBudget ${budget.metadata.name}`;
    left.set(budget, allowed - 1);
  }
  return undefined;
}
