/** Steps that only look and tell. They come first, so that a pool that cannot go on says why. */
import { secretText, tokenSecretName, usesRunc } from '@hypershift-ts/hypershift-ignition';
import { parseVersion, rhelStreamFor } from '@hypershift-ts/hypershift-release';
import { corev1 } from '@hypershift-ts/kube-apimachinery';
import { done, waiting } from '@hypershift-ts/kube-controller';
import {
  autoscalingEnabled,
  poolReconciliationActive,
  releaseProblem,
  supportedVersionSkew,
  updateManagementEnabled,
  validArchPlatform,
  validPlatformSettings,
  withFix,
} from '../checks.ts';
import {
  ignitionCASecret,
  ignitionEndpointMissing,
  reachedIgnitionEndpoint,
  validGeneratedPayload,
} from '../ignition.ts';
import { readApiServerUrl, readConfigSources, readPullSecret, readReleases, readTrustBundle } from '../load.ts';
import { machineVerdicts } from '../machine-health.ts';
import { networkConflict } from '../network-conflict.ts';
import { nodesInfo, osStreamOf } from '../nodes-info.ts';
import { fails, holds } from '../report.ts';
import { poolRollout, updatingVerdicts } from '../rollout.ts';
import { rolloutMark } from '../rollout-mark.ts';
import { known } from '../scope.ts';
import { readToken } from '../secrets.ts';
import { step } from './step.ts';

/** What the nodes run now, told whatever else is wrong. */
export const countNodes = step('count-nodes', ({ machines, report, options }) => {
  const info = nodesInfo(machines);
  const stream = options.osStreams ? osStreamOf(machines) : undefined;
  report.set({ nodesInfo: info, ...(stream ? { osImageStream: { name: stream } } : {}) });
  return done();
});

export const autoscaling = step('autoscaling', ({ pool, report }) => {
  report.say(autoscalingEnabled(pool));
  return done();
});

export const updateManagement = step('update-management', ({ pool, report }) => {
  const verdict = updateManagementEnabled(pool);
  report.say(verdict);
  return verdict.status === 'True' ? done() : waiting(verdict.reason, verdict.message);
});

export const releaseImage = step('release-image', async (scope, context) => {
  const { pool, cluster, report, found } = scope;
  const type = 'ValidReleaseImage';
  try {
    const pullSecret = readPullSecret(cluster, context);
    const { release, clusterRelease, operator } = await readReleases(scope, pullSecret, context);
    const problem = releaseProblem(pool, cluster, release, clusterRelease);
    if (problem) throw problem;
    Object.assign(found, { release, pullSecret, controlPlaneOperator: operator });
  } catch (error) {
    report.say(fails(type, 'ValidationFailed', `Failed to get release image: ${withFix(error)}`));
    throw error;
  }
  report.say(holds(type, `Using release image: ${pool.spec.release.image}`));
  return done();
});

export const ignitionEndpoint = step('ignition-endpoint', (scope, { cache }) => {
  const { cluster, namespace, report, found } = scope;
  const ca = cache.get(corev1.secrets, { namespace, name: ignitionCASecret });
  const missing = ignitionEndpointMissing(cluster, ca);
  if (missing || !ca) {
    if (missing) report.say(missing);
    return waiting(missing?.reason ?? 'IgnitionCACertMissing', missing?.message ?? '');
  }
  report.drop('IgnitionEndpointAvailable');
  found.ignitionCA = secretText(ca, 'tls.crt') ?? '';
  return done();
});

export const architecture = step('architecture', ({ pool, cluster, report }) => {
  const verdict = validArchPlatform(pool, cluster);
  report.say(verdict);
  return verdict.status === 'True' ? done() : waiting(verdict.reason, verdict.message);
});

export const pause = step('pause', ({ pool, report }, { clock }) => {
  report.say(poolReconciliationActive(pool, new Date(clock.now())));
  return done();
});

export const versionSkew = step('version-skew', ({ cluster, report, found }) => {
  report.say(supportedVersionSkew(cluster, known(found, 'release').version));
  return done();
});

/** What the pool should run. Nothing of it is used before all of it is understood. */
export const machineConfig = step('machine-config', (scope, context) => {
  const { pool, cluster, platform, report, found, machineDeployment, machineSet } = scope;
  const type = 'ValidMachineConfig';
  const kubeconfigServer = readApiServerUrl(cluster, context);
  if (!kubeconfigServer) return waiting('NotFound', 'the hosted cluster has no kubeconfig yet');
  try {
    const sources = readConfigSources(scope, context);
    const release = known(found, 'release');
    const operator = known(found, 'controlPlaneOperator');
    found.stream = rhelStreamFor({
      releaseVersion: parseVersion(release.version),
      specStream: pool.spec.osImageStream?.name,
      statusStream: pool.status?.osImageStream?.name,
      osStreamsEnabled: scope.options.osStreams ?? false,
      usesRunc: usesRunc(sources.user),
    });
    found.rollout = poolRollout({
      pool,
      cluster,
      release,
      isPrivate: platform.isPrivate(cluster),
      kubeconfigServer,
      controlPlaneOperator: { image: operator.image, skipsHaproxy: operator.capabilities.skipsHaproxy },
      ...sources,
      machineDeployment,
      machineSet,
    });
  } catch (error) {
    report.say(fails(type, 'ValidationFailed', withFix(error)));
    throw error;
  }
  report.say(holds(type, ''));
  // At once, or a change made while the pool is paused, or a build that comes in the middle of a rollout, would be
  // taken for what its nodes run.
  const { isInUse, mark } = known(found, 'rollout');
  if (isInUse) report.annotate({ [rolloutMark]: mark });
  return done();
});

export const progress = step('progress', ({ pool, machineSet, report, found }) => {
  report.say(...updatingVerdicts({ pool, machineSet, rollout: known(found, 'rollout') }));
  return done();
});

export const payload = step('payload', (scope, context) => {
  const { pool, report, found } = scope;
  const token = readToken(scope, context);
  const name = tokenSecretName(pool.metadata.name ?? '', known(found, 'rollout').hash);
  report.say(validGeneratedPayload(token, name), reachedIgnitionEndpoint(pool, token, name));
  if (token) found.tokenSecret = token;
  return done();
});

export const machineHealth = step('machine-health', ({ pool, cluster, machines, report }) => {
  report.say(...machineVerdicts(pool, machines));
  const conflict = networkConflict(cluster, machines);
  if (conflict) report.say(conflict);
  else report.drop('ClusterNetworkCIDRConflict');
  return done();
});

export const platformSettings = step('platform-settings', ({ pool, cluster, report }) => {
  report.say(validPlatformSettings(pool, cluster));
  return done();
});

/** What must be there before anything is made for machines. */
export const prerequisites = step('prerequisites', (scope, context) => {
  const { cluster, found } = scope;
  if (!cluster.spec.infraID) return waiting('NotFound', 'the HostedCluster has no spec.infraID yet');
  found.additionalTrustBundle = readTrustBundle(cluster, context);
  return done();
});
