import type { KubeObject } from '@hypershift-ts/kube-apimachinery';
import { describe, expect, it } from 'vitest';
import { manifestObject, nameOf } from '../framework/manifest.ts';
import { testContext, testRelease, type TestOptions } from '../testing/context.ts';
import { labelsOwnRoutes, usesOwnRouter } from './publishing.ts';
import { infrastructureManifests } from './reconcile.ts';
import { infrastructureStatus } from './status.ts';

const release = await testRelease();
const publish = (service: string, type: string, rest: object = {}) => ({
  service,
  servicePublishingStrategy: { type, ...rest },
});
const nodePort = (service: string) => publish(service, 'NodePort', { nodePort: { address: '127.0.0.1' } });
const services = ['APIServer', 'OAuthServer', 'Konnectivity', 'Ignition'];
const context = (options: Omit<TestOptions, 'release'> = {}) => testContext({ release, ...options });
const wanted = (options: Omit<TestOptions, 'release'>) => {
  const given = context(options);
  return infrastructureManifests
    .filter(({ when }) => when?.(given) ?? true)
    .map((one) => `${one.type.kind}/${nameOf(one, given)}`);
};
const namedApi = {
  services: [
    publish('APIServer', 'Route', { route: { hostname: 'api.example.com' } }),
    publish('OAuthServer', 'Route'),
    publish('Konnectivity', 'Route'),
    publish('Ignition', 'Route'),
  ],
};

describe('what is published', () => {
  it('When everything goes by node ports, it should need no Route', () => {
    const kinds = wanted({ spec: { services: services.map(nodePort) } });
    expect(kinds).toEqual([
      'Service/kube-apiserver',
      'Service/konnectivity-server',
      'Service/oauth-openshift',
      'Service/ignition-server-proxy',
      'Service/openshift-apiserver',
      'Service/openshift-oauth-apiserver',
      'Service/packageserver',
    ]);
  });

  it('When the API has a Route with a name, it should get a router of its own', () => {
    expect(wanted({ spec: namedApi })).toEqual(
      expect.arrayContaining([
        'Route/kube-apiserver',
        'Route/oauth',
        'Route/konnectivity-server',
        'Route/ignition-server',
        'Service/router',
      ]),
    );
    expect(labelsOwnRoutes(context({ spec: namedApi }))).toBe(true);
    expect(usesOwnRouter(context({ spec: namedApi }))).toBe(true);
    expect(usesOwnRouter(context())).toBe(false);
  });

  it('When an AWS cluster is private, it should have internal Routes and a private router only', () => {
    const found = wanted({
      platform: 'AWS',
      spec: { platform: { type: 'AWS', aws: { region: 'r', endpointAccess: 'Private' } } },
    });
    expect(found).toEqual(
      expect.arrayContaining(['Route/kube-apiserver-internal', 'Route/oauth-internal', 'Service/private-router']),
    );
    expect(found).not.toContain('Service/router');
    expect(found).not.toContain('Route/oauth');
  });

  it('When blocks are allowed, it should restrict the load balancer to them', () => {
    const given = context({ spec: { networking: { apiServer: { allowedCIDRBlocks: ['10.0.0.0/8'] } } } });
    const object = manifestObject(infrastructureManifests[0]!, given, undefined);
    expect(object['spec']).toMatchObject({ type: 'LoadBalancer', loadBalancerSourceRanges: ['10.0.0.0/8'] });
  });
});

describe('infrastructure status', () => {
  const now = Date.parse('2026-01-01T00:10:00Z');
  const service = (name: string, rest: object): KubeObject =>
    ({
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name, creationTimestamp: '2026-01-01T00:05:00Z' },
      ...rest,
    }) as KubeObject;
  const route = (name: string, host: string): KubeObject =>
    ({ apiVersion: 'route.openshift.io/v1', kind: 'Route', metadata: { name }, spec: { host } }) as KubeObject;
  const balancer = { status: { loadBalancer: { ingress: [{ ip: '192.0.2.7' }] } } };

  it('When a load balancer is pending, it should say which and for how long', () => {
    const status = infrastructureStatus(context({ objects: [service('kube-apiserver', {})] }), now);
    expect(status.ready).toBe(false);
    expect(status.message).toContain('kube-apiserver load balancer is not provisioned; 5m since creation');
    expect(status.message).toContain('Konnectivity service route does not contain valid host');
  });

  it('When events tell why, it should repeat them', () => {
    const status = infrastructureStatus(context({ objects: [service('kube-apiserver', {})] }), now, (name) =>
      name === 'kube-apiserver' ? ['quota exceeded'] : [],
    );
    expect(status.message).toContain('kube-apiserver load balancer is not provisioned: quota exceeded');
  });

  it('When every address is known, it should be ready', () => {
    const objects = [
      service('kube-apiserver', balancer),
      route('konnectivity-server', 'k.example.com'),
      route('oauth', 'o.example.com'),
    ];
    expect(infrastructureStatus(context({ objects }), now)).toEqual({
      ready: true,
      message: '',
      api: { host: '192.0.2.7', port: 6443 },
      konnectivity: { host: 'k.example.com', port: 443 },
      oauth: { host: 'o.example.com', port: 443 },
    });
  });

  it('When node ports are used, it should take the allocated ones', () => {
    const objects = ['kube-apiserver', 'konnectivity-server', 'oauth-openshift'].map((name, i) =>
      service(name, { spec: { ports: [{ port: 1, nodePort: 30000 + i }] } }),
    );
    expect(infrastructureStatus(context({ objects, spec: { services: services.map(nodePort) } }), now)).toMatchObject({
      ready: true,
      api: { host: '127.0.0.1', port: 30000 },
      oauth: { port: 30002 },
    });
  });

  it('When there is no OAuth, it should not wait for it', () => {
    const spec = { services: services.map(nodePort), configuration: { authentication: { type: 'OIDC' } } };
    const objects = ['kube-apiserver', 'konnectivity-server'].map((name) =>
      service(name, { spec: { ports: [{ port: 1, nodePort: 30000 }] } }),
    );
    expect(infrastructureStatus(context({ objects, spec }), now).ready).toBe(true);
  });
});
