import type { corev1 } from '@hypershift-ts/kube-apimachinery';

/** What really happens behind a pod: our code in a process of ours, a program of the machine, nothing, or a real container. */
const podRuntimes = ['builtin', 'process', 'simulated', 'container'] as const;
type PodRuntime = (typeof podRuntimes)[number];

const simulatedAnnotation = 'hypershift-ts.io/runtime';
const ours = /^hypershift-ts:\/\/(builtin|process|simulated)\//;

/** How a pod is run; undefined before any container has started. A pod of several kinds counts as its first container. */
function runtimeOf({ metadata, status }: corev1.Pod): PodRuntime | undefined {
  const id = status?.containerStatuses?.find(({ containerID }) => containerID)?.containerID;
  if (!id) return metadata.annotations?.[simulatedAnnotation] === 'simulated' ? 'simulated' : undefined;
  return (ours.exec(id)?.[1] as PodRuntime | undefined) ?? 'container';
}

export type RuntimeCounts = { readonly [runtime in PodRuntime | 'pending']?: number };

export function runtimeCounts(pods: readonly corev1.Pod[]): RuntimeCounts {
  const counts: { [runtime in PodRuntime | 'pending']?: number } = {};
  for (const pod of pods) {
    if (pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed') continue;
    const runtime = runtimeOf(pod) ?? 'pending';
    counts[runtime] = (counts[runtime] ?? 0) + 1;
  }
  return counts;
}

/** `3 builtin, 12 simulated`. */
export function runtimeText(counts: RuntimeCounts): string {
  const parts = [...podRuntimes, 'pending' as const].flatMap((runtime) =>
    counts[runtime] ? [`${counts[runtime]} ${runtime}`] : [],
  );
  return parts.join(', ') || 'none';
}
