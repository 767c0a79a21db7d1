import type { UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import { describe, expect, it } from 'vitest';
import type { Machine } from '../generated/capiv1beta1.ts';
import { externalChangeMatters, machineChangeMatters } from './changes.ts';

const machine = (status: object, metadata: object = {}) =>
  ({ metadata: { name: 'm', uid: 'u', generation: 1, ...metadata }, spec: {}, status }) as unknown as Machine;

describe('machineChangeMatters', () => {
  const before = machine({ phase: 'Pending', conditions: [{ type: 'Ready', status: 'False' }] });

  it('When only what its own controller writes has changed, it should not', () => {
    const after = machine(
      { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] },
      { resourceVersion: '9' },
    );
    expect(machineChangeMatters(before, after)).toBe(false);
  });

  it('When a health check, a readiness gate, a label or a deletion is new, it should', () => {
    const given = { type: 'HealthCheckSucceeded', status: 'False' };
    expect(machineChangeMatters(before, machine({ conditions: [given] }))).toBe(true);
    expect(machineChangeMatters(before, machine({ v1beta2: { conditions: [{ ...given, type: 'Gate' }] } }))).toBe(true);
    expect(machineChangeMatters(before, machine({}, { labels: { a: 'b' } }))).toBe(true);
    expect(machineChangeMatters(before, machine({}, { deletionTimestamp: '2026-01-01T00:00:00Z' }))).toBe(true);
  });

  it('When its status is gone, it should', () => {
    const { status: _gone, ...bare } = before;
    expect(machineChangeMatters(before, bare as Machine)).toBe(true);
  });
});

describe('externalChangeMatters', () => {
  const infrastructure = (metadata: object, status: object = {}) =>
    ({ apiVersion: 'x/v1', kind: 'X', metadata: { name: 'm', ...metadata }, status }) as unknown as UnstructuredObject;

  it('When the provider wrote its finalizer, it should not', () => {
    expect(externalChangeMatters(infrastructure({}), infrastructure({ finalizers: ['x'] }))).toBe(false);
  });

  it('When the machine is ready, has another address or another owner, it should', () => {
    const before = infrastructure({});
    expect(externalChangeMatters(before, infrastructure({}, { ready: true }))).toBe(true);
    const addresses = [{ type: 'InternalIP', address: '10.0.0.1' }];
    expect(externalChangeMatters(before, infrastructure({}, { addresses }))).toBe(true);
    expect(externalChangeMatters(before, infrastructure({ ownerReferences: [{ uid: 'o' }] }))).toBe(true);
  });
});
