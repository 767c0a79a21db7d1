import { controlPlaneComponents, type HostedCluster } from '@hypershift-ts/hypershift-api';
import { appsv1, corev1 } from '@hypershift-ts/kube-apimachinery';
import type { ReconcileContext } from '@hypershift-ts/kube-controller';
import { capiv1beta1 } from '@hypershift-ts/machines-cluster-api';
import {
  autoNodeEnabled,
  bubbledConditions,
  ignitionEndpointAvailable,
  nodeDrainBlocked,
  privateConnectivityConditions,
  reconciliationActive,
  supported,
  unmanagedEtcd,
  validConfigurationVerdict,
  validProxy,
  type Verdict,
} from '../conditions/index.ts';
import { configurationErrors } from '../validation/index.ts';
import { progressing, validReleaseImage } from '../version/index.ts';
import { find } from './live.ts';
import type { HostedClusterScope } from './scope.ts';
import { surroundings } from './surroundings.ts';

/** What platform objects outside the HostedCluster say. */
async function surroundingVerdicts(
  { cluster, namespace, platform, options }: HostedClusterScope,
  context: ReconcileContext,
): Promise<readonly Verdict[]> {
  const type = platform.traits.privateConnectivity?.type;
  const endpoints = type && options.capabilities.serves(type) ? context.cache.list(type, namespace) : [];
  const name = cluster.spec.etcd.unmanaged?.tls?.clientSecret?.name;
  const key = { namespace: cluster.metadata.namespace ?? '', name: name ?? '' };
  const etcd = unmanagedEtcd(cluster, name ? await find(context, corev1.secrets, key) : undefined);
  return [...privateConnectivityConditions(cluster, platform, endpoints), ...(etcd ? [etcd] : [])];
}

/** An upgrade is judged by what the control plane reports now, not by what was copied from it last time. */
function withReportedVersion({ cluster, hostedControlPlane }: HostedClusterScope): HostedCluster {
  const version = hostedControlPlane?.status?.versionStatus;
  return version ? { ...cluster, status: { ...cluster.status, version } } : cluster;
}

/** Everything that can be told about a cluster before anything is done for it. */
export async function verdictsOf(
  scope: HostedClusterScope,
  context: ReconcileContext,
  now: Date,
): Promise<readonly Verdict[]> {
  const { hostedControlPlane, platform, release, namespace, options } = scope;
  const cluster = withReportedVersion(scope);
  const facts = surroundings(scope, context, now);
  const ignition = await find(context, appsv1.deployments, { namespace, name: 'ignition-server' });
  const known: readonly Verdict[] = [
    ...bubbledConditions(hostedControlPlane, platform),
    ...(await surroundingVerdicts(scope, context)),
    validConfigurationVerdict([...configurationErrors(cluster, facts), ...facts.errors]),
    supported(cluster, options.operator),
    validProxy(cluster, facts.proxyProblem),
    ignitionEndpointAvailable(ignition),
    autoNodeEnabled(cluster, (name) => context.cache.get(controlPlaneComponents, { namespace, name })),
    reconciliationActive(cluster, now),
    ...nodeDrainBlocked(context.cache.list(capiv1beta1.machines, namespace)),
    validReleaseImage(cluster, release),
  ];
  const pinned = release instanceof Error ? {} : { pinnedImage: release.pinnedImage };
  return [...known, progressing(cluster, { release, ...pinned, verdicts: known })];
}
