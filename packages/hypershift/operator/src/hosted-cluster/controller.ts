import {
  annotations,
  finalizers,
  generatedEncryptionKeyName,
  hostedClusters,
  withGeneratedEncryption,
  withIdentity,
} from '@hypershift-ts/hypershift-api';
import { corev1 } from '@hypershift-ts/kube-apimachinery';
import type { Client } from '@hypershift-ts/kube-client';
import {
  controller,
  type Controller,
  getIfPresent,
  ownerReference,
  type Reconcile,
  type ReconcileContext,
  runSteps,
} from '@hypershift-ts/kube-controller';
import {
  available,
  bubbledConditions,
  ignitionEndpointAvailable,
  pauseLeftMs,
  platformCredentialsFound,
  privateConnectivityConditions,
  reconciliationActive,
  reconciliationSucceeded,
  supported,
  unmanagedEtcd,
  validConfigurationVerdict,
  validProxy,
  type Verdict,
} from '../conditions/index.ts';
import { configurationErrors, operationsGate } from '../validation/index.ts';
import {
  type AccessFacts,
  clusterVersionStatus,
  copiedStatus,
  progressing,
  validReleaseImage,
} from '../version/index.ts';
import { deleteHostedCluster } from './deletion.ts';
import { failureOf } from './report.ts';
import { type HostedClusterOptions, type HostedClusterScope, loadScope } from './scope.ts';
import { hostedClusterSteps, ignitionServer } from './steps.ts';
import { hostedClusterWatches } from './watches.ts';
import { writeStatus } from './write-status.ts';

const critical = new Set(hostedClusterSteps.filter(({ kind }) => kind === 'critical').map(({ name }) => name));

/** Everything that can be told about a cluster before anything is done for it. */
async function verdictsOf(
  scope: HostedClusterScope,
  context: ReconcileContext,
  now: Date,
): Promise<readonly Verdict[]> {
  const { cluster, hostedControlPlane, platform, release, namespace, options } = scope;
  const known: readonly Verdict[] = [
    ...bubbledConditions(hostedControlPlane, platform),
    ...(await surroundingVerdicts(scope, context)),
    validConfigurationVerdict(configurationErrors(cluster, { hasRoutes: options.hasRoutes })),
    supported(cluster, options.operator),
    validProxy(cluster, undefined),
    ignitionEndpointAvailable(await ignitionServer(namespace, context)),
    reconciliationActive(cluster, now),
    validReleaseImage(cluster, release),
  ];
  const progress = progressing(cluster, {
    release,
    ...(release instanceof Error ? {} : { pinnedImage: release.pinnedImage }),
    verdicts: known,
  });
  return [...known, progress, available(hostedControlPlane, progress)];
}

/** The key of a cluster that is encrypted without having asked for it; made once, as a new one could read nothing. */
async function ensureEncryptionKey(
  { cluster, options }: HostedClusterScope,
  client: Client,
  signal: AbortSignal,
): Promise<void> {
  const { namespace = '', name = '' } = cluster.metadata;
  const key = { namespace, name: generatedEncryptionKeyName(name) };
  if (await getIfPresent(client, corev1.secrets, key, { signal })) return;
  const data = { key: Buffer.from(options.randomBytes(32)).toString('base64') };
  const ownerReferences = [ownerReference(hostedClusters, cluster)];
  await client.create(corev1.secrets, { metadata: { ...key, ownerReferences }, type: 'Opaque', data }, { signal });
}

/** Objects outside the HostedCluster that some conditions are told from. */
async function surroundingVerdicts(
  { cluster, namespace, platform }: HostedClusterScope,
  { client, signal }: ReconcileContext,
): Promise<readonly Verdict[]> {
  const type = platform.traits.privateConnectivity?.type;
  const endpoints = type ? (await client.list(type, { namespace, signal })).items : [];
  const name = cluster.spec.etcd.unmanaged?.tls?.clientSecret?.name;
  const key = { namespace: cluster.metadata.namespace ?? '', name: name ?? '' };
  const etcd = unmanagedEtcd(cluster, name ? await getIfPresent(client, corev1.secrets, key, { signal }) : undefined);
  return [...privateConnectivityConditions(cluster, platform, endpoints), ...(etcd ? [etcd] : [])];
}

/** Identity and finalizer come first: everything that is made later is found by them. */
async function prepared(scope: HostedClusterScope, { client, signal }: ReconcileContext): Promise<boolean> {
  const { cluster, options } = scope;
  const named = withGeneratedEncryption(withIdentity(cluster, options));
  const isHeld = cluster.metadata.finalizers?.includes(finalizers.hypershift.key) ?? false;
  if (named === cluster && isHeld) return false;
  if (named.spec.secretEncryption && !cluster.spec.secretEncryption) await ensureEncryptionKey(scope, client, signal);
  const held = isHeld
    ? (cluster.metadata.finalizers ?? [])
    : [...(cluster.metadata.finalizers ?? []), finalizers.hypershift.key];
  await client.update(hostedClusters, { ...named, metadata: { ...named.metadata, finalizers: held } }, { signal });
  return true;
}

/** Which Secrets with access stand beside the cluster. */
async function accessOf({ cluster }: HostedClusterScope, { client, signal }: ReconcileContext): Promise<AccessFacts> {
  const { namespace = '', name = '' } = cluster.metadata;
  const exists = async (suffix: string) =>
    (await getIfPresent(client, corev1.secrets, { namespace, name: `${name}-${suffix}` }, { signal })) !== undefined;
  return {
    kubeconfig: await exists('admin-kubeconfig'),
    customKubeconfig: await exists('custom-admin-kubeconfig'),
    kubeadminPassword: await exists('kubeadmin-password'),
  };
}

/** Marks a cluster that was available once, which changes how later failures are counted. */
async function rememberAvailability(
  scope: HostedClusterScope,
  verdicts: readonly Verdict[],
  context: ReconcileContext,
): Promise<void> {
  const { metadata } = scope.cluster;
  const key = annotations.hasBeenAvailable.key;
  if (metadata.annotations?.[key] || !verdicts.some(({ type, status }) => type === 'Available' && status === 'True'))
    return;
  const body = { metadata: { annotations: { [key]: 'true' } } };
  const at = { namespace: metadata.namespace ?? '', name: metadata.name ?? '' };
  await context.client.patch(hostedClusters, at, { type: 'merge', body }, { signal: context.signal });
}

/** The reconcile of one HostedCluster. */
export function hostedClusterReconcile(options: HostedClusterOptions): Reconcile {
  return async (key, context) => {
    const scope = await loadScope(key, context, options);
    if (!scope) return undefined;
    if (scope.cluster.metadata.deletionTimestamp) return deleteHostedCluster(scope, context);
    if (await prepared(scope, context)) return { requeueAfterMs: 0 };
    const now = new Date(context.clock.now());
    const verdicts = [...(await verdictsOf(scope, context, now))];
    const isPaused = verdicts.some(({ type, status }) => type === 'ReconciliationActive' && status === 'False');
    const gate = operationsGate(verdicts);
    let failure: Error | undefined = gate.open || !gate.retry ? undefined : new Error(gate.message);
    if (gate.open && !isPaused) {
      const outcomes = await runSteps(hostedClusterSteps, scope, context);
      failure = failureOf(outcomes, critical);
      const credentials = outcomes.get('PlatformCredentials');
      const problem = credentials?.state === 'failed' ? credentials.error : undefined;
      verdicts.push(platformCredentialsFound(problem));
      verdicts.push(...(scope.platform.credentialConditions(scope.cluster, problem) as readonly Verdict[]));
    }
    verdicts.push(reconciliationSucceeded(failure));
    const access = await accessOf(scope, context);
    const fields = {
      ...copiedStatus(scope.cluster, scope.hostedControlPlane, access),
      version: clusterVersionStatus(scope.cluster, scope.hostedControlPlane, now),
      ...(scope.release instanceof Error ? {} : { payloadArch: scope.release.payloadArch }),
    };
    await writeStatus(scope.cluster, fields, verdicts, context);
    await rememberAvailability(scope, verdicts, context);
    if (failure) throw failure;
    const left = isPaused ? pauseLeftMs(scope.cluster, now) : undefined;
    return left === undefined ? undefined : { requeueAfterMs: left };
  };
}

/** The controller of HostedClusters. */
export function hostedClusterController(options: HostedClusterOptions): Controller {
  return controller({
    name: 'hostedcluster',
    for: hostedClusters,
    watches: hostedClusterWatches,
    reconcile: hostedClusterReconcile(options),
    concurrency: 10,
    rateLimit: { baseMs: 1000, maxMs: 10_000 },
  });
}
