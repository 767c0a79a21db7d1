import { falseState, mirror, type State, summary, trueState, withStates } from '../conditions/v1beta1.ts';
import { type NewState, newState, withNewStates } from '../conditions/v1beta2.ts';
import { type ControlPlaneFacts, type Endpoint, failureOf, isProvisioned, readyOf } from '../external/contract.ts';
import type { ExternalObject } from '../external/external-objects.ts';
import type { Cluster, ClusterStatus } from '../generated/capiv1beta1.ts';

/** What a Cluster's status is computed from. */
export interface ClusterFacts {
  /** Undefined without a reference. */
  readonly infrastructure: ExternalObject | undefined;
  readonly controlPlane: ControlPlaneFacts | undefined;
  /** A Machine of the control plane has become a node; only asked for without a control plane reference. */
  readonly controlPlaneNode: boolean;
  /** What a deletion still waits for. */
  readonly deleting?: { readonly reason: string; readonly message: string };
}

export function clusterStatus(cluster: Cluster, facts: ClusterFacts, nowMs: number): ClusterStatus {
  const before = cluster.status ?? {};
  const infrastructureReady = before.infrastructureReady === true || isInfrastructureReady(cluster, facts);
  const controlPlaneReady = facts.controlPlane?.ready ?? false;
  const initialized = isInitialized(cluster, facts);
  const states: State[] = [
    infrastructureState(cluster, facts, infrastructureReady),
    controlPlaneState(facts),
    initializedState(cluster, initialized),
  ];
  const failure = facts.infrastructure?.object ? failureOf(facts.infrastructure.object) : { reason: '', message: '' };
  const failed = failure.reason !== '' || failure.message !== '';
  const ready = summary('Ready', states, { of: ['ControlPlaneReady', 'InfrastructureReady'] });
  const status: ClusterStatus = {
    ...before,
    infrastructureReady,
    controlPlaneReady,
    ...(failure.reason ? { failureReason: failure.reason } : {}),
    ...(failure.message ? { failureMessage: failure.message } : {}),
    conditions: withStates(before.conditions, [...states, ready], nowMs),
    ...(cluster.metadata.generation === undefined ? {} : { observedGeneration: cluster.metadata.generation }),
    v1beta2: {
      ...before.v1beta2,
      conditions: withNewStates(
        before.v1beta2?.conditions,
        newStates(facts, infrastructureReady, initialized),
        cluster.metadata.generation,
        nowMs,
      ),
    },
  };
  return { ...status, phase: phaseOf(cluster, infrastructureReady, failed || before.failureReason !== undefined) };
}

function isInfrastructureReady(cluster: Cluster, { infrastructure }: ClusterFacts): boolean {
  if (!cluster.spec.infrastructureRef) return true;
  return infrastructure?.object !== undefined && isProvisioned(infrastructure.object);
}

function isInitialized(cluster: Cluster, { controlPlane, controlPlaneNode }: ClusterFacts): boolean {
  if (cluster.status?.conditions?.some(({ type, status }) => type === 'ControlPlaneInitialized' && status === 'True')) {
    return true;
  }
  return cluster.spec.controlPlaneRef ? (controlPlane?.initialized ?? false) : controlPlaneNode;
}

function infrastructureState(cluster: Cluster, { infrastructure }: ClusterFacts, ready: boolean): State {
  const type = 'InfrastructureReady';
  if (!cluster.spec.infrastructureRef) return trueState(type);
  const fallback = ready ? trueState(type) : falseState(type, 'WaitingForInfrastructure', 'Info');
  return mirror(type, infrastructure?.object && readyOf(infrastructure.object), fallback);
}

function controlPlaneState({ controlPlane }: ClusterFacts): State {
  const type = 'ControlPlaneReady';
  const fallback = controlPlane?.ready ? trueState(type) : falseState(type, 'WaitingForControlPlane', 'Info');
  return mirror(type, controlPlane?.condition, fallback);
}

function initializedState(cluster: Cluster, initialized: boolean): State {
  const type = 'ControlPlaneInitialized';
  if (initialized) return trueState(type);
  return cluster.spec.controlPlaneRef
    ? falseState(
        type,
        'WaitingForControlPlaneProviderInitialized',
        'Info',
        'Waiting for control plane provider to indicate the control plane has been initialized',
      )
    : falseState(
        type,
        'MissingNodeRef',
        'Info',
        'Waiting for the first control plane machine to have its status.nodeRef set',
      );
}

function newStates(
  { infrastructure, deleting }: ClusterFacts,
  infrastructureReady: boolean,
  initialized: boolean,
): readonly NewState[] {
  const source = infrastructure?.object && readyOf(infrastructure.object);
  return [
    newState(
      'InfrastructureReady',
      infrastructureReady ? 'True' : 'False',
      infrastructureReady ? 'Ready' : 'NotReady',
      infrastructureReady ? '' : (source?.message ?? ''),
    ),
    newState('ControlPlaneInitialized', initialized ? 'True' : 'False', initialized ? 'Initialized' : 'NotInitialized'),
    newState('Paused', 'False', 'NotPaused'),
    deleting
      ? newState('Deleting', 'True', deleting.reason, deleting.message)
      : newState('Deleting', 'False', 'NotDeleting'),
  ];
}

function phaseOf(cluster: Cluster, infrastructureReady: boolean, failed: boolean): NonNullable<ClusterStatus['phase']> {
  if (cluster.metadata.deletionTimestamp) return 'Deleting';
  if (failed) return 'Failed';
  if (infrastructureReady && isComplete(cluster.spec.controlPlaneEndpoint)) return 'Provisioned';
  return cluster.spec.infrastructureRef || cluster.spec.controlPlaneRef ? 'Provisioning' : 'Pending';
}

export function isComplete(endpoint: Partial<Endpoint> | undefined): boolean {
  return Boolean(endpoint?.host) && (endpoint?.port ?? 0) > 0;
}
