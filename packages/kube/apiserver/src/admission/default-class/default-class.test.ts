import { describe, expect, it } from 'vitest';
import type { Draft } from '../../kinds/behaviour.ts';
import { admit, aLookup, aRequest } from '../testing/requests.ts';
import { defaultIngressClass, defaultStorageClass } from './index.ts';

const storageClass = (name: string, isDefault: boolean, creationTimestamp: string): Draft => ({
  apiVersion: 'storage.k8s.io/v1',
  kind: 'StorageClass',
  metadata: {
    name,
    creationTimestamp,
    annotations: { 'storageclass.kubernetes.io/is-default-class': String(isDefault) },
  },
});
const ingressClass = (name: string): Draft => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'IngressClass',
  metadata: { name, annotations: { 'ingressclass.kubernetes.io/is-default-class': 'true' } },
});
const claim = (spec: Draft): Draft => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name: 'data', namespace: 'default' },
  spec,
});
const ingress = (spec: Draft): Draft => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'Ingress',
  metadata: { name: 'web', namespace: 'default' },
  spec,
});

describe('Default classes', () => {
  const classes = [
    storageClass('slow', false, '2026-01-03T00:00:00Z'),
    storageClass('old', true, '2026-01-01T00:00:00Z'),
    storageClass('new', true, '2026-01-02T00:00:00Z'),
  ];

  it.each([
    [{}, 'new'],
    [{ storageClassName: 'slow' }, 'slow'],
    [{ storageClassName: '' }, ''],
  ])('When a claim says %j, it should end with class %j', async (spec, expected) => {
    const { object } = await admit(defaultStorageClass(aLookup(...classes)), aRequest({ object: claim(spec) }));
    expect(object?.['spec'].storageClassName).toBe(expected);
  });

  it('When there is no default, it should leave the claim alone', async () => {
    const { object } = await admit(defaultStorageClass(aLookup()), aRequest({ object: claim({}) }));
    expect(object?.['spec']).toEqual({});
  });

  it('When one ingress class is the default, it should be used; two are an error', async () => {
    const one = await admit(defaultIngressClass(aLookup(ingressClass('a'))), aRequest({ object: ingress({}) }));
    expect(one.object?.['spec']).toEqual({ ingressClassName: 'a' });
    await expect(
      admit(defaultIngressClass(aLookup(ingressClass('a'), ingressClass('b'))), aRequest({ object: ingress({}) })),
    ).rejects.toThrow('2 default IngressClasses were found, only 1 allowed');
  });
});
