import { describe, expect, it } from 'vitest';
import { aCluster } from '../testing/objects.ts';
import {
  contextName,
  forwardedKubeconfig,
  hostOf,
  isPrivateCluster,
  renamedKubeconfig,
  routedKubeconfig,
} from './kubeconfigs.ts';

const admin = {
  clusters: [{ name: 'cluster', cluster: { server: 'https://api.example.com:6443' } }],
  users: [{ name: 'admin', user: { token: 't' } }],
};

describe('kubeconfigs', () => {
  it('When many are put together, each should have names of its own', () => {
    expect(renamedKubeconfig(admin, contextName(aCluster()))).toMatchObject({
      clusters: [{ name: 'clusters-demo' }],
      users: [{ name: 'clusters-demo-admin' }],
      contexts: [{ name: 'clusters-demo', context: { cluster: 'clusters-demo', user: 'clusters-demo-admin' } }],
    });
  });

  it('When a port is forwarded, it should point there', () => {
    expect(forwardedKubeconfig(admin, 6443).clusters?.[0]?.cluster.server).toBe('https://localhost:6443');
  });

  it('When no DNS knows the host, it should go to the router and check certificates against the host', () => {
    const routed = routedKubeconfig(admin, '127.0.0.1:8443');
    expect(routed.clusters?.[0]?.cluster).toEqual({
      server: 'https://127.0.0.1:8443',
      'tls-server-name': 'api.example.com',
    });
    expect([hostOf(routed), hostOf({})]).toEqual(['127.0.0.1', '']);
  });

  it('When a cluster has no public endpoint, it should be private', () => {
    const cluster = aCluster();
    const spec = { ...cluster.spec, platform: { type: 'AWS', aws: { endpointAccess: 'Private' } } };
    expect([isPrivateCluster(cluster), isPrivateCluster({ ...cluster, spec } as never)]).toEqual([false, true]);
  });
});
