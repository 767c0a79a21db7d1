import { type corev1, type discoveryv1, ManualClock } from '@hypershift-ts/kube-apimachinery';
import { describe, expect, it } from 'vitest';
import { LoopbackAddresses } from '../node/loopback-addresses.ts';
import { BackendChoice } from './backend-choice.ts';
import { backendsOf, listenersOf } from './listener-spec.ts';
import { loopbackLoadBalancers } from './load-balancer.ts';
import { portHere } from './ports-here.ts';
import { resolveService } from './service-names.ts';

const aService = (spec: corev1.ServiceSpec, more: Partial<corev1.Service> = {}): corev1.Service => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'web', namespace: 'shop' },
  spec,
  ...more,
});
const aSlice = (
  endpoints: discoveryv1.Endpoint[],
  more: Partial<discoveryv1.EndpointSlice> = {},
): discoveryv1.EndpointSlice => ({
  apiVersion: 'discovery.k8s.io/v1',
  kind: 'EndpointSlice',
  metadata: { name: 'web-1', namespace: 'shop' },
  addressType: 'IPv4',
  ports: [{ name: 'http', port: 8080, protocol: 'TCP' }],
  endpoints,
  ...more,
});
const ports = [{ name: 'http', port: 80, nodePort: 30080 }];

describe('listenersOf', () => {
  const slices = [aSlice([{ addresses: ['127.128.0.1'] }])];
  const keys = (service: corev1.Service) => listenersOf(service, slices, '127.0.0.1').map(({ key }) => key);
  it.each<[string, corev1.ServiceSpec, Partial<corev1.Service>, string[]]>([
    ['ClusterIP', { clusterIP: '127.96.0.7', clusterIPs: ['127.96.0.7'], ports }, {}, ['TCP 127.96.0.7:80']],
    [
      'NodePort',
      { type: 'NodePort', clusterIP: '127.96.0.7', ports },
      {},
      ['TCP 127.96.0.7:80', 'TCP 127.0.0.1:30080'],
    ],
    [
      'LoadBalancer',
      { type: 'LoadBalancer', clusterIP: '127.96.0.7', ports },
      { status: { loadBalancer: { ingress: [{ ip: '127.200.0.1' }] } } },
      ['TCP 127.96.0.7:80', 'TCP 127.200.0.1:80', 'TCP 127.0.0.1:30080'],
    ],
    ['headless', { clusterIP: 'None', ports }, {}, []],
    ['ExternalName', { type: 'ExternalName', externalName: 'x', ports }, {}, []],
    ['not on loopback', { clusterIP: '10.96.0.7', ports }, {}, []],
  ])('When a Service is %s, it should be listened for there', (_type, spec, more, expected) => {
    expect(keys(aService(spec, more))).toEqual(expected);
  });

  it('When nobody serves it, nothing should listen', () => {
    expect(listenersOf(aService({ clusterIP: '127.96.0.7', ports }), [], '127.0.0.1')).toEqual([]);
  });
});

describe('backendsOf', () => {
  it('When some endpoints are not ready, only ready ones should serve, or ending ones when nothing else does', () => {
    const ending = { addresses: ['127.128.0.3'], conditions: { ready: false, serving: true, terminating: true } };
    const unready = { addresses: ['127.128.0.2'], conditions: { ready: false } };
    const ready = { addresses: ['127.128.0.1'], conditions: { ready: true } };
    const addresses = (endpoints: discoveryv1.Endpoint[]) =>
      backendsOf([aSlice(endpoints)], 'http', 'TCP').map(({ address }) => address);
    expect(addresses([ending, unready, ready])).toEqual(['127.128.0.1']);
    expect(addresses([ending, unready])).toEqual(['127.128.0.3']);
    expect(addresses([unready])).toEqual([]);
    expect(backendsOf([aSlice([ready])], 'other', 'TCP')).toEqual([]);
    expect(backendsOf([aSlice([ready]), aSlice([ready])], 'http', 'TCP')).toHaveLength(1);
  });
});

describe('BackendChoice', () => {
  const backends = ['a', 'b', 'c'].map((address) => ({ address, port: 1 }));
  const spec = { key: 'k', protocol: 'TCP' as const, address: '', port: 1, backends, affinityMs: undefined };

  it('When there is no affinity, backends should take turns', () => {
    const choice = new BackendChoice(spec, new ManualClock());
    expect([1, 2, 3, 4].map(() => choice.candidates('x')[0]?.address)).toEqual(['a', 'b', 'c', 'a']);
  });

  it('When clients stay, they should until their time is over or their backend is gone', () => {
    const clock = new ManualClock();
    const choice = new BackendChoice({ ...spec, affinityMs: 1000 }, clock);
    choice.chosen('x', backends[1]!);
    expect(choice.candidates('x')[0]?.address).toBe('b');
    choice.update({ ...spec, affinityMs: 1000, backends: [backends[0]!] });
    expect(choice.candidates('x').map(({ address }) => address)).toEqual(['a']);
    choice.update({ ...spec, affinityMs: 1000 });
    clock.advance(1001);
    expect([1, 2, 3].map(() => choice.candidates('x')[0]?.address)).toContain('c');
  });
});

describe('portHere', () => {
  it.each([
    [443, 1024, 20_443],
    [1024, 1024, 1024],
    [443, 0, 443],
  ])(
    'When a Service has port %i and ports are open from %i on, it should be reached on %i',
    (port, first, expected) => {
      expect(portHere(port, first)).toBe(expected);
    },
  );
});

describe('resolveService', () => {
  const services = new Map([
    ['shop/web', aService({ clusterIP: '127.96.0.7' })],
    ['shop/db', aService({ clusterIP: 'None' })],
  ]);
  const members = aSlice([
    { addresses: ['127.128.0.1'], hostname: 'db-0', conditions: { ready: false } },
    { addresses: ['127.128.0.2'], hostname: 'db-1', conditions: { ready: true } },
  ]);
  it.each([
    ['web', 'shop', '127.96.0.7'],
    ['web', 'other', 'web'],
    ['web.shop', 'other', '127.96.0.7'],
    ['web.shop.svc', 'other', '127.96.0.7'],
    ['web.shop.svc.cluster.local.', 'other', '127.96.0.7'],
    ['web.shop.example.org', 'other', 'web.shop.example.org'],
    ['127.0.0.1', 'shop', '127.0.0.1'],
    ['web.shop.cluster.local', 'shop', 'web.shop.cluster.local'],
    ['db.shop.svc', 'shop', '127.128.0.2'],
    ['db-0.db.shop.svc', 'other', '127.128.0.1'],
    ['db-1.db.shop.svc.cluster.local', 'other', '127.128.0.2'],
    ['db-9.db.shop.svc', 'shop', 'db-9.db.shop.svc'],
  ])('When %s is looked up in %s, it should be %s', (name, namespace, expected) => {
    const slices = (key: string) => (key === 'shop/db' ? [members] : []);
    expect(resolveService(name, namespace, (key) => services.get(key), slices)).toBe(expected);
  });
});

describe('LoopbackAddresses', () => {
  it('When a range is used up, it should say so, and released addresses should come back', () => {
    const pool = new LoopbackAddresses('127.1.0.0/29', () => 0);
    const all = Array.from({ length: 6 }, () => pool.allocate());
    expect(new Set(all).size).toBe(6);
    expect(all).not.toContain('127.1.0.0');
    expect(() => pool.allocate()).toThrow('no free loopback address');
    pool.release('127.1.0.3');
    expect(pool.allocate()).toBe('127.1.0.3');
  });
});

describe('loopbackLoadBalancers', () => {
  it('When a cluster is started again in one process, it should keep the addresses of its Services', async () => {
    const cidr = '127.1.1.0/29';
    const service = aService({ clusterIP: '127.96.0.7' }, { metadata: { name: 'web', namespace: 'shop', uid: 'one' } });
    const first = loopbackLoadBalancers(cidr);
    const [ingress] = await first.allocate(service);
    const before = { ...service, status: { loadBalancer: { ingress: [ingress!] } } };
    const other = loopbackLoadBalancers(cidr);
    expect(await other.allocate({ ...before, metadata: { ...before.metadata, uid: 'another' } })).not.toEqual([
      ingress,
    ]);
    first.close();
    expect(await loopbackLoadBalancers(cidr).allocate(before)).toEqual([ingress]);
  });
});
