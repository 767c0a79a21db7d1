import { formatTime } from '@hypershift-ts/kube-apimachinery';
import type { PodWorkers } from '../pod/pod-workers.ts';

/** How many containers there are by runtime and state, in Prometheus' text format. */
export function nodeMetrics(workers: PodWorkers): string {
  const counts = new Map<string, number>();
  for (const { units } of workers.all())
    for (const { runtime, phase } of units) {
      const labels = `{runtime="${runtime?.name ?? 'none'}",container_state="${phase.kind}"}`;
      counts.set(labels, (counts.get(labels) ?? 0) + 1);
    }
  return [
    '# HELP kubelet_working_pods Number of pods the kubelet is working on.',
    '# TYPE kubelet_working_pods gauge',
    `kubelet_working_pods ${workers.size}`,
    '# HELP kubelet_running_containers Number of containers by runtime and state.',
    '# TYPE kubelet_running_containers gauge',
    ...[...counts].map(([labels, count]) => `kubelet_running_containers${labels} ${count}`),
    '',
  ].join('\n');
}

/** The least that readers of /stats/summary expect; usage is not measured per container. */
export function statsSummary(workers: PodWorkers, nowMs: number): object {
  return {
    node: { nodeName: [...workers.all()][0]?.pod.spec?.nodeName ?? '', startTime: formatTime(nowMs) },
    pods: [...workers.all()].map(({ pod, units }) => ({
      podRef: { name: pod.metadata.name, namespace: pod.metadata.namespace, uid: pod.metadata.uid },
      startTime: pod.status?.startTime ?? null,
      containers: units.map(({ container }) => ({ name: container.name })),
    })),
  };
}
