import { describe, expect, it } from 'vitest';
import { aCluster, yes } from '../testing/objects.ts';
import { destroyPatch, isTornDown } from './destroy.ts';

const operator = 'hypershift.openshift.io/finalizer';
const ours = 'openshift.io/destroy-cluster';
const cleanup = { 'hypershift.openshift.io/cleanup-cloud-resources': 'true' };
const deletionTimestamp = '2026-01-01T00:00:00Z';

describe('destroyPatch', () => {
  it('When deletion has not begun, it should hold the cluster and ask for its cloud to be tidied', () => {
    const cluster = aCluster([], { finalizers: [operator], resourceVersion: '7' });
    expect(destroyPatch(cluster, true)).toEqual({
      metadata: { resourceVersion: '7', finalizers: [operator, ours], annotations: cleanup },
    });
  });

  it('When deletion has begun, it should add no finalizer, because the server takes none', () => {
    const cluster = aCluster([], { finalizers: [operator], deletionTimestamp, annotations: cleanup });
    expect(destroyPatch(cluster, true)).toBeUndefined();
  });
});

describe('isTornDown', () => {
  const grace = { annotations: { 'hypershift.openshift.io/destroy-grace-period': '1h' } };

  it.each([
    ['it does not exist', undefined, true],
    ['its deletion was not seen yet', aCluster([], { finalizers: [ours] }), false],
    ['the operator holds it', aCluster([], { deletionTimestamp, finalizers: [operator, ours] }), false],
    ['only we hold it', aCluster([], { deletionTimestamp, finalizers: [ours] }), true],
    [
      'it stays for its grace period',
      aCluster([yes('HostedClusterDestroyed')], { deletionTimestamp, finalizers: [operator], ...grace }),
      true,
    ],
    ['its grace period has not begun', aCluster([], { deletionTimestamp, finalizers: [operator], ...grace }), false],
  ])('When %s, it should answer rightly', (_, cluster, answer) => {
    expect(isTornDown(cluster)).toBe(answer);
  });
});
