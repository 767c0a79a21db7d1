import type { corev1 } from '@hypershift-ts/kube-apimachinery';
import { selectorFor } from '@hypershift-ts/kube-controllers';
import { controllerOf } from '@hypershift-ts/kube-controller';
import type { Cluster, Machine, MachineDrainRule } from '../../generated/capiv1beta1.ts';
import { labels } from '../../keys.ts';

type Pod = corev1.Pod;

type Behavior = 'Drain' | 'Skip' | 'WaitCompleted';

/** What a drain does with a pod, and when: lower orders first. */
export interface PodFate {
  readonly behavior: Behavior;
  readonly order: number;
}

export interface DrainRules {
  readonly rules: readonly MachineDrainRule[];
  /** Labels of the pods' namespaces, for rules that select by them. */
  readonly namespaceLabels: ReadonlyMap<string, { readonly [key: string]: string }>;
}

/** The rules that apply to a Machine, in order of their names. */
export function rulesFor(
  all: readonly MachineDrainRule[],
  machine: Machine,
  cluster: Cluster,
): readonly MachineDrainRule[] {
  return all
    .filter(
      ({ spec }) =>
        !spec.machines?.length ||
        spec.machines.some(
          ({ selector, clusterSelector }) =>
            (!selector || selectorFor(selector).matches(machine.metadata.labels)) &&
            (!clusterSelector || selectorFor(clusterSelector).matches(cluster.metadata.labels)),
        ),
    )
    .sort((a, b) => ((a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1));
}

export function fateOf(pod: Pod, { rules, namespaceLabels }: DrainRules): PodFate {
  const skip: PodFate = { behavior: 'Skip', order: 0 };
  // Static pods and daemons belong to the node: evicting them brings them back.
  if (pod.metadata.annotations?.['kubernetes.io/config.mirror'] !== undefined) return skip;
  if (controllerOf(pod)?.kind === 'DaemonSet') return skip;
  const asked = pod.metadata.labels?.[labels.drain]?.toLowerCase();
  if (asked === 'skip') return skip;
  if (asked === 'wait-completed') return { behavior: 'WaitCompleted', order: 0 };
  const space = namespaceLabels.get(pod.metadata.namespace ?? '');
  const rule = rules.find(
    ({ spec }) =>
      !spec.pods?.length ||
      spec.pods.some(
        ({ selector, namespaceSelector }) =>
          (!selector || selectorFor(selector).matches(pod.metadata.labels)) &&
          (!namespaceSelector || selectorFor(namespaceSelector).matches(space)),
      ),
  );
  return { behavior: rule?.spec.drain.behavior ?? 'Drain', order: rule?.spec.drain.order ?? 0 };
}
