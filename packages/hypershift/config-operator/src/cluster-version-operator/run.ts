import { openshift } from '@hypershift-ts/hypershift-api';
import { type Clock, coordinationv1, corev1, jsonEqual, systemClock } from '@hypershift-ts/kube-apimachinery';
import { type Client, InformerCache } from '@hypershift-ts/kube-client';
import {
  type Controller,
  controller,
  createOrUpdate,
  type Logger,
  Manager,
  silentLogger,
} from '@hypershift-ts/kube-controller';
import { ensureGuestKinds } from '../guest/served-kinds.ts';
import { hostedOperators } from '../resources/cluster-operators.ts';
import { nextClusterVersionStatus, type Target } from './next-status.ts';
import { operatorStates } from './operator-states.ts';
import { holdLease, leaseKey, releaseLease, renewEveryMs } from './watched-lease.ts';

export interface ClusterVersionOperatorOptions {
  /** The hosted cluster, as an administrator. */
  readonly hostedClient: Client;
  readonly releaseImage: string;
  readonly version: string;
  /** Who this is among version operators of the same cluster: the pod's name. */
  readonly identity: string;
  /** Operators that must report the version before it counts as rolled out. Default: those of the control plane. */
  readonly awaitedOperators?: readonly string[];
  readonly clock?: Clock;
  readonly logger?: Logger;
  readonly signal: AbortSignal;
}

const { clusterVersions, clusterOperators } = openshift;
const versionKey = { name: 'version' } as const;
const namespaces = ['openshift-cluster-version', 'openshift-config', 'openshift-config-managed'];

/**
 * The version operator of clusters whose release is not OpenShift's own: accepts the release, sees to the kinds and
 * namespaces that come with it, waits for the operators to report it, and keeps the history. It applies no manifests,
 * because such a release has none, and says so.
 */
export async function runClusterVersionOperator(options: ClusterVersionOperatorOptions): Promise<void> {
  const { hostedClient: client, identity, clock = systemClock, logger = silentLogger, signal } = options;
  const cache = new InformerCache({ client, clock });
  try {
    await ensureGuestKinds(client, signal);
    for (const name of namespaces)
      await createOrUpdate(client, corev1.namespaces, { name }, { metadata: { name } }, { signal });
    const manager = new Manager({ client, cache, clock, logger });
    manager.add(clusterVersionController(options, cache));
    await manager.run(signal);
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    await cache.stop();
    await releaseLease(client, identity);
  }
}

function clusterVersionController(options: ClusterVersionOperatorOptions, cache: InformerCache): Controller {
  const { releaseImage: image, version, identity } = options;
  const awaited = options.awaitedOperators ?? hostedOperators.map(({ name }) => name);
  const target: Target = { version, image };
  const leaseScope = { namespace: leaseKey.namespace, fieldSelector: `metadata.name=${leaseKey.name}` };
  const map = () => [versionKey];
  return controller<openshift.ClusterVersion, [openshift.ClusterOperator, coordinationv1.Lease]>({
    name: 'cluster-version',
    for: clusterVersions,
    watches: [
      { type: clusterOperators, map },
      {
        type: coordinationv1.leases,
        ...leaseScope,
        // Our own renewals are no news.
        predicate: { updated: (_before, after) => after.spec?.holderIdentity !== identity },
        map,
      },
    ],
    async reconcile(_key, { client, clock, signal }) {
      const live = cache.get(clusterVersions, versionKey);
      if (!live) return undefined;
      const lease = cache.get(coordinationv1.leases, leaseKey, leaseScope);
      const verdict = await holdLease(client, lease, identity, clock.now(), signal);
      if (!verdict.held) return { requeueAfterMs: verdict.waitMs };
      const operators = operatorStates(cache.list(clusterOperators), awaited, version);
      const status = nextClusterVersionStatus(live, target, operators, clock.now());
      if (!jsonEqual(status, live.status))
        await client.update(clusterVersions, { ...live, status }, { subresource: 'status', signal });
      return { requeueAfterMs: renewEveryMs };
    },
  });
}
