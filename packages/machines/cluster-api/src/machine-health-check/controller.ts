import type { ObjectKey } from '@hypershift-ts/kube-apimachinery';
import { findCondition, isConditionTrue } from '@hypershift-ts/kube-apimachinery';
import type { InformerCache } from '@hypershift-ts/kube-client';
import type { Controller, ReconcileContext, ReconcileResult } from '@hypershift-ts/kube-controller';
import { controller } from '@hypershift-ts/kube-controller';
import { selectorFor } from '@hypershift-ts/kube-controllers';
import { falseState, type State, trueState, withStates, without } from '../conditions/v1beta1.ts';
import { type NewState, newState, withNewStates, withoutNew } from '../conditions/v1beta2.ts';
import { type Environment, machineStore } from '../environment.ts';
import * as capi from '../generated/capiv1beta1.ts';
import type { HostedCluster } from '../hosted/hosted-clusters.ts';
import { annotations, hasAnnotation } from '../keys.ts';
import { isPaused, tellPaused } from '../paused.ts';
import { clusterOwner, ensureMembership, keyOfObject, writeStatus } from '../upkeep.ts';
import { brakeFor } from './brake.ts';
import { type Health, healthOf, type Target } from './health.ts';
import { healthCheckStatus } from './status.ts';

type HealthCheck = capi.MachineHealthCheck;
type Machine = capi.Machine;

interface Examined {
  readonly machine: Machine;
  readonly health: Health;
}

/** While the hosted cluster cannot be reached nothing tells us that it can again. */
const unreachableRetryMs = 10_000;

/** Marks Machines whose nodes stay away or unwell, for their owners to replace; with a brake against mass repair. */
export function machineHealthCheckController(env: Environment): Controller {
  const { namespace, hosted } = env;

  async function reconcile(key: ObjectKey, context: ReconcileContext): Promise<ReconcileResult> {
    const { cache, client, clock } = context;
    const found = cache.get(capi.machinehealthchecks, key, { namespace });
    if (!found || found.metadata.deletionTimestamp) return undefined;
    const cluster = cache.get(capi.clusters, { namespace, name: found.spec.clusterName }, { namespace });
    if (!cluster) return undefined;
    if (isPaused(cluster, found)) return tellPaused(capi.machinehealthchecks, found, cluster, context);
    const owner = clusterOwner(cluster);
    const check = await ensureMembership(client, capi.machinehealthchecks, found, found.spec.clusterName, { owner });
    const machines = targetsOf(check, cache);
    const nodes = await nodesOf(cluster, machines, context);
    if (nodes === 'unreachable') return { requeueAfterMs: unreachableRetryMs };
    const nowMs = clock.now();
    const examined = machines.map((machine): Examined => {
      const target: Target = { machine, node: nodes?.nodes.get({ name: machine.status?.nodeRef?.name ?? '' }) };
      return { machine, health: healthOf(target, check.spec, cluster, nowMs) };
    });
    await judge(check, examined, context);
    return nextLook(examined);
  }

  function targetsOf({ spec }: HealthCheck, cache: InformerCache): readonly Machine[] {
    const selector = selectorFor(spec.selector);
    if (selector.everything) return [];
    return machineStore(cache, namespace)
      .ofCluster(spec.clusterName)
      .filter(
        (machine) =>
          selector.matches(machine.metadata.labels) &&
          !hasAnnotation(machine, annotations.paused) &&
          !hasAnnotation(machine, annotations.skipRemediation),
      );
  }

  /** Undefined when no node needs to be seen: a check of machines without nodes must not wait for the cluster. */
  async function nodesOf(
    cluster: capi.Cluster,
    machines: readonly Machine[],
    { signal }: ReconcileContext,
  ): Promise<HostedCluster | undefined | 'unreachable'> {
    if (!machines.some(({ status }) => status?.nodeRef)) return undefined;
    return (await hosted.reach(cluster, signal)) ?? 'unreachable';
  }

  async function judge(check: HealthCheck, examined: readonly Examined[], context: ReconcileContext): Promise<void> {
    const { client, clock, events } = context;
    const healthy = examined.filter(({ health }) => health.state === 'healthy').length;
    const unhealthy = examined.filter(({ health }) => health.state === 'unhealthy').length;
    const brake = brakeFor(check.spec, examined.length, examined.length - healthy);
    const names = examined.map(({ machine }) => machine.metadata.name ?? '');
    const status = healthCheckStatus(check, names, healthy, brake, clock.now());
    const restricted = !brake.allowed && unhealthy > 0;
    if (restricted && findCondition(check.status?.conditions, 'RemediationAllowed')?.status !== 'False') {
      events.warning(check, 'RemediationRestricted', brake.message);
    }
    await writeStatus(client, capi.machinehealthchecks, check, status);
    for (const one of examined) await mark(check, one, brake.allowed, context);
  }

  /** Health is always told; handing a Machine to its owner for repair needs the brake's consent. */
  async function mark(
    check: HealthCheck,
    { machine, health }: Examined,
    allowed: boolean,
    { client, clock, events }: ReconcileContext,
  ): Promise<void> {
    if (health.state === 'pending' || machine.metadata.deletionTimestamp) return;
    const { conditions, v1beta2 } = machine.status ?? {};
    const states: State[] = [];
    const newStates: NewState[] = [];
    let kept = conditions ?? [];
    let newKept = v1beta2?.conditions ?? [];
    if (health.state === 'healthy') {
      states.push(trueState('HealthCheckSucceeded'));
      newStates.push(newState('HealthCheckSucceeded', 'True', 'HealthCheckSucceeded'));
      kept = without(kept, 'OwnerRemediated');
      newKept = withoutNew(newKept, 'OwnerRemediated');
    } else {
      states.push(falseState('HealthCheckSucceeded', health.reason, 'Warning', health.message));
      const message = `Health check failed:\n  * ${health.message}`;
      newStates.push(newState('HealthCheckSucceeded', 'False', health.reason, message));
      if (allowed && findCondition(conditions, 'OwnerRemediated')?.status !== 'False') {
        states.push(falseState('OwnerRemediated', 'WaitingForRemediation', 'Warning'));
        newStates.push(newState('OwnerRemediated', 'False', 'WaitingForRemediation', 'Waiting for remediation'));
        events.normal(
          machine,
          'MachineMarkedUnhealthy',
          `Machine ${namespace}/${machine.metadata.name} has been marked as unhealthy by ${namespace}/${check.metadata.name}`,
        );
      }
    }
    const next = withStates(kept, states, clock.now());
    const newNext = withNewStates(newKept, newStates, machine.metadata.generation, clock.now());
    if (next === conditions && newNext === v1beta2?.conditions) return;
    const status = { ...machine.status, conditions: next, v1beta2: { ...v1beta2, conditions: newNext } };
    await writeStatus(client, capi.machines, machine, status);
  }

  const checksOf = (test: (check: HealthCheck) => boolean, cache: InformerCache) =>
    cache.list(capi.machinehealthchecks, namespace, { namespace }).filter(test).map(keyOfObject);
  const checksFor = (machine: Machine, cache: InformerCache) =>
    checksOf(
      ({ spec }) =>
        spec.clusterName === machine.spec.clusterName && selectorFor(spec.selector).matches(machine.metadata.labels),
      cache,
    );

  return controller<HealthCheck, [Machine, capi.Cluster]>({
    name: 'machinehealthcheck',
    for: { type: capi.machinehealthchecks, namespace },
    watches: [
      {
        type: capi.machines,
        namespace,
        predicate: { updated: machineChangeMatters },
        map: (machine, { cache }) => checksFor(machine, cache),
      },
      {
        type: capi.clusters,
        namespace,
        predicate: { updated: (before, next) => clusterState(before) !== clusterState(next) },
        map: ({ metadata }, { cache }) => checksOf(({ spec }) => spec.clusterName === metadata.name, cache),
      },
    ],
    sources: [
      (enqueue, { cache }) =>
        hosted.onNode((clusterKey, { metadata, spec }) => {
          const clusterName = clusterKey.slice(clusterKey.indexOf('/') + 1);
          const node = { name: metadata.name ?? '', providerID: spec?.providerID ?? '' };
          for (const machine of machineStore(cache, namespace).ofNode(clusterName, node)) {
            for (const key of checksFor(machine, cache)) enqueue(key);
          }
        }),
    ],
    concurrency: 4,
    reconcile,
  });
}

const clusterState = (cluster: capi.Cluster) =>
  [
    isPaused(cluster, cluster),
    isConditionTrue(cluster.status?.conditions, 'ControlPlaneInitialized'),
    isConditionTrue(cluster.status?.conditions, 'InfrastructureReady'),
  ].join();

function machineChangeMatters(before: Machine, next: Machine): boolean {
  const shown = ({ metadata, status }: Machine) =>
    [
      metadata.deletionTimestamp,
      status?.nodeRef?.name,
      status?.failureReason,
      ...['InfrastructureReady', 'HealthCheckSucceeded', 'OwnerRemediated'].map(
        (type) => findCondition(status?.conditions, type)?.status,
      ),
    ].join();
  return (
    shown(before) !== shown(next) ||
    before.metadata.labels !== next.metadata.labels ||
    before.metadata.annotations !== next.metadata.annotations
  );
}

/** Only time tells whether a machine that is not well yet becomes unhealthy. */
function nextLook(examined: readonly Examined[]): ReconcileResult {
  let soonest = Number.POSITIVE_INFINITY;
  for (const { health } of examined) {
    if (health.state !== 'unhealthy') soonest = Math.min(soonest, health.nextLookMs ?? soonest);
  }
  return Number.isFinite(soonest) ? { requeueAfterMs: soonest } : undefined;
}
