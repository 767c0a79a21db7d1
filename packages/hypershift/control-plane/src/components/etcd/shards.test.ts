import type { appsv1 } from '@hypershift-ts/kube-apimachinery';
import { describe, expect, it } from 'vitest';
import { dependenciesOf } from '../../framework/dependencies.ts';
import { desiredWorkload } from '../../framework/workload.ts';
import { testContext, testRelease } from '../../testing/context.ts';
import { kubeApiServer } from '../kube-apiserver/component.ts';
import { controlPlaneComponentList, withEtcdShards } from '../registry.ts';
import { shardOverrides } from './clusters.ts';

const managed = {
  storage: { type: 'PersistentVolume' },
  shards: [
    { name: 'events', replicas: 1, resources: [{ apiGroup: '', resource: 'events' }], storage: { type: 'EmptyDir' } },
  ],
};
const context = testContext({
  release: await testRelease(),
  spec: { etcd: { managementType: 'Managed', managed } },
});

describe('etcd shards', () => {
  const components = withEtcdShards(controlPlaneComponentList, context.hcp);
  const shard = components.find(({ name }) => name === 'etcd-events');

  it('When a control plane has a shard, it should run it as a cluster of its own', () => {
    const workload = desiredWorkload(shard!, context) as unknown as appsv1.StatefulSet;
    const env = workload.spec?.template.spec?.containers[0]?.env;
    expect(workload.spec).toMatchObject({
      replicas: 1,
      serviceName: 'etcd-discovery-events',
      volumeClaimTemplates: [],
    });
    expect(env?.find(({ name }) => name === 'ETCD_INITIAL_CLUSTER')?.value).toBe(
      'etcd-events-0=https://etcd-events-0.etcd-discovery-events.clusters-demo.svc:2380',
    );
    expect(workload.spec?.template.spec?.volumes?.find(({ name }) => name === 'data')?.emptyDir?.medium).toBe('Memory');
  });

  it('When it keeps some resources, it should tell the API server, which waits for it', () => {
    expect(shardOverrides(context)).toEqual(['/events#https://etcd-client-events.clusters-demo.svc:2379']);
    expect(dependenciesOf(kubeApiServer, context)).toEqual(['etcd', 'etcd-events', 'featuregate-generator']);
    expect(dependenciesOf(shard!, context)).toEqual([]);
  });

  it('When there are none, it should be the same list', () => {
    const plain = testContext({ release: context.userRelease });
    expect(withEtcdShards(controlPlaneComponentList, plain.hcp)).toBe(controlPlaneComponentList);
  });
});
