import { type Condition, findCondition, isConditionFalse, isConditionTrue } from '@hypershift-ts/kube-apimachinery';
import { lastingOutages, unavailableComponents } from '../hosted-control-plane/components.ts';
import { available } from '../hosted-control-plane/conditions.ts';
import type { NetworkChecks } from './health/network-checks.ts';
import { apiServerSight, reportedComponents, startGraceMs } from './observe.ts';
import type { Pass } from './pass.ts';
import { componentCause } from './root-cause/component-cause.ts';

export interface Availability {
  readonly available: Condition;
  /** When the answer may change by time alone. */
  readonly againMs?: number | undefined;
}

/** A component of an available cluster may be away this long, which is longer than it takes to replace one. */
const outageGraceMs = 60_000;

const ground = ['InfrastructureReady', 'EtcdAvailable', 'KubeAPIServerAvailable'] as const;

/** Whether the control plane can be used, and if not, the one thing to look at. */
export async function availability(
  pass: Pass,
  checks: NetworkChecks,
  known: readonly Condition[],
  fields: object,
): Promise<Availability> {
  const before = findCondition(pass.hcp.status?.conditions, 'Available');
  const components = reportedComponents(pass);
  const lasting = before?.status === 'True' ? lastingOutages(components, pass.now, outageGraceMs) : undefined;
  const unavailable = lasting ? lasting.names : unavailableComponents(components);
  const verdict = available({
    conditions: known,
    hasKubeconfig: (fields as { readonly kubeConfig?: unknown }).kubeConfig != null,
    probeFailure: probeFailure(pass, checks, known, before?.status === 'True'),
    unavailable,
  });
  if (verdict.status === 'True') return { available: verdict, againMs: lasting?.nextMs };
  return explained(pass, verdict, before, suspectOf(known, unavailable));
}

/** What a look from outside found. While a new process has no answer yet, what was so before is believed. */
function probeFailure(
  pass: Pass,
  checks: NetworkChecks,
  known: readonly Condition[],
  wasAvailable: boolean,
): string | undefined {
  if (ground.some((type) => !isConditionTrue(known, type))) return undefined;
  const sight = apiServerSight(pass, checks);
  if (sight.known) return sight.failure;
  return wasAvailable ? undefined : 'health check to APIServer endpoint has not answered yet';
}

/** The component whose trouble explains the verdict, if one does. */
function suspectOf(known: readonly Condition[], unavailable: readonly string[] | undefined): string | undefined {
  if (isConditionFalse(known, 'InfrastructureReady')) return undefined;
  if (isConditionFalse(known, 'EtcdAvailable')) return 'etcd';
  if (isConditionFalse(known, 'KubeAPIServerAvailable')) return 'kube-apiserver';
  return unavailable?.[0];
}

/** The same verdict with its cause behind it, once the trouble is older than a start takes. */
async function explained(
  pass: Pass,
  verdict: Condition,
  before: Condition | undefined,
  suspect: string | undefined,
): Promise<Availability> {
  if (!suspect) return { available: verdict };
  const since = before?.status === 'False' ? Date.parse(before.lastTransitionTime ?? '') : pass.now;
  const leftMs = since + startGraceMs - pass.now;
  if (leftMs > 0) return { available: verdict, againMs: leftMs };
  const { causes } = pass.upkeep;
  const cause = await causes.of(suspect, pass.now, () => componentCause(pass, suspect));
  return { available: cause ? { ...verdict, message: `${verdict.message}: ${cause}` } : verdict };
}
