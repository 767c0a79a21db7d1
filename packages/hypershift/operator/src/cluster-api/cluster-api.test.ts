import { describe, expect, it } from 'vitest';
import { aCluster } from '../testing/clusters.ts';
import { crdReaderBinding, crdReaderRole, desiredCluster, pkiOperatorAccess } from './index.ts';

const infrastructure = {
  apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
  kind: 'AWSCluster',
  metadata: { name: 'demo', namespace: 'clusters-demo' },
};

describe('desiredCluster', () => {
  it('When there is none, it should tie control plane and infrastructure together', () => {
    expect(desiredCluster(aCluster(), infrastructure, undefined)).toEqual({
      apiVersion: 'cluster.x-k8s.io/v1beta1',
      kind: 'Cluster',
      metadata: {
        name: 'demo-abcde',
        namespace: 'clusters-demo',
        annotations: { 'hypershift.openshift.io/cluster': 'clusters/demo' },
      },
      spec: {
        controlPlaneRef: {
          apiVersion: 'hypershift.openshift.io/v1beta1',
          kind: 'HostedControlPlane',
          namespace: 'clusters-demo',
          name: 'demo',
        },
        infrastructureRef: {
          apiVersion: infrastructure.apiVersion,
          kind: 'AWSCluster',
          namespace: 'clusters-demo',
          name: 'demo',
        },
      },
    });
  });
  it('When it exists, it should change the pause and nothing else', () => {
    const live = { ...desiredCluster(aCluster(), infrastructure, undefined), spec: { paused: true } };
    expect(desiredCluster(aCluster(), infrastructure, live).spec).toEqual({ paused: false });
    expect(desiredCluster(aCluster(), infrastructure, live, true)).toBe(live);
  });
});

describe('access', () => {
  it('When CRDs are read, one role should serve all clusters', () => {
    const [role, binding] = [crdReaderRole(), crdReaderBinding(aCluster())];
    expect(role.metadata.name).toBe('hypershift-cluster-api');
    expect(binding.metadata.name).toBe('hypershift-cluster-api-clusters-demo');
    expect(binding.subjects?.map(({ name }) => name)).toEqual(['cluster-api', 'capi-provider']);
  });
  it('When the PKI operator signs, it should be for the signers of this cluster, findable by owner', () => {
    const objects = pkiOperatorAccess(aCluster());
    expect(objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`)).toEqual([
      'ClusterRole clusters-demo-csr-approver',
      'ClusterRoleBinding clusters-demo-csr-approver',
      'ClusterRole clusters-demo-csr-signer',
      'ClusterRoleBinding clusters-demo-csr-signer',
    ]);
    expect(objects[2]).toMatchObject({
      metadata: {
        labels: { 'hypershift.openshift.io/owner.namespace': 'clusters', 'hypershift.openshift.io/owner.name': 'demo' },
      },
      rules: [
        { resources: ['certificatesigningrequests'], verbs: ['get', 'list', 'watch'] },
        { resources: ['certificatesigningrequests/status'], verbs: ['patch'] },
        {
          resources: ['signers'],
          verbs: ['sign'],
          resourceNames: [
            'hypershift.openshift.io/clusters-demo.customer-break-glass',
            'hypershift.openshift.io/clusters-demo.sre-break-glass',
          ],
        },
      ],
    });
  });
});
