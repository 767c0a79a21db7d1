import type { capiv1beta2 } from '@hypershift-ts/machines-cluster-api';
import type { mapiv1beta1 } from '@hypershift-ts/machines-machine-api';
import { describe, expect, it } from 'vitest';
import { desiredClusterApiMachine, desiredInfraMachine, desiredMachineApiMachine } from './machine.ts';
import { desiredClusterApiMachineSet, desiredMachineApiMachineSet, outdatedTemplates } from './machine-set.ts';

const converted: capiv1beta2.Machine = {
  apiVersion: 'cluster.x-k8s.io/v1beta2',
  kind: 'Machine',
  metadata: { name: 'm', labels: { role: 'worker' }, finalizers: ['machine.cluster.x-k8s.io'] },
  spec: { clusterName: 'prod', bootstrap: {}, infrastructureRef: { apiGroup: '', kind: '', name: 'm' } },
};

const stored: capiv1beta2.Machine = {
  ...converted,
  metadata: {
    name: 'm',
    uid: '7',
    resourceVersion: '12',
    generation: 3,
    labels: { role: 'old', 'cluster.x-k8s.io/interruptible': '' },
    annotations: { 'example.com/seen': 'yes' },
    finalizers: ['sync.machine.openshift.io/finalizer'],
  },
};

const set = { apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'MachineSet', name: 'workers', uid: '1' };
const paused = { 'cluster.x-k8s.io/paused': '' };

describe('The Cluster API copy of a machine', () => {
  it('When it is new and the original acts, it should be made paused, with its set as a label', () => {
    const { metadata } = desiredClusterApiMachine(converted, undefined, { owners: [set], paused: true });
    expect(metadata).toEqual({
      ...converted.metadata,
      labels: { role: 'worker', 'cluster.x-k8s.io/set-name': 'workers' },
      annotations: paused,
      ownerReferences: [set],
    });
  });

  it('When Cluster API shall make the instance, it should not be paused', () => {
    const { metadata } = desiredClusterApiMachine(converted, undefined, { owners: [], paused: false });
    expect(metadata.annotations).toBeUndefined();
  });

  it('When it is stored already, it should keep what others put there', () => {
    const { metadata } = desiredClusterApiMachine(converted, stored, { owners: [], paused: true });
    expect(metadata).toMatchObject({
      uid: '7',
      resourceVersion: '12',
      generation: 3,
      labels: { role: 'worker', 'cluster.x-k8s.io/interruptible': '' },
      annotations: { 'example.com/seen': 'yes', ...paused },
      finalizers: ['sync.machine.openshift.io/finalizer'],
    });
  });

  it('When its InfraMachine is made, it should belong to the machine', () => {
    const infra = { apiVersion: 'i/v1', kind: 'AWSMachine', metadata: { name: 'm' }, spec: {} };
    const { metadata } = desiredInfraMachine(infra, undefined, { machine: stored, paused: true });
    expect(metadata.annotations).toEqual(paused);
    expect(metadata.ownerReferences).toEqual([
      {
        apiVersion: 'cluster.x-k8s.io/v1beta2',
        kind: 'Machine',
        name: 'm',
        uid: '7',
        controller: true,
        blockOwnerDeletion: true,
      },
    ]);
  });
});

describe('The Machine API copy of a machine', () => {
  const old: mapiv1beta1.Machine = {
    apiVersion: 'machine.openshift.io/v1beta1',
    kind: 'Machine',
    metadata: { name: 'm', finalizers: ['machine.machine.openshift.io'] },
    spec: { providerID: 'aws:///a/i-1' },
  };

  it('When it is new, it should be Cluster API that has authority', () => {
    expect(desiredMachineApiMachine(old, undefined, []).spec).toEqual({ ...old.spec, authoritativeAPI: 'ClusterAPI' });
  });

  it('When it is stored already, it should keep the wish of its user', () => {
    const existing = {
      ...old,
      metadata: { name: 'm', resourceVersion: '4' },
      spec: { authoritativeAPI: 'MachineAPI' as const },
    };
    const desired = desiredMachineApiMachine(old, existing, []);
    expect([desired.spec.authoritativeAPI, desired.metadata.resourceVersion]).toEqual(['MachineAPI', '4']);
    expect(desired.metadata.finalizers).toEqual(old.metadata.finalizers);
  });
});

describe('Copies of sets', () => {
  const machineSet: capiv1beta2.MachineSet = {
    ...converted,
    kind: 'MachineSet',
    metadata: { name: 'workers', labels: { a: 'b' } },
    spec: { clusterName: 'prod', selector: {}, template: { spec: converted.spec } },
  };
  const template = {
    apiVersion: 'i/v1',
    kind: 'T',
    metadata: { name: 'workers-12345678' },
    spec: { template: { spec: {} } },
  };

  it('When the original acts, it should pause both set and template, and replace labels', () => {
    const existing = { ...machineSet, metadata: { name: 'workers', resourceVersion: '3', labels: { gone: '' } } };
    const desired = desiredClusterApiMachineSet({ machineSet, template }, existing, { owners: [set], paused: true });
    expect(desired.machineSet.metadata).toMatchObject({
      resourceVersion: '3',
      labels: { a: 'b' },
      annotations: paused,
    });
    expect(desired.machineSet.metadata.labels).not.toHaveProperty('gone');
    expect(desired.template.metadata).toEqual({
      name: 'workers-12345678',
      annotations: paused,
      ownerReferences: [set],
    });
  });

  it('When the spec has changed, it should tell which templates are outdated', () => {
    const older = { ...template, metadata: { name: 'workers-00000000' } };
    expect(outdatedTemplates([older, template], 'workers-12345678')).toEqual([older]);
  });

  it('When a set comes back, it should keep its selector and who shall have authority', () => {
    const existing: mapiv1beta1.MachineSet = {
      apiVersion: 'machine.openshift.io/v1beta1',
      kind: 'MachineSet',
      metadata: { name: 'workers', resourceVersion: '9' },
      spec: {
        authoritativeAPI: 'ClusterAPI',
        selector: { matchLabels: { mine: '' } },
        template: { metadata: { labels: { mine: '' } }, spec: { authoritativeAPI: 'MachineAPI' } },
      },
    };
    const back: mapiv1beta1.MachineSet = {
      ...existing,
      metadata: { name: 'workers' },
      spec: {
        replicas: 3,
        selector: {},
        template: { metadata: { labels: { role: 'worker' } }, spec: { providerID: 'x' } },
      },
    };
    expect(desiredMachineApiMachineSet(back, existing)).toMatchObject({
      metadata: { resourceVersion: '9' },
      spec: {
        authoritativeAPI: 'ClusterAPI',
        replicas: 3,
        selector: { matchLabels: { mine: '' } },
        template: {
          metadata: { labels: { mine: '', role: 'worker' } },
          spec: { authoritativeAPI: 'MachineAPI', providerID: 'x' },
        },
      },
    });
  });
});
