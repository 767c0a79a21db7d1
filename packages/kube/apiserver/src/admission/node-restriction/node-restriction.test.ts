import { describe, expect, it } from 'vitest';
import type { Draft } from '../../kinds/behaviour.ts';
import { admit, aLookup, aPod, aRequest, type RequestOptions } from '../testing/requests.ts';
import { nodeRestriction } from './index.ts';

const kubelet = { name: 'system:node:n1', groups: ['system:nodes', 'system:authenticated'] };
const node = (name: string, more: Draft = {}, labels: Draft = {}) => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name, uid: `uid-${name}`, labels },
  ...more,
});
const plugin = nodeRestriction(aLookup(node('n1')));
const owner = { apiVersion: 'v1', kind: 'Node', name: 'n1', uid: 'uid-n1', controller: true };
const mirror = (spec: Draft = {}, owners: object[] = [owner]) =>
  aPod({ nodeName: 'n1', ...spec }, { annotations: { 'kubernetes.io/config.mirror': 'x' }, ownerReferences: owners });
const lease = (name: string, namespace = 'kube-node-lease') => ({
  apiVersion: 'coordination.k8s.io/v1',
  kind: 'Lease',
  metadata: { name, namespace },
});

describe('NodeRestriction', () => {
  it.each<[string, RequestOptions]>([
    ['registers itself', { object: node('n1', {}, { 'kubernetes.io/os': 'linux', mine: 'x' }) }],
    ['updates its status', { object: node('n1', { status: { x: 1 } }), old: node('n1'), subresource: 'status' }],
    ['renews its lease', { object: lease('n1'), old: lease('n1') }],
    ['shows a static pod', { object: mirror() }],
    ['deletes a pod of its own', { old: aPod({ nodeName: 'n1' }) }],
    [
      'reports on a pod of its own',
      { object: aPod({ nodeName: 'n1' }), old: aPod({ nodeName: 'n1' }), subresource: 'status' },
    ],
  ])('When a node %s, it should allow it', async (_, request) => {
    await expect(admit(plugin, aRequest(request), kubelet)).resolves.toBeDefined();
  });

  it.each<[RequestOptions, string]>([
    [{ object: node('n2') }, 'nodes "n2" is forbidden: node "n1" is not allowed to modify node "n2"'],
    [{ old: node('n2') }, 'is not allowed to modify node "n2"'],
    [
      { object: node('n1', {}, { 'node-restriction.kubernetes.io/zone': 'dmz', 'foo.k8s.io/x': '' }) },
      'node "n1" is not allowed to set the following labels: foo.k8s.io/x, node-restriction.kubernetes.io/zone',
    ],
    [
      { object: node('n1', {}, { 'node-role.kubernetes.io/control-plane': '' }), old: node('n1') },
      'node "n1" is not allowed to modify labels: node-role.kubernetes.io/control-plane',
    ],
    [
      { object: node('n1'), old: node('n1', { spec: { taints: [{ key: 'a', effect: 'NoSchedule' }] } }) },
      'node "n1" is not allowed to modify taints',
    ],
    [{ object: lease('n2') }, 'can only access node lease with the same name as the requesting node'],
    [{ object: lease('n1', 'default') }, 'can only access leases in the "kube-node-lease" system namespace'],
    [
      { object: aPod({ nodeName: 'n1' }) },
      'pod does not have "kubernetes.io/config.mirror" annotation, node "n1" can only create mirror pods',
    ],
    [{ object: mirror({ nodeName: 'n2' }) }, 'node "n1" can only create pods with spec.nodeName set to itself'],
    [{ object: mirror({}, []) }, 'node "n1" can only create pods with an owner reference set to itself'],
    [{ object: mirror({}, [{ ...owner, uid: 'old' }]) }, 'node n1 UID mismatch: expected uid-n1 got old'],
    [
      { object: mirror({ serviceAccountName: 'admin' }) },
      'node "n1" can not create pods that reference a service account',
    ],
    [
      { object: mirror({ volumes: [{ name: 'v', secret: { secretName: 's' } }] }) },
      'can not create pods that reference secrets',
    ],
    [
      { object: mirror({ volumes: [{ name: 'v', configMap: { name: 's' } }] }) },
      'can not create pods that reference configmaps',
    ],
    [{ old: aPod({ nodeName: 'n2' }) }, 'node "n1" can only delete pods with spec.nodeName set to itself'],
    [
      { object: aPod({ nodeName: 'n2' }), old: aPod({ nodeName: 'n2' }), subresource: 'status' },
      'node "n1" can only update pod status for pods with spec.nodeName set to itself',
    ],
    [
      { object: aPod(), old: aPod() },
      'unexpected operation "UPDATE", node "n1" can only create and delete mirror pods',
    ],
  ])('When a node overreaches (%#), it should refuse', async (request, message) => {
    await expect(admit(plugin, aRequest(request), kubelet)).rejects.toThrow(message);
  });

  it('When somebody else does the same, it should not care', async () => {
    await expect(admit(plugin, aRequest({ object: node('n2') }))).resolves.toBeDefined();
  });
});
