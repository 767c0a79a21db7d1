import type { capiv1beta2 } from '@hypershift-ts/machines-cluster-api';
import type { mapiv1beta1 } from '@hypershift-ts/machines-machine-api';
import { describe, expect, it } from 'vitest';
import { platformConversion } from '../conversion/platforms.ts';
import {
  clusterApiMachineChanges,
  clusterApiMachineSetChanges,
  hasChanges,
  infraMachineChanges,
  infraTemplateChanges,
  machineApiMachineChanges,
  machineApiMachineSetChanges,
} from './index.ts';

const aws = platformConversion('AWS')!;

const machine: capiv1beta2.Machine = {
  apiVersion: 'cluster.x-k8s.io/v1beta2',
  kind: 'Machine',
  metadata: { name: 'a', labels: { role: 'worker' } },
  spec: { clusterName: 'prod', bootstrap: {}, infrastructureRef: { apiGroup: '', kind: 'AWSMachine', name: 'a' } },
};

const condition = (type: string, status: 'True' | 'False', lastTransitionTime: string) => ({
  type,
  status,
  reason: type,
  message: '',
  lastTransitionTime,
});

describe('Changes of objects of Cluster API', () => {
  it('When only the server has added to the metadata, it should find no change', () => {
    const stored = {
      ...machine,
      metadata: {
        ...machine.metadata,
        uid: '1',
        resourceVersion: '7',
        generation: 2,
        finalizers: ['sync.machine.openshift.io/finalizer'],
        managedFields: [],
        annotations: { 'cluster.x-k8s.io/conversion-data': '{}' },
      },
    };
    expect(hasChanges(clusterApiMachineChanges(machine, stored))).toBe(false);
  });

  it('When a label and a field of the spec differ, it should name both', () => {
    const other = {
      ...machine,
      metadata: { labels: { role: 'infra' } },
      spec: { ...machine.spec, failureDomain: 'a' },
    };
    const changes = clusterApiMachineChanges(machine, other);
    expect(changes).toEqual({ metadata: ['labels.role'], spec: ['failureDomain'], providerSpec: [], status: [] });
    expect(hasChanges(changes, 'status')).toBe(false);
    expect(hasChanges(changes, 'spec', 'metadata')).toBe(true);
  });

  it('When conditions differ in time, in order or in what only one side knows, it should find no change', () => {
    const before = {
      ...machine,
      status: { conditions: [condition('Ready', 'True', '1'), condition('Deleting', 'False', '1')] },
    };
    const after = {
      ...machine,
      status: {
        conditions: [
          condition('Deleting', 'False', '2'),
          condition('Ready', 'True', '2'),
          condition('Paused', 'True', '2'),
        ],
      },
    };
    expect(hasChanges(clusterApiMachineChanges(before, after))).toBe(false);
    const unready = {
      ...machine,
      status: { conditions: [condition('Ready', 'False', '1'), condition('Deleting', 'False', '1')] },
    };
    expect(clusterApiMachineChanges(before, unready).status).toEqual(['conditions.Ready.status']);
  });

  it('When conditions of the older version differ, it should find that, too', () => {
    const status = (ready: string) => ({
      deprecated: { v1beta1: { conditions: [{ type: 'Ready', status: ready, lastTransitionTime: ready }] } },
    });
    const changes = clusterApiMachineChanges(
      { ...machine, status: status('True') },
      { ...machine, status: status('False') },
    );
    expect(changes.status).toEqual(['deprecated.v1beta1.conditions.Ready.status']);
  });

  it('When a set is being repaired, it should find no change', () => {
    const set: capiv1beta2.MachineSet = {
      ...machine,
      spec: { clusterName: 'prod', selector: {}, template: { spec: machine.spec } },
    };
    const repaired = { ...set, status: { conditions: [condition('Remediating', 'True', '1')] } };
    expect(hasChanges(clusterApiMachineSetChanges(set, repaired))).toBe(false);
  });

  it('When an InfraMachine says the same with other zeros, it should find no change', () => {
    const infra = { ...machine, spec: { instanceType: 'm5', cloudInit: {}, hostAffinity: 'default' } };
    const stored = { ...infra, spec: { hostAffinity: 'default', instanceType: 'm5', additionalTags: {}, tenancy: '' } };
    expect(hasChanges(infraMachineChanges(infra, stored, aws))).toBe(false);
    const bigger = { ...infra, spec: { ...infra.spec, instanceType: 'm6' } };
    expect(infraMachineChanges(infra, bigger, aws).spec).toEqual(['instanceType']);
  });

  it('When a template differs beside its machine, it should name the field', () => {
    const metal = platformConversion('BareMetal')!;
    const template = (nodeReuse: boolean) => ({ ...machine, spec: { nodeReuse, template: { spec: {} } } });
    expect(infraTemplateChanges(template(false), template(true), metal).spec).toEqual(['nodeReuse']);
  });
});

describe('Changes of objects of the Machine API', () => {
  const old = (
    value: { readonly [field: string]: unknown },
    status: mapiv1beta1.MachineStatus = {},
  ): mapiv1beta1.Machine => ({
    apiVersion: 'machine.openshift.io/v1beta1',
    kind: 'Machine',
    metadata: { name: 'a' },
    spec: { providerSpec: { value } },
    status,
  });

  it('When provider specs differ in version, order and unknown fields only, it should find no change', () => {
    const before = old({ apiVersion: 'awsproviderconfig.openshift.io/v1beta1', instanceType: 'm5', unknown: 1 });
    const after = old({ instanceType: 'm5', deviceIndex: 0, apiVersion: 'machine.openshift.io/v1beta1' });
    expect(hasChanges(machineApiMachineChanges(before, after, aws))).toBe(false);
  });

  it('When provider specs differ, it should not blame the rest of the spec', () => {
    const changes = machineApiMachineChanges(old({ instanceType: 'm5' }), old({ instanceType: 'm6' }), aws);
    expect(changes).toEqual({ metadata: [], spec: [], providerSpec: ['instanceType'], status: [] });
  });

  it('When authority and synchronisation differ, it should find no change', () => {
    const after = old({}, { authoritativeAPI: 'ClusterAPI', synchronizedGeneration: 4, synchronizedAPI: 'ClusterAPI' });
    expect(hasChanges(machineApiMachineChanges(old({}), after, aws))).toBe(false);
    expect(machineApiMachineChanges(old({}), old({}, { phase: 'Running' }), aws).status).toEqual(['phase']);
  });

  it('When sets differ in their template, it should tell provider spec and rest apart', () => {
    const set = (instanceType: string, replicas: number): mapiv1beta1.MachineSet => ({
      apiVersion: 'machine.openshift.io/v1beta1',
      kind: 'MachineSet',
      metadata: { name: 'a' },
      spec: { replicas, template: { spec: { providerSpec: { value: { instanceType } } } } },
    });
    const changes = machineApiMachineSetChanges(set('m5', 1), set('m6', 2), aws);
    expect(changes).toEqual({ metadata: [], spec: ['replicas'], providerSpec: ['instanceType'], status: [] });
  });
});
