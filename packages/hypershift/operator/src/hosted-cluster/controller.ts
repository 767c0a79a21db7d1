import { annotations, controlPlaneComponents, hostedClusters } from '@hypershift-ts/hypershift-api';
import { routes } from '@hypershift-ts/hypershift-control-plane';
import { corev1 } from '@hypershift-ts/kube-apimachinery';
import {
  controller,
  type Controller,
  type Reconcile,
  type ReconcileContext,
  type ReconcileResult,
  runSteps,
  type StepOutcomes,
} from '@hypershift-ts/kube-controller';
import {
  available,
  operatorProblem,
  pauseLeftMs,
  platformCredentialsFound,
  reconciliationSucceeded,
  type Verdict,
} from '../conditions/index.ts';
import { ignitionEndpoint, ignitionRoute, ignitionService } from '../ignition-endpoint/index.ts';
import { operationsGate } from '../validation/index.ts';
import { type AccessFacts, clusterVersionStatus, copiedStatus } from '../version/index.ts';
import { deleteHostedCluster } from './deletion.ts';
import { find } from './live.ts';
import { propagatePause } from './pause.ts';
import { prepare } from './prepare.ts';
import { failureOf, isOnlyStale, isStale } from './report.ts';
import { type HostedClusterOptions, type HostedClusterScope, loadScope } from './scope.ts';
import { hostedClusterSteps } from './steps/index.ts';
import { oidcVerdicts } from './steps/oidc.ts';
import { verdictsOf } from './verdicts.ts';
import { clusterChanged, gatherMs, hostedClusterWatches } from './watches.ts';
import { writeStatus } from './write-status.ts';

const critical = new Set(hostedClusterSteps.filter(({ kind }) => kind === 'critical').map(({ name }) => name));

/** Which Secrets with access stand beside the cluster. */
async function accessOf({ cluster }: HostedClusterScope, context: ReconcileContext): Promise<AccessFacts> {
  const { namespace = '', name = '' } = cluster.metadata;
  const exists = async (suffix: string) =>
    (await find(context, corev1.secrets, { namespace, name: `${name}-${suffix}` })) !== undefined;
  return {
    kubeconfig: await exists('admin-kubeconfig'),
    customKubeconfig: await exists('custom-admin-kubeconfig'),
    kubeadminPassword: await exists('kubeadmin-password'),
  };
}

async function ignitionEndpointOf(
  { cluster, namespace, options }: HostedClusterScope,
  context: ReconcileContext,
): Promise<string | undefined> {
  const service = await find(context, corev1.services, { namespace, name: ignitionService });
  const route = options.capabilities.hasRoutes
    ? context.cache.get(routes, { namespace, name: ignitionRoute })
    : undefined;
  return ignitionEndpoint(cluster, { service, route });
}

/** Marks a cluster that was available once, which changes how later failures are counted. */
async function rememberAvailability(
  { cluster: { metadata } }: HostedClusterScope,
  verdicts: readonly Verdict[],
  { client, signal }: ReconcileContext,
): Promise<void> {
  const key = annotations.hasBeenAvailable.key;
  if (metadata.annotations?.[key] || !verdicts.some(({ type, status }) => type === 'Available' && status === 'True'))
    return;
  const body = { metadata: { annotations: { [key]: 'true' } } };
  const at = { namespace: metadata.namespace ?? '', name: metadata.name ?? '' };
  await client.patch(hostedClusters, at, { type: 'merge', body }, { signal });
}

interface Operations {
  readonly verdicts: readonly Verdict[];
  readonly failure: Error | undefined;
  /** What the first step that could not go on waits for. */
  readonly awaited?: string | undefined;
  readonly requeueAfterMs?: number | undefined;
}

function soonest(outcomes: StepOutcomes): number | undefined {
  const delays = [...outcomes.values()].flatMap((one) =>
    'requeueAfterMs' in one && one.requeueAfterMs !== undefined ? [one.requeueAfterMs] : [],
  );
  return delays.length > 0 ? Math.min(...delays) : undefined;
}

function awaitedBy(outcomes: StepOutcomes): string | undefined {
  for (const outcome of outcomes.values()) if (outcome.state === 'waiting') return outcome.message;
  return undefined;
}

/** Does what is to be done for the cluster, unless something at the door forbids it. */
async function operate(
  scope: HostedClusterScope,
  known: readonly Verdict[],
  context: ReconcileContext,
): Promise<Operations | 'stale'> {
  const gate = operationsGate(known);
  if (!gate.open) return { verdicts: [], failure: gate.retry ? new Error(gate.message) : undefined };
  const outcomes = await runSteps(hostedClusterSteps, scope, context);
  if (isOnlyStale(outcomes)) return 'stale';
  const credentials = outcomes.get('PlatformCredentials');
  const problem = credentials?.state === 'failed' ? credentials.error : undefined;
  return {
    verdicts: [
      ...(credentials?.state === 'blocked' ? [] : [platformCredentialsFound(problem)]),
      ...(scope.platform.credentialConditions(scope.cluster, problem) as readonly Verdict[]),
      ...oidcVerdicts(scope, outcomes.get('PlatformOIDCAndCSI')),
    ],
    failure: failureOf(outcomes, critical),
    awaited: awaitedBy(outcomes),
    requeueAfterMs: soonest(outcomes),
  };
}

/** How soon a pass is repeated that was made on an old view. */
const staleRequeueMs = 50;

/** One look at a cluster that is not being deleted. */
async function reconcileCluster(scope: HostedClusterScope, context: ReconcileContext): Promise<ReconcileResult> {
  const { cluster, hostedControlPlane, namespace, release } = scope;
  // The change it makes brings the cluster back at once.
  if (await prepare(scope, context)) return undefined;
  const now = new Date(context.clock.now());
  const known = await verdictsOf(scope, context, now);
  const isPaused = known.some(({ type, status }) => type === 'ReconciliationActive' && status === 'False');
  if (isPaused) await propagatePause(scope, context);
  const done: Operations | 'stale' = isPaused
    ? { verdicts: [], failure: undefined, requeueAfterMs: pauseLeftMs(cluster, now) }
    : await operate(scope, known, context);
  if (done === 'stale') return { requeueAfterMs: staleRequeueMs };
  const verdicts = [...known, ...done.verdicts, reconciliationSucceeded(done.failure)];
  const operator = context.cache.get(controlPlaneComponents, { namespace, name: 'control-plane-operator' });
  verdicts.push(available(hostedControlPlane, verdicts, done.awaited ?? operatorProblem(operator)));
  const endpoint = await ignitionEndpointOf(scope, context);
  const fields = {
    ...copiedStatus(cluster, hostedControlPlane, await accessOf(scope, context)),
    version: clusterVersionStatus(cluster, hostedControlPlane, now),
    ...(release instanceof Error ? {} : { payloadArch: release.payloadArch }),
    ...(endpoint ? { ignitionEndpoint: endpoint } : {}),
  };
  await writeStatus(cluster, fields, verdicts, context);
  await rememberAvailability(scope, verdicts, context);
  if (done.failure) throw done.failure;
  return done.requeueAfterMs === undefined ? undefined : { requeueAfterMs: done.requeueAfterMs };
}

/** The reconcile of one HostedCluster. */
function hostedClusterReconcile(options: HostedClusterOptions): Reconcile {
  return async (key, context) => {
    const scope = await loadScope(key, context, options);
    if (!scope) return undefined;
    try {
      return scope.cluster.metadata.deletionTimestamp
        ? await deleteHostedCluster(scope, context)
        : await reconcileCluster(scope, context);
    } catch (error) {
      if (!isStale(error)) throw error;
      return { requeueAfterMs: staleRequeueMs };
    }
  };
}

/** The controller of HostedClusters. */
export function hostedClusterController(options: HostedClusterOptions): Controller {
  return controller({
    name: 'hostedcluster',
    for: { type: hostedClusters, predicate: clusterChanged },
    watches: hostedClusterWatches(options.capabilities, options.namespace) as never,
    reconcile: hostedClusterReconcile(options),
    concurrency: 10,
    rateLimit: { baseMs: 1000, maxMs: 10_000 },
    gatherMs,
  });
}
