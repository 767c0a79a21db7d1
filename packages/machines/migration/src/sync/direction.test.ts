import type { mapiv1beta1 } from '@hypershift-ts/machines-machine-api';
import { describe, expect, it } from 'vitest';
import { syncDirection } from './direction.ts';

const old = (authoritativeAPI?: 'MachineAPI' | 'ClusterAPI' | 'Migrating'): mapiv1beta1.Machine => ({
  apiVersion: 'machine.openshift.io/v1beta1',
  kind: 'Machine',
  metadata: { name: 'm' },
  spec: {},
  status: authoritativeAPI ? { authoritativeAPI } : {},
});

const owner = { apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'MachineSet', name: 'workers', uid: '1' };
const mirror = {
  apiVersion: 'cluster.x-k8s.io/v1beta2',
  kind: 'Machine',
  metadata: { name: 'm', ownerReferences: [owner] },
};
const deleted = { ...mirror, metadata: { ...mirror.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } };
const older = { ...mirror, metadata: { ownerReferences: [{ ...owner, apiVersion: 'cluster.x-k8s.io/v1beta1' }] } };

describe('syncDirection', () => {
  it.each([
    ['neither exists', {}, 'nowhere'],
    ['only Cluster API has it and its set is in both', { clusterApi: mirror }, 'MachineAPI'],
    ['only Cluster API has it and it is being deleted', { clusterApi: deleted }, 'nowhere'],
    ['only Cluster API has it and its owner is of another version', { clusterApi: older }, 'nowhere'],
    ['only Cluster API has the set', { clusterApi: { ...mirror, kind: 'MachineSet' } }, 'nowhere'],
    ['the Machine API has authority', { machineApi: old('MachineAPI'), clusterApi: mirror }, 'ClusterAPI paused'],
    ['the Machine API has authority and no copy', { machineApi: old('MachineAPI') }, 'ClusterAPI paused'],
    ['Cluster API has authority', { machineApi: old('ClusterAPI'), clusterApi: mirror }, 'MachineAPI'],
    ['Cluster API shall make it', { machineApi: old('ClusterAPI') }, 'ClusterAPI'],
    ['authority is on its way', { machineApi: old('Migrating'), clusterApi: mirror }, 'nowhere'],
    ['nobody has authority', { machineApi: old() }, 'nowhere'],
  ])('When %s, it should go the right way', (_, pair, expected) => {
    const direction = syncDirection(pair, (name) => name === 'workers');
    expect(`${direction.to}${'paused' in direction && direction.paused ? ' paused' : ''}`).toBe(expected);
  });

  it('When the set of a machine is not in the Machine API, it should stay where it is', () => {
    expect(syncDirection({ clusterApi: mirror }, () => false).to).toBe('nowhere');
  });
});
