import { describe, expect, it } from 'vitest';
import { admit, aRequest } from '../testing/requests.ts';
import { storageObjectInUseProtection } from '../storage-protection/index.ts';
import { taintNodesByCondition } from './index.ts';

const notReady = { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' };

describe('TaintNodesByCondition', () => {
  it.each([
    [undefined, [notReady]],
    [{ taints: [{ key: 'a', effect: 'NoExecute' }] }, [{ key: 'a', effect: 'NoExecute' }, notReady]],
    [{ taints: [notReady] }, [notReady]],
  ])('When a node registers with %j, it should be tainted once', async (spec, taints) => {
    const object = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n1' }, ...(spec ? { spec } : {}) };
    expect((await admit(taintNodesByCondition, aRequest({ object }))).object?.['spec'].taints).toEqual(taints);
  });
});

describe('StorageObjectInUseProtection', () => {
  it.each([
    ['PersistentVolumeClaim', 'kubernetes.io/pvc-protection'],
    ['PersistentVolume', 'kubernetes.io/pv-protection'],
  ])('When a %s is created, it should carry %s', async (kind, finalizer) => {
    const object = { apiVersion: 'v1', kind, metadata: { name: 'data' } };
    const once = await admit(storageObjectInUseProtection, aRequest({ object }));
    expect(once.object?.['metadata'].finalizers).toEqual([finalizer]);
    const twice = await admit(storageObjectInUseProtection, aRequest({ object: once.object! }));
    expect(twice.object?.['metadata'].finalizers).toEqual([finalizer]);
  });
});
