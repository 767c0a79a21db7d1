import type { appsv1 } from '@hypershift-ts/kube-apimachinery';
import { formatTime } from '@hypershift-ts/kube-apimachinery';
import { describe, expect, it } from 'vitest';
import { deploymentStatus, withReplicaFailure } from './deployment-status.ts';
import { deadlineIn, isComplete, pauseCondition, progressConditions } from './progress.ts';
import { isScalingEvent, sizesAfterScaling } from './proportional-scaling.ts';
import { desiredNewSet, equalIgnoringHash, findNewSet } from './replica-sets.ts';
import { newSetAnnotations, nextRevision } from './revision.ts';
import { newSetSize, oldSetSizes } from './rolling-update.ts';

const now = Date.UTC(2026, 0, 1);

function aDeployment(replicas: number, spec: object = {}, status: object = {}): appsv1.Deployment {
  const template = { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'c', image: 'a:1' }] } };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', namespace: 'ns', uid: 'u', generation: 1 },
    spec: { replicas, selector: { matchLabels: { app: 'web' } }, template, progressDeadlineSeconds: 600, ...spec },
    status,
  };
}

function aSet(
  name: string,
  replicas: number,
  available = replicas,
  annotations: Record<string, string> = {},
): appsv1.ReplicaSet {
  return {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: { name, namespace: 'ns', uid: name, annotations, creationTimestamp: `2026-01-0${name.length}T00:00:00Z` },
    spec: { replicas, selector: {}, template: { spec: { containers: [] } } },
    status: { replicas, availableReplicas: available, readyReplicas: available },
  };
}

const rolling = (maxSurge: number | string, maxUnavailable: number | string) => ({
  strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge, maxUnavailable } },
});

describe('newSetSize', () => {
  it.each([
    { replicas: 10, surge: '25%', old: 10, current: 0, size: 3 },
    { replicas: 10, surge: 0, old: 10, current: 0, size: 0 },
    { replicas: 10, surge: 0, old: 8, current: 0, size: 2 },
    { replicas: 3, surge: 5, old: 3, current: 0, size: 3 },
    { replicas: 3, surge: 1, old: 0, current: 3, size: 3 },
  ])('When $replicas are wanted with surge $surge and $old old ones, it should be $size', (row) => {
    const deployment = aDeployment(row.replicas, rolling(row.surge, 1));
    expect(newSetSize(deployment, [aSet('old', row.old), aSet('newer', row.current)], row.current)).toBe(row.size);
  });

  it('When the strategy is Recreate, it should be all at once', () => {
    expect(newSetSize(aDeployment(4, { strategy: { type: 'Recreate' } }), [aSet('old', 4)], 0)).toBe(4);
  });
});

describe('oldSetSizes', () => {
  const sizes = (deployment: appsv1.Deployment, newSet: appsv1.ReplicaSet, old: appsv1.ReplicaSet[]) =>
    oldSetSizes(deployment, newSet, old).map(({ set, to }) => `${set.metadata.name} ${to}`);

  it('When new pods are not available yet, it should only go down by what may be unavailable', () => {
    expect(sizes(aDeployment(4, rolling(1, 1)), aSet('newer', 1, 0), [aSet('old', 4)])).toEqual(['old 3']);
    expect(sizes(aDeployment(4, rolling(1, 0)), aSet('newer', 1, 0), [aSet('old', 4)])).toEqual([]);
  });

  it('When old pods are broken, it should take those first and not count them as lost', () => {
    expect(sizes(aDeployment(4, rolling(1, 1)), aSet('newer', 0, 0), [aSet('old', 4, 3)])).toEqual(['old 3']);
    const [first] = sizes(aDeployment(4, rolling(1, 2)), aSet('newer', 1, 1), [aSet('old', 2, 0), aSet('older', 2, 2)]);
    expect(first).toBe('old 0');
  });
});

describe('sizesAfterScaling', () => {
  const sized = (desired: number, max: number) => ({
    'deployment.kubernetes.io/desired-replicas': String(desired),
    'deployment.kubernetes.io/max-replicas': String(max),
  });

  it('When scaled in the middle of a rollout, it should share the change by size', () => {
    const deployment = aDeployment(20, rolling(2, 2));
    const old = aSet('old', 8, 8, sized(10, 12));
    const newSet = aSet('newer', 4, 2, sized(10, 12));
    expect(isScalingEvent(deployment, [old, newSet])).toBe(true);
    const result = sizesAfterScaling(deployment, newSet, [old]).map(({ set, to }) => `${set.metadata.name} ${to}`);
    expect(result).toEqual(['old 15', 'newer 7']);
  });

  it('When only one is active, it should scale that one', () => {
    const newSet = aSet('newer', 3, 3, sized(3, 4));
    expect(sizesAfterScaling(aDeployment(5), newSet, [aSet('old', 0)])).toEqual([{ set: newSet, to: 5 }]);
  });
});

describe('replica sets of a deployment', () => {
  it('When two templates differ by the hash label only, they should be equal', () => {
    const { template } = aDeployment(1).spec;
    const hashed = { ...template, metadata: { labels: { app: 'web', 'pod-template-hash': 'x' } } };
    expect(equalIgnoringHash(template, hashed)).toBe(true);
    expect(equalIgnoringHash(template, { ...hashed, spec: { containers: [] } })).toBe(false);
  });

  it('When one is made, it should carry hash, revision and sizes, and be found again', () => {
    const deployment = aDeployment(3, rolling(1, 0));
    const set = desiredNewSet(deployment, 2, 7);
    const hash = set.metadata.labels?.['pod-template-hash'];
    expect(set.metadata.name).toBe(`web-${hash}`);
    expect(set.spec.selector.matchLabels).toEqual({ app: 'web', 'pod-template-hash': hash });
    expect(set.metadata.annotations).toEqual({
      'deployment.kubernetes.io/revision': '7',
      'deployment.kubernetes.io/desired-replicas': '3',
      'deployment.kubernetes.io/max-replicas': '4',
    });
    const made = { apiVersion: 'apps/v1', kind: 'ReplicaSet', ...set } as appsv1.ReplicaSet;
    expect(findNewSet(deployment, [aSet('old', 1), made])).toBe(made);
    expect(desiredNewSet({ ...deployment, status: { collisionCount: 1 } }, 2, 7).metadata.name).not.toBe(
      set.metadata.name,
    );
  });

  it('When an old one becomes the newest again, it should remember its former revision', () => {
    const set = aSet('old', 1, 1, { 'deployment.kubernetes.io/revision': '1', mine: 'kept' });
    expect(nextRevision([set, aSet('newer', 1, 1, { 'deployment.kubernetes.io/revision': '4' })])).toBe(5);
    expect(newSetAnnotations(aDeployment(1), set, 5)).toMatchObject({
      mine: 'kept',
      'deployment.kubernetes.io/revision': '5',
      'deployment.kubernetes.io/revision-history': '1',
    });
  });
});

describe('deployment status', () => {
  it('When enough pods are available, it should say so, and the other way round', () => {
    const deployment = aDeployment(4, rolling(1, 1));
    const reason = (available: number) =>
      deploymentStatus(deployment, aSet('newer', 4, available), [], now).conditions?.[0]?.reason;
    expect(reason(3)).toBe('MinimumReplicasAvailable');
    expect(reason(2)).toBe('MinimumReplicasUnavailable');
  });

  it('When nothing moved for longer than the deadline, it should have timed out', () => {
    const before = {
      type: 'Progressing',
      status: 'True',
      reason: 'ReplicaSetUpdated',
      lastUpdateTime: formatTime(now - 601_000),
      lastTransitionTime: formatTime(now - 601_000),
    };
    const deployment = aDeployment(2, {}, { replicas: 2, updatedReplicas: 2, conditions: [before] });
    const [condition] = progressConditions(deployment, deployment.status ?? {}, 'web-1', now);
    expect(condition).toMatchObject({
      status: 'False',
      reason: 'ProgressDeadlineExceeded',
      message: 'ReplicaSet "web-1" has timed out progressing.',
    });
    const earlier = { ...before, lastUpdateTime: formatTime(now - 100_000) };
    const waiting = { replicas: 2, updatedReplicas: 2, conditions: [earlier] };
    expect(progressConditions(aDeployment(2, {}, waiting), waiting, 'web-1', now)).toEqual([earlier]);
    expect(deadlineIn(aDeployment(2, {}, waiting), waiting, now)).toBe(501_000);
  });

  it('When all pods are new and available, it should be complete', () => {
    const status = { observedGeneration: 1, replicas: 2, updatedReplicas: 2, availableReplicas: 2, conditions: [] };
    expect(isComplete(aDeployment(2), status)).toBe(true);
    const [condition] = progressConditions(aDeployment(2), status, 'web-1', now);
    expect(condition).toMatchObject({
      reason: 'NewReplicaSetAvailable',
      message: 'ReplicaSet "web-1" has successfully progressed.',
    });
  });

  it('When a ReplicaSet cannot make pods, it should pass the reason on and take it back', () => {
    const failing = aSet('newer', 1, 0);
    const condition = { type: 'ReplicaFailure', status: 'True', reason: 'FailedCreate', message: 'quota' };
    const set = { ...failing, status: { replicas: 0, conditions: [condition] } };
    const told = withReplicaFailure([], set, [], now);
    expect(told[0]).toMatchObject(condition);
    expect(withReplicaFailure(told, failing, [], now)).toEqual([]);
  });

  it('When paused and resumed, it should be told once each', () => {
    expect(pauseCondition(aDeployment(1, { paused: true }))?.reason).toBe('DeploymentPaused');
    const told = { conditions: [{ type: 'Progressing', status: 'Unknown', reason: 'DeploymentPaused' }] };
    expect(pauseCondition(aDeployment(1, { paused: true }, told))).toBeUndefined();
    expect(pauseCondition(aDeployment(1, {}, told))?.reason).toBe('DeploymentResumed');
  });
});
