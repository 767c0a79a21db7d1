import type { schedulingv1 } from '@hypershift-ts/kube-apimachinery';

/** Control planes come before other workloads, the API server before its helpers, and etcd before the API server. */
const classes = [
  ['hypershift-control-plane', 100_000_000, 'Parts of a control plane that the API can do without for a while.'],
  ['hypershift-api-critical', 100_001_000, 'Parts of a control plane that serve the API.'],
  ['hypershift-etcd', 100_002_000, 'The stores of control planes.'],
  ['hypershift-operator', 100_003_000, 'The operator that looks after all control planes.'],
] as const;

/**
 * `globalDefault: false` is left unsaid: servers store it as nothing, so that whoever applied it second, with any other
 * field manager, would get a conflict over it.
 */
export function priorityClasses(): readonly schedulingv1.PriorityClass[] {
  return classes.map(([name, value, description]) => ({
    apiVersion: 'scheduling.k8s.io/v1',
    kind: 'PriorityClass',
    metadata: { name },
    value,
    description,
    // Nothing is evicted for a control plane; it only goes first. The operator may.
    ...(name === 'hypershift-operator' ? {} : { preemptionPolicy: 'Never' as const }),
  }));
}
