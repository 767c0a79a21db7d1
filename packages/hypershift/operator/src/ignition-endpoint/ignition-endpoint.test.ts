import { describe, expect, it } from 'vitest';
import { aCluster } from '../testing/clusters.ts';
import { ignitionEndpoint } from './index.ts';

const published = (servicePublishingStrategy: object, spec: object = {}) =>
  aCluster({ services: [{ service: 'Ignition', servicePublishingStrategy }], ...spec });
const service = (own: object) => ({ apiVersion: 'v1' as const, kind: 'Service' as const, metadata: {}, ...own });
const route = {
  apiVersion: 'route.openshift.io/v1',
  kind: 'Route',
  metadata: {},
  spec: { host: 'ign.apps.example.com' },
};

describe('ignitionEndpoint', () => {
  it('When it is published by Route, it should be the host that was asked for, else the one it got', () => {
    expect(ignitionEndpoint(published({ type: 'Route' }), { route })).toBe('ign.apps.example.com');
    expect(ignitionEndpoint(published({ type: 'Route', route: { hostname: 'ign.example.com' } }), { route })).toBe(
      'ign.example.com',
    );
    expect(ignitionEndpoint(published({ type: 'Route' }), {})).toBeUndefined();
  });
  it('When the cluster is private, it should be the name inside', () => {
    const platform = { type: 'AWS', aws: { endpointAccess: 'Private' } };
    expect(ignitionEndpoint(published({ type: 'Route' }, { platform }), {})).toBe(
      'ignition-server.apps.demo.hypershift.local',
    );
  });
  it('When it is published on nodes, it should be address and port once there is one', () => {
    const cluster = published({ type: 'NodePort', nodePort: { address: '192.0.2.1' } });
    expect(ignitionEndpoint(cluster, {})).toBeUndefined();
    const found = service({ spec: { ports: [{ port: 443, nodePort: 30443 }] } });
    expect(ignitionEndpoint(cluster, { service: found })).toBe('192.0.2.1:30443');
  });
  it('When a load balancer has an address, it should be that', () => {
    const found = service({ status: { loadBalancer: { ingress: [{ ip: '192.0.2.9' }] } } });
    expect(ignitionEndpoint(published({ type: 'LoadBalancer' }), { service: found })).toBe('192.0.2.9');
  });
});
