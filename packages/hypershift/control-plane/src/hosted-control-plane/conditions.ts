import { labels, type HostedControlPlane } from '@hypershift-ts/hypershift-api';
import {
  type appsv1,
  type Condition,
  findCondition,
  isConditionFalse,
  isConditionTrue,
} from '@hypershift-ts/kube-apimachinery';
import type { InfrastructureStatus } from '../infrastructure/status.ts';

const allIsWell = 'All is well';
const condition = (type: string, status: Condition['status'], reason: string, message: string): Condition => ({
  type,
  status,
  reason,
  message,
});

/** Why an etcd member cannot get its volume. */
export interface PendingClaim {
  readonly name: string;
  readonly events: readonly string[];
}

export function etcdAvailable(
  { spec }: HostedControlPlane,
  statefulSet: appsv1.StatefulSet | undefined,
  pending?: PendingClaim,
): Condition {
  const is = (status: Condition['status'], reason: string, message: string) =>
    condition('EtcdAvailable', status, reason, message);
  if (spec.etcd.managementType === 'Unmanaged') {
    return is('True', 'EtcdRunning', 'Etcd cluster is assumed to be running in unmanaged state');
  }
  if (!statefulSet) return is('False', 'StatefulSetNotFound', '');
  const replicas = statefulSet.spec?.replicas ?? 1;
  if ((statefulSet.status?.readyReplicas ?? 0) >= Math.floor(replicas / 2) + 1)
    return is('True', 'QuorumAvailable', '');
  return is(
    'False',
    'EtcdWaitingForQuorum',
    pending
      ? `Etcd volume claim ${pending.name} pending: ${pending.events.join('; ')}`
      : 'Waiting for etcd to reach quorum',
  );
}

export function kubeApiServerAvailable(deployment: appsv1.Deployment | undefined): Condition {
  const type = 'KubeAPIServerAvailable';
  if (!deployment) return condition(type, 'False', 'NotFound', 'Kube APIServer deployment not found');
  return isConditionTrue(deployment.status?.conditions as readonly Condition[] | undefined, 'Available')
    ? condition(type, 'True', 'AsExpected', 'Kube APIServer deployment is available')
    : condition(type, 'False', 'WaitingForAvailable', 'Waiting for Kube APIServer deployment to become available');
}

/** Degraded covers StatefulSets as well: an etcd with a member missing is one failure away from an outage. */
export function degraded(
  deployments: readonly appsv1.Deployment[],
  statefulSets: readonly appsv1.StatefulSet[] = [],
): Condition {
  const ours = ({ metadata }: { readonly metadata: appsv1.Deployment['metadata'] }): boolean =>
    metadata.labels?.[labels.managedBy.key] === 'control-plane-operator';
  const lacking = [
    ...deployments.filter(ours).map(({ metadata, status }) => ({
      name: metadata.name ?? '',
      kind: 'deployment',
      missing: status?.unavailableReplicas ?? 0,
    })),
    ...statefulSets.filter(ours).map(({ metadata, spec, status }) => ({
      name: metadata.name ?? '',
      kind: 'statefulset',
      missing: (spec?.replicas ?? 1) - (status?.availableReplicas ?? 0),
    })),
  ]
    .filter(({ missing }) => missing > 0)
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, kind, missing }) => `${name} ${kind} has ${missing} unavailable replicas`);
  if (lacking.length === 0) return condition('Degraded', 'False', 'AsExpected', allIsWell);
  const message = lacking.length === 1 ? (lacking[0] ?? '') : `[${lacking.join(', ')}]`;
  return condition('Degraded', 'True', 'UnavailableReplicas', message);
}

export function infrastructureReady(status: InfrastructureStatus | Error): Condition {
  const type = 'InfrastructureReady';
  if (status instanceof Error) return condition(type, 'Unknown', 'InfraStatusFailure', status.message);
  if (status.ready) return condition(type, 'True', 'AsExpected', allIsWell);
  const message = status.message || 'Cluster infrastructure is still provisioning';
  return condition(type, 'False', 'WaitingOnInfrastructureReady', message);
}

/** `failure` is what a lookup of the external name answered; undefined when it resolved. */
export function externalDnsReachable(hostname: string | undefined, failure: string | undefined): Condition {
  const type = 'ExternalDNSReachable';
  if (!hostname) return condition(type, 'Unknown', 'StatusUnknown', 'External DNS is not configured');
  return failure === undefined
    ? condition(type, 'True', 'AsExpected', allIsWell)
    : condition(type, 'False', 'ExternalDNSHostNotReachable', failure);
}

/** `missing` names what the management cluster would need, such as the Route API. */
export function validConfiguration(missing: readonly string[]): Condition {
  const type = 'ValidHostedControlPlaneConfiguration';
  return missing.length === 0
    ? condition(type, 'True', 'AsExpected', 'Configuration passes validation')
    : condition(type, 'False', 'InsufficientClusterCapabilities', missing.join('; '));
}

export interface AvailabilityFacts {
  readonly conditions: readonly Condition[];
  readonly hasKubeconfig: boolean;
  /** What the probe of the published address found; undefined when it answered or is not asked. */
  readonly probeFailure?: string | undefined;
  /** Components without which it does not count as available, sorted; undefined when none have been created yet. */
  readonly unavailable: readonly string[] | undefined;
}

/** The one condition users look at: the first thing in the chain that is missing, from the ground up. */
export function available(facts: AvailabilityFacts): Condition {
  const no = (reason: string, message: string): Condition => condition('Available', 'False', reason, message);
  const failing = (type: string): Condition | undefined => {
    const found = findCondition(facts.conditions, type);
    return found && isConditionFalse(facts.conditions, type) ? no(found.reason ?? '', found.message ?? '') : undefined;
  };
  const ground = failing('InfrastructureReady');
  if (ground) return ground;
  if (!facts.hasKubeconfig) {
    return no('KubeconfigWaitingForCreate', 'Waiting for hosted control plane kubeconfig to be created');
  }
  const server = failing('EtcdAvailable') ?? failing('KubeAPIServerAvailable');
  if (server) return server;
  if (facts.probeFailure !== undefined) return no('KASLoadBalancerNotReachable', facts.probeFailure);
  const unknown = ['InfrastructureReady', 'EtcdAvailable', 'KubeAPIServerAvailable'].find(
    (type) => !isConditionTrue(facts.conditions, type),
  );
  if (unknown) return no('StatusUnknown', `${unknown} is not known yet`);
  if (facts.unavailable === undefined) {
    return no('ComponentsNotAvailable', 'Control plane components have not been created yet');
  }
  if (facts.unavailable.length > 0) {
    return no('ComponentsNotAvailable', `Waiting for components to be available: ${facts.unavailable.join(', ')}`);
  }
  return condition('Available', 'True', 'AsExpected', '');
}
