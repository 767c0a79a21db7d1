import { type Condition, isConditionFalse } from '@hypershift-ts/kube-apimachinery';
import { available } from '../hosted-control-plane/conditions.ts';
import { unavailableComponents } from '../hosted-control-plane/components.ts';
import type { NetworkChecks } from './health/network-checks.ts';
import { apiServerSight, reportedComponents } from './observe.ts';
import type { Pass } from './pass.ts';

export interface Availability {
  readonly available: Condition;
  /** When the answer may change by time alone. */
  readonly againMs?: number;
}

/** Whether the control plane can be used, from what was just found out and what was so before. */
export async function availability(
  pass: Pass,
  checks: NetworkChecks,
  known: readonly Condition[],
  fields: object,
): Promise<Availability> {
  const before = pass.hcp.status?.conditions?.filter(({ type }) => type === 'Available') ?? [];
  const isUp = !['InfrastructureReady', 'EtcdAvailable', 'KubeAPIServerAvailable'].some((t) =>
    isConditionFalse(known, t),
  );
  const sight = isUp ? apiServerSight(pass, checks) : ({ known: true, failure: undefined } as const);
  const result = available({
    conditions: [...known, ...(before as readonly Condition[])],
    hasKubeconfig: (fields as { kubeConfig?: unknown }).kubeConfig != null,
    probeFailure: sight.known ? sight.failure : 'health check to APIServer endpoint has not answered yet',
    unavailable: unavailableComponents(reportedComponents(pass)),
  });
  return { available: result };
}
