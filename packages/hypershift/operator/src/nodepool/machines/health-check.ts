/** The MachineHealthChecks of a pool. */
import { annotations, type HostedCluster, type NodePool } from '@hypershift-ts/hypershift-api';
import { goDurationText, parseGoDuration } from '@hypershift-ts/kube-apimachinery';
import type { capiv1beta1 } from '@hypershift-ts/machines-cluster-api';
import { belongsToPool, interruptibleLabel, resourcesName } from './names.ts';

type Setting = 'machineHealthCheckTimeout' | 'machineHealthCheckNodeStartupTimeout' | 'machineHealthCheckMaxUnhealthy';

/** The pool's annotation, else that of the cluster, if it can be understood. */
function setting<T>(
  pool: NodePool,
  cluster: HostedCluster,
  name: Setting,
  read: (text: string) => T | undefined,
): T | undefined {
  for (const { metadata } of [pool, cluster]) {
    const value = read(metadata.annotations?.[annotations[name].key] ?? '');
    if (value !== undefined) return value;
  }
  return undefined;
}

const readDuration = (text: string): string | undefined => {
  const ms = parseGoDuration(text);
  return ms === undefined ? undefined : goDurationText(ms);
};

const readAmount = (text: string): number | string | undefined => {
  if (/^\d{1,6}$/.test(text)) return Number(text);
  return /^\d{1,3}%$/.test(text) ? text : undefined;
};

interface HealthCheckFacts {
  readonly pool: NodePool;
  readonly cluster: HostedCluster;
  readonly namespace: string;
  readonly repairTimeout: string;
}

function healthCheck(
  { pool, cluster, namespace }: HealthCheckFacts,
  name: string,
  matchLabels: { readonly [key: string]: string },
  {
    timeout,
    nodeStartupTimeout,
    maxUnhealthy,
  }: { timeout: string; nodeStartupTimeout: string; maxUnhealthy: number | string },
): capiv1beta1.MachineHealthCheck {
  return {
    apiVersion: 'cluster.x-k8s.io/v1beta1',
    kind: 'MachineHealthCheck',
    metadata: { name, namespace, annotations: belongsToPool(pool) },
    spec: {
      clusterName: cluster.spec.infraID ?? '',
      maxUnhealthy,
      nodeStartupTimeout,
      selector: { matchLabels },
      unhealthyConditions: [
        { type: 'Ready', status: 'False', timeout },
        { type: 'Ready', status: 'Unknown', timeout },
      ],
    },
  };
}

const startupTimeout = '20m0s';

/** Replaces machines that stay unhealthy, unless so many are that something else must be wrong. */
export function desiredHealthCheck(facts: HealthCheckFacts): capiv1beta1.MachineHealthCheck {
  const { pool, cluster } = facts;
  const name = resourcesName(cluster, pool);
  return healthCheck(
    facts,
    pool.metadata.name ?? '',
    { [name]: name },
    {
      timeout: setting(pool, cluster, 'machineHealthCheckTimeout', readDuration) ?? facts.repairTimeout,
      nodeStartupTimeout:
        setting(pool, cluster, 'machineHealthCheckNodeStartupTimeout', readDuration) ?? startupTimeout,
      maxUnhealthy: setting(pool, cluster, 'machineHealthCheckMaxUnhealthy', readAmount) ?? 2,
    },
  );
}

export const spotHealthCheckName = ({ metadata }: NodePool): string => `${metadata.name}-spot`;

/**
 * Replaces machines that the cloud took back, however many. Upstream's selects the machines of every pool; this one
 * keeps to its own.
 */
export function desiredSpotHealthCheck(facts: HealthCheckFacts): capiv1beta1.MachineHealthCheck {
  const name = resourcesName(facts.cluster, facts.pool);
  return healthCheck(
    facts,
    spotHealthCheckName(facts.pool),
    { [interruptibleLabel]: '', [name]: name },
    { timeout: '8m0s', nodeStartupTimeout: startupTimeout, maxUnhealthy: '100%' },
  );
}
