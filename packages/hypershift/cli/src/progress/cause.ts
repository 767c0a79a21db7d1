import { healthyHostedClusterConditions, type HostedCluster, type NodePool } from '@hypershift-ts/hypershift-api';
import { findCondition, isConditionTrue } from '@hypershift-ts/kube-apimachinery';

/** Why something is not as it should be, in the words of the object that knows best. */
export interface Cause {
  /** `HostedCluster clusters/demo`, or what is inside it. */
  readonly subject: string;
  /** The condition that tells, when one does. */
  readonly condition?: string;
  readonly reason?: string;
  readonly message: string;
}

type Condition = {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
};

/**
 * Conditions of a HostedCluster from causes to effects: what comes first explains what comes later, so the first one that
 * is wrong is the one to look at.
 */
const fromCauseToEffect = [
  'ValidConfiguration',
  'SupportedHostedCluster',
  'ValidProxyConfiguration',
  'ValidReleaseImage',
  'PlatformCredentialsFound',
  'ValidGCPWorkloadIdentity',
  'ValidGCPCredentials',
  'ReconciliationActive',
  'UnmanagedEtcdAvailable',
  'ValidHostedControlPlaneConfiguration',
  'ValidReleaseInfo',
  'InfrastructureReady',
  'EtcdAvailable',
  'KubeAPIServerAvailable',
  'ValidOIDCConfiguration',
];

export const subjectOf = (kind: string, { metadata }: Pick<HostedCluster, 'metadata'>) =>
  `${kind} ${metadata.namespace}/${metadata.name}`;

function causeFrom(subject: string, condition: Condition): Cause {
  return {
    subject,
    condition: condition.type,
    ...(condition.reason ? { reason: condition.reason } : {}),
    message: condition.message || `${condition.type} is ${condition.status}`,
  };
}

function deletionCause(cluster: HostedCluster): Cause {
  const subject = subjectOf('HostedCluster', cluster);
  const conditions = cluster.status?.conditions;
  const told =
    findCondition(conditions, 'HostedClusterDeleting') ??
    findCondition(conditions, 'HostedClusterDestroyed') ??
    findCondition(conditions, 'CloudResourcesDestroyed');
  if (told) return causeFrom(subject, told);
  const holders = cluster.metadata.finalizers ?? [];
  return { subject, message: `it is being deleted, held by ${holders.join(', ') || 'nothing'}` };
}

/** The reason why a cluster is not available; undefined when it is. */
export function clusterCause(cluster: HostedCluster): Cause | undefined {
  const subject = subjectOf('HostedCluster', cluster);
  const conditions = cluster.status?.conditions ?? [];
  if (cluster.metadata.deletionTimestamp) return deletionCause(cluster);
  if (isConditionTrue(conditions, 'Available')) return undefined;
  if (conditions.length === 0)
    return { subject, message: 'no operator has looked at it yet; is `hypershift operator run` running?' };
  const healthy = healthyHostedClusterConditions(cluster);
  const first = fromCauseToEffect
    .map((type) => findCondition(conditions, type))
    .find((condition) => condition?.status === 'False' && healthy.get(condition.type) !== 'False');
  const available = findCondition(conditions, 'Available');
  // Available tells the cause by itself while it is a known one; a generic answer gives way to a better one.
  const told = first ?? available ?? findCondition(conditions, 'Progressing');
  return told ? causeFrom(subject, told) : { subject, message: 'it does not say whether it is available' };
}

/** Conditions of a NodePool from causes to effects. */
const nodePoolOrder = [
  'UpdateManagementEnabled',
  'ValidReleaseImage',
  'IgnitionEndpointAvailable',
  'ValidArchPlatform',
  'SupportedVersionSkew',
  'ReconciliationActive',
  'ValidMachineConfig',
  'ValidTuningConfig',
  'ValidPlatformConfig',
  'ValidPlatformImage',
  'ValidMachineTemplate',
  'AWSSecurityGroupAvailable',
  'ValidGeneratedPayload',
  'AllMachinesReady',
  'ReachedIgnitionEndpoint',
  'AllNodesHealthy',
  'Ready',
];

/** The reason why a pool has not what it asks for; undefined when it has. */
export function nodePoolCause(pool: NodePool): Cause | undefined {
  const subject = subjectOf('NodePool', pool);
  const conditions = (pool.status?.conditions ?? []) as readonly Condition[];
  if (pool.metadata.deletionTimestamp)
    return {
      subject,
      message: `it is being deleted, held by ${(pool.metadata.finalizers ?? []).join(', ') || 'nothing'}`,
    };
  const wanted = pool.spec.replicas;
  const have = pool.status?.replicas ?? 0;
  const isComplete = wanted === undefined || have >= wanted;
  const ready = findCondition(conditions, 'Ready');
  if (isComplete && (ready === undefined ? wanted === 0 : ready.status === 'True' || wanted === 0)) return undefined;
  const wrong = nodePoolOrder.map((type) => findCondition(conditions, type)).find((one) => one?.status === 'False');
  if (wrong) return causeFrom(subject, wrong);
  if (conditions.length === 0) return { subject, message: 'no operator has looked at it yet' };
  return { subject, message: `${have} of ${wanted ?? '?'} nodes` };
}

const namesShown = 3;
const longList = /(?:[\w.-]+, ){5,}[\w.-]+/g;

/** A message on one line; those that list many things, one per line or with commas, are shortened when asked. */
export function oneLine(message: string, shorten = false): string {
  const line = message.trim().replaceAll(/\s*\n\s*/g, '; ');
  if (!shorten) return line;
  return line.replaceAll(longList, (list) => {
    const names = list.split(', ');
    return `${names.slice(0, namesShown).join(', ')} and ${names.length - namesShown} more`;
  });
}

/** One line for progress and errors. */
export function causeText({ subject, condition, reason, message }: Cause): string {
  const by = [condition, reason].filter(Boolean).join(', ');
  return `${subject}: ${oneLine(message, true)}${by ? ` (${by})` : ''}`;
}
