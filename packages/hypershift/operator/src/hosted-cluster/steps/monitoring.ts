import { hostedClusters } from '@hypershift-ts/hypershift-api';
import { corev1 } from '@hypershift-ts/kube-apimachinery';
import { done, ownerReference, type ReconcileContext } from '@hypershift-ts/kube-controller';
import { prometheusAccess, sharedConfigMaps, sharedCopyOf } from '../../monitoring/index.ts';
import { commandLineSecrets } from '../indexes.ts';
import { ensure, ensureAll, find } from '../live.ts';
import type { HostedClusterScope } from '../scope.ts';
import type { ClusterStep } from './step.ts';

/** Secrets the command line made for this cluster get it as their owner, so that they die with it. */
async function adoptCommandLineSecrets(
  { cluster }: HostedClusterScope,
  { cache, client, signal }: ReconcileContext,
): Promise<void> {
  const owner = ownerReference(hostedClusters, cluster);
  for (const { metadata } of commandLineSecrets(cluster, cache)) {
    const owners = metadata.ownerReferences ?? [];
    if (owners.some(({ uid }) => uid === owner.uid)) continue;
    const key = { namespace: metadata.namespace ?? '', name: metadata.name ?? '' };
    const body = { metadata: { ownerReferences: [...owners, owner], resourceVersion: metadata.resourceVersion } };
    await client.patch(corev1.secrets, key, { type: 'merge', body }, { signal });
  }
}

/** What the management cluster shares with its control planes, and what of the user's goes with the cluster. */
export const monitoringStep: ClusterStep = {
  name: 'MonitoringAndCLISecrets',
  kind: 'best-effort',
  async run(scope, context) {
    const { cluster, options } = scope;
    for (const { from, to } of sharedConfigMaps(options.namespace)) {
      const source = await find(context, corev1.configmaps, from);
      if (source) await ensure(context, sharedCopyOf(cluster, to, source));
    }
    if (options.clusterMonitoring) await ensureAll(context, prometheusAccess(cluster));
    await adoptCommandLineSecrets(scope, context);
    return done();
  },
};
