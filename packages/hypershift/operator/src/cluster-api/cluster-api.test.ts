import { platformFor } from '@hypershift-ts/hypershift-platforms';
import { describe, expect, it } from 'vitest';
import { aCluster } from '../testing/clusters.ts';
import {
  crdReaderAccess,
  desiredCluster,
  desiredManager,
  desiredProvider,
  managerAccess,
  pkiOperatorAccess,
  providerAccess,
} from './index.ts';

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
  it('When a platform needs more, its provider should get it', () => {
    const [, plain] = providerAccess(aCluster(), platformFor('AWS'));
    const [, more] = providerAccess(aCluster(), platformFor('KubeVirt'));
    expect(plain.rules).toHaveLength(4);
    expect(more.rules?.slice(4)).toEqual(platformFor('KubeVirt').policyRules);
  });
  it('When the manager is bound, it should be to its own account in its own namespace', () => {
    const [account, role, binding] = managerAccess(aCluster());
    expect(account.metadata).toMatchObject({ name: 'cluster-api', namespace: 'clusters-demo' });
    expect(role.rules).toHaveLength(6);
    expect(binding.subjects).toEqual([{ kind: 'ServiceAccount', name: 'cluster-api', namespace: 'clusters-demo' }]);
  });
  it('When CRDs are read, one role should serve all clusters', () => {
    const [role, binding] = crdReaderAccess(aCluster());
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

describe('deployments', () => {
  it('When machines are managed, both should outlive them', () => {
    const provider = desiredProvider(aCluster(), { replicas: 1, podSpec: { containers: [] } });
    for (const one of [desiredManager(aCluster(), 'capi:1'), provider])
      expect(one.metadata.finalizers).toEqual(['hypershift.openshift.io/component-finalizer']);
    const annotations = { 'hypershift.openshift.io/disable-machine-management': 'true' };
    expect(desiredManager(aCluster({}, { annotations }), 'capi:1').metadata.finalizers).toBeUndefined();
  });
  it('When the cluster names an image, it should win', () => {
    const annotations = { 'hypershift.openshift.io/capi-manager-image': 'mine' };
    const image = (cluster = aCluster()) => desiredManager(cluster, 'capi:1').spec?.template.spec?.containers[0]?.image;
    expect([image(), image(aCluster({}, { annotations }))]).toEqual(['capi:1', 'mine']);
  });
  it('When pods are selected, their labels should match', () => {
    const { spec } = desiredManager(aCluster(), 'capi:1');
    expect(spec?.template.metadata?.labels).toMatchObject(spec?.selector.matchLabels ?? {});
  });
});
