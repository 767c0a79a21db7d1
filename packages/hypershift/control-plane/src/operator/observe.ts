import { controlPlaneComponents } from '@hypershift-ts/hypershift-api';
import { appsv1, type Condition, findCondition } from '@hypershift-ts/kube-apimachinery';
import { missingCapabilities } from '../hosted-control-plane/capabilities.ts';
import {
  degraded,
  etcdAvailable,
  externalDnsReachable,
  infrastructureReady,
  kubeApiServerAvailable,
  type PendingClaim,
  validConfiguration,
} from '../hosted-control-plane/conditions.ts';
import { reconciliationActive } from '../hosted-control-plane/pause.ts';
import { isPublic, strategyFor } from '../infrastructure/publishing.ts';
import { cloudConditions } from './cloud.ts';
import { healthTarget } from './health/health-target.ts';
import type { NetworkChecks } from './health/network-checks.ts';
import type { Sight } from './health/outlook.ts';
import type { Pass } from './pass.ts';
import { pendingClaimOf } from './root-cause/pending-claims.ts';

/** The conditions that follow from what is in the namespace, whatever the steps did. */
export async function observedConditions(pass: Pass, checks: NetworkChecks): Promise<readonly Condition[]> {
  const { hcp, lookup, infrastructure } = pass;
  const etcd = lookup.get(appsv1.statefulsets, 'etcd');
  const etcdCondition = etcdAvailable(hcp, etcd);
  const pending = etcd && isLasting(pass, etcdCondition) ? await claims(pass) : undefined;
  return [
    validConfiguration(missingCapabilities(pass)),
    reconciliationActive(hcp, pass.now),
    pending ? etcdAvailable(hcp, etcd, pending) : etcdCondition,
    kubeApiServerAvailable(lookup.get(appsv1.deployments, 'kube-apiserver')),
    degraded(lookup.list(appsv1.deployments), lookup.list(appsv1.statefulsets)),
    infrastructureReady(infrastructure ?? { ready: false, message: '' }),
    externalDns(pass, checks),
    ...cloudConditions(pass),
  ];
}

function claims(pass: Pass): Promise<PendingClaim | undefined> {
  return pass.upkeep.causes.of('volume claims', pass.now, () => pendingClaimOf(pass));
}

/** Nobody asks why something is not up while it is just starting. */
export const startGraceMs = 3000;

/** Whether a condition has been False for longer than a start takes. */
function isLasting({ hcp, now }: Pass, { type, status }: Condition): boolean {
  const before = findCondition(hcp.status?.conditions, type);
  if (status !== 'False' || before?.status !== 'False') return false;
  return Date.parse(before.lastTransitionTime ?? '') + startGraceMs <= now;
}

/** Whether the name that users know the API server by exists. */
function externalDns(pass: Pass, checks: NetworkChecks): Condition {
  const strategy = isPublic(pass) ? strategyFor(pass, 'APIServer') : undefined;
  const hostname = strategy?.loadBalancer?.hostname ?? strategy?.route?.hostname;
  const { outlook } = pass.upkeep;
  if (!hostname) {
    outlook.forget('dns');
    return externalDnsReachable(undefined, undefined);
  }
  const sight = outlook.look('dns', hostname, '', (signal) => checks.resolves(hostname, signal));
  if (sight.known) return externalDnsReachable(hostname, sight.failure);
  const before = findCondition(pass.hcp.status?.conditions, 'ExternalDNSReachable');
  return before ?? externalDnsReachable(hostname, `lookup of ${hostname} has not answered yet`);
}

/** The API server as its clients see it. Asked again at once when its Deployment or the components behind it change. */
export function apiServerSight(pass: Pass, checks: NetworkChecks): Sight {
  const { lookup, upkeep } = pass;
  const target = healthTarget(pass);
  const server = lookup.get(appsv1.deployments, 'kube-apiserver');
  if (!target || !server?.status?.availableReplicas) {
    upkeep.outlook.forget('health');
    return { known: true, failure: undefined };
  }
  const store = lookup.get(appsv1.statefulsets, 'etcd')?.status?.readyReplicas ?? 0;
  const reason = `${server.status.availableReplicas} ${server.status.updatedReplicas ?? 0} ${store}`;
  const text = `${target.host}:${target.port}`;
  return upkeep.outlook.look('health', text, reason, (signal) => checks.apiServerHealth(target, signal));
}

/** Everything that reports as a component, wherever it is run from. */
export function reportedComponents({ lookup }: Pass) {
  return lookup.list(controlPlaneComponents);
}
