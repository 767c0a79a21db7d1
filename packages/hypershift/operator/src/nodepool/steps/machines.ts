/** Steps that make and keep the machines of a pool. */
import { annotations } from '@hypershift-ts/hypershift-api';
import type { MachinePlatform } from '@hypershift-ts/hypershift-platforms';
import { findCondition, type KubeObject } from '@hypershift-ts/kube-apimachinery';
import { deleteIfPresent, done, type ReconcileContext, waiting } from '@hypershift-ts/kube-controller';
import { capiv1beta1 } from '@hypershift-ts/machines-cluster-api';
import { poolPauseLeftMs } from '../checks.ts';
import { desiredHealthCheck, desiredSpotHealthCheck, spotHealthCheckName } from '../machines/health-check.ts';
import { desiredMachineDeployment, isDeploymentComplete } from '../machines/machine-deployment.ts';
import { desiredMachineSet, isSetComplete } from '../machines/machine-set.ts';
import type { MachineFacts } from '../machines/machine-template-spec.ts';
import { pausedAnnotation } from '../machines/names.ts';
import { updateMachineMetadata } from '../machines/node-metadata.ts';
import { capacityAnnotations } from '../machines/scale-from-zero.ts';
import { stated, upsertSeen } from '../upsert-seen.ts';
import { makesMachines } from '../machines/machine-scope.ts';
import { fails, holds, type PoolVerdict } from '../report.ts';
import { completed, isNewOrUpgrading, usesCanonicalImages } from '../rollout.ts';
import { isInPlace, known, type PoolScope } from '../scope.ts';
import { ensureSecrets, retireSecrets } from '../secrets.ts';
import { step } from './step.ts';

/** A paused pool keeps what it has: Cluster API is told to leave it alone, and nothing else is written. */
export const holdWhilePaused = step('hold-while-paused', async (scope, { client, clock, signal }) => {
  const { pool, report, namespace, machineDeployment, machineSet } = scope;
  if (report.status(pool, 'ReconciliationActive') !== 'False') return done();
  const body = { metadata: { annotations: { [pausedAnnotation]: 'true' } } };
  const name = pool.metadata.name ?? '';
  const isPaused = (object: KubeObject) => object.metadata.annotations?.[pausedAnnotation] === 'true';
  if (machineSet && !isPaused(machineSet))
    await client.patch(capiv1beta1.machinesets, { namespace, name }, { type: 'merge', body }, { signal });
  if (machineDeployment && !isPaused(machineDeployment))
    await client.patch(capiv1beta1.machinedeployments, { namespace, name }, { type: 'merge', body }, { signal });
  const requeueAfterMs = poolPauseLeftMs(pool, new Date(clock.now()));
  return waiting('ReconciliationPaused', 'the pool is paused', requeueAfterMs === undefined ? {} : { requeueAfterMs });
});

export const secrets = step('secrets', async (scope, context) => {
  const { pool, platform, report, found } = scope;
  const release = known(found, 'release');
  if (usesCanonicalImages(pool, release)) report.annotate({ [annotations.canonicalDataPlaneImages.key]: 'true' });
  if (isNewOrUpgrading(pool, release)) report.annotate(platform.machines?.newPoolAnnotations ?? {});
  await ensureSecrets(scope, context);
  await retireSecrets(scope, context);
  return done();
});

/** Where machines come from elsewhere, everything they need is there now. */
export const foreignMachines = step('foreign-machines', (scope) => {
  if (makesMachines(scope)) return done();
  const { report, found } = scope;
  report.set({ version: known(found, 'release').version });
  report.annotate(completed(known(found, 'rollout')));
  return waiting('AsExpected', 'the machines of this platform come from elsewhere');
});

async function machineFacts(scope: PoolScope, machines: MachinePlatform): Promise<MachineFacts> {
  const { pool, cluster, namespace, found, options } = scope;
  const template = known(found, 'template');
  const instance = pool.spec.autoScaling
    ? (machines.instanceFacts?.(pool) ?? (await options.instanceFacts?.(pool)))
    : undefined;
  return {
    pool,
    cluster,
    namespace,
    hash: known(found, 'rollout').hash,
    releaseVersion: known(found, 'release').version,
    template: { type: machines.templates, name: template.metadata.name ?? '' },
    failureDomain: machines.failureDomain?.(pool),
    isInterruptible: machines.isInterruptible?.(pool) ?? false,
    canScaleFromZero: machines.scalesFromZero && (template.status?.capacity !== undefined || instance !== undefined),
    capacity: capacityAnnotations(pool, machines.scalesFromZero ? instance : undefined, template),
  };
}

type MachineOwner = capiv1beta1.MachineDeployment | capiv1beta1.MachineSet;

const targetsOf = ({ spec }: MachineOwner) => [
  spec.template?.spec.bootstrap.dataSecretName,
  spec.template?.spec.infrastructureRef.name,
];

/** Tells what the machines are like and, when all of them are as wanted, what the pool runs from now on. */
function tellStatus(
  scope: PoolScope,
  owner: MachineOwner,
  before: MachineOwner | undefined,
  isComplete: boolean,
): void {
  const { report, found } = scope;
  report.set({ replicas: owner.status?.availableReplicas ?? 0 });
  const ready = findCondition(owner.status?.conditions, 'Ready');
  if (ready)
    report.say({
      type: 'Ready',
      status: ready.status as PoolVerdict['status'],
      reason: ready.reason || 'AsExpected',
      message: ready.message ?? '',
    });
  // What was just written is not what the counters tell about.
  const hasMoved = !before || String(targetsOf(owner)) !== String(targetsOf(before));
  if (hasMoved || !isComplete) return;
  report.set({ version: known(found, 'release').version });
  for (const type of ['UpdatingConfig', 'UpdatingVersion', 'UpdatingPlatformMachineTemplate'] as const)
    report.say(fails(type, 'AsExpected', ''));
  report.annotate({
    ...completed(known(found, 'rollout')),
    [annotations.nodePoolPlatformMachineTemplate.key]: known(found, 'template').metadata.name ?? '',
  });
}

/** The object that makes the machines: a MachineDeployment where they are replaced, a MachineSet where they are not. */
export const machineOwner = step('machine-owner', async (scope, context) => {
  const machines = makesMachines(scope);
  if (!machines) return done();
  const facts = await machineFacts(scope, machines);
  const { pool, namespace, machineDeployment, machineSet } = scope;
  const key = { namespace, name: pool.metadata.name ?? '' };
  if (isInPlace(pool)) {
    const desired = (live: capiv1beta1.MachineSet | undefined) => stated(live, desiredMachineSet(facts, live));
    const object = await upsertSeen(capiv1beta1.machinesets, key, desired, context);
    tellStatus(scope, object, machineSet, isSetComplete(object));
  } else {
    const desired = (live: capiv1beta1.MachineDeployment | undefined) =>
      stated(live, desiredMachineDeployment(facts, live));
    const object = await upsertSeen(capiv1beta1.machinedeployments, key, desired, context);
    tellStatus(scope, object, machineDeployment, isDeploymentComplete(object));
    await updateMachineMetadata(scope.machines, pool, machines.syncsGlobalPullSecret, context);
  }
  return done();
});

/** Nothing is repaired while so much is broken that something else must be wrong; the pool says so. */
function tellBrake(scope: PoolScope, check: capiv1beta1.MachineHealthCheck): void {
  const allowed = findCondition(check.status?.conditions, 'RemediationAllowed');
  if (allowed?.status === 'False')
    scope.report.say(fails('Ready', allowed.reason || 'TooManyUnhealthy', allowed.message ?? ''));
}

const ensureHealthCheck = (desired: capiv1beta1.MachineHealthCheck, context: ReconcileContext) =>
  upsertSeen(
    capiv1beta1.machinehealthchecks,
    { namespace: desired.metadata.namespace ?? '', name: desired.metadata.name ?? '' },
    (live) => stated(live, desired),
    context,
  );

async function deleteHealthCheck(namespace: string, name: string, context: ReconcileContext): Promise<void> {
  const { cache, client, signal } = context;
  const live = cache.get(capiv1beta1.machinehealthchecks, { namespace, name }) ?? null;
  await deleteIfPresent(client, capiv1beta1.machinehealthchecks, { namespace, name }, { live, signal });
}

/**
 * Machines repair themselves only after one of them proved that they can boot: before, replacing them would hide what
 * keeps them from it.
 */
export const healthCheck = step('health-check', async (scope, context) => {
  const machines = makesMachines(scope);
  if (!machines) return done();
  const { pool, namespace, report } = scope;
  const facts = { ...scope, repairTimeout: machines.repairTimeout };
  const type = 'AutorepairEnabled';
  if (pool.spec.management.autoRepair) {
    if (report.status(pool, 'ReachedIgnitionEndpoint') !== 'True') return done();
    tellBrake(scope, await ensureHealthCheck(desiredHealthCheck(facts), context));
    report.say(holds(type, ''));
  } else {
    await deleteHealthCheck(namespace, pool.metadata.name ?? '', context);
    report.say(fails(type, 'AsExpected', ''));
  }
  if (machines.isInterruptible?.(pool)) await ensureHealthCheck(desiredSpotHealthCheck(facts), context);
  else await deleteHealthCheck(namespace, spotHealthCheckName(pool), context);
  return done();
});
