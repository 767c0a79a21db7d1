import type { OwnerReference } from '@hypershift-ts/kube-apimachinery';
import { describe, expect, it } from 'vitest';
import {
  clusterApiOwner,
  clusterApiSetOwner,
  machineApiOwner,
  machineApiSetOwner,
  type OwnerOutcome,
  ownerReferences,
} from './owner-references.ts';

const owner = (apiVersion: string, kind: string): OwnerReference => ({ apiVersion, kind, name: 'workers', uid: '1' });
const oldSet = { ...owner('machine.openshift.io/v1beta1', 'MachineSet'), controller: true, blockOwnerDeletion: true };
const newSet = owner('cluster.x-k8s.io/v1beta2', 'MachineSet');
const cluster = owner('cluster.x-k8s.io/v1beta2', 'Cluster');
const controlPlane = owner('machine.openshift.io/v1', 'ControlPlaneMachineSet');

const owned = (...owners: readonly OwnerReference[]) => ({ metadata: { ownerReferences: owners } });
const outcome = (result: OwnerOutcome) => ('owner' in result ? result.owner : result.detail);
const unsupported = 'unsupported owner kind for owner reference conversion';
const tooMany = 'must have at most 1 item';

describe('The owner of a copy', () => {
  it.each([
    ['nobody', owned(), { wanted: 'Cluster', name: 'prod' }],
    ['a set', owned(oldSet), { wanted: 'MachineSet', name: 'workers', controller: true, block: true }],
    ['two', owned(oldSet, oldSet), tooMany],
    ['a set of the other API', owned(newSet), unsupported],
    [
      'a control plane set',
      owned(controlPlane),
      'conversion of control plane machines owned by control plane machine set is currently not supported',
    ],
  ])('When a Machine API machine is owned by %s, it should be chosen so', (_, machine, expected) => {
    expect(outcome(clusterApiOwner(machine, 'prod'))).toEqual(expected);
  });

  it.each([
    ['nobody', owned(), { wanted: 'none' }],
    ['its cluster', owned(cluster), { wanted: 'none' }],
    ['a set', owned(newSet), { wanted: 'MachineSet', name: 'workers' }],
    ['two', owned(newSet, cluster), tooMany],
    ['a set of an older version', owned(owner('cluster.x-k8s.io/v1beta1', 'MachineSet')), unsupported],
    ['a deployment', owned(owner('cluster.x-k8s.io/v1beta2', 'MachineDeployment')), unsupported],
  ])('When a Cluster API machine is owned by %s, it should be chosen so', (_, machine, expected) => {
    expect(outcome(machineApiOwner(machine))).toEqual(expected);
  });

  it('When a set is owned, it should be refused unless its owner is the cluster', () => {
    expect(outcome(clusterApiSetOwner(owned(), 'prod'))).toEqual({ wanted: 'Cluster', name: 'prod' });
    expect(outcome(clusterApiSetOwner(owned(oldSet), 'prod'))).toMatch(/^could not convert/);
    expect(outcome(machineApiSetOwner(owned(cluster)))).toEqual({ wanted: 'none' });
    expect(outcome(machineApiSetOwner(owned(newSet)))).toBe(unsupported);
    expect(outcome(machineApiSetOwner(owned(cluster, cluster)))).toBe(tooMany);
  });

  it('When the owner was found, it should be referred to by its uid', () => {
    const found = { apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Cluster', metadata: { name: 'prod', uid: '42' } };
    expect(ownerReferences({ wanted: 'Cluster', name: 'prod' }, found)).toEqual([
      { ...found.metadata, apiVersion: found.apiVersion, kind: 'Cluster', controller: false, blockOwnerDeletion: true },
    ]);
    expect(ownerReferences({ wanted: 'none' }, undefined)).toEqual([]);
    const set = { ...found, kind: 'MachineSet' };
    expect(ownerReferences({ wanted: 'MachineSet', name: 'prod', controller: true }, set)[0]).toMatchObject({
      kind: 'MachineSet',
      controller: true,
    });
  });
});
