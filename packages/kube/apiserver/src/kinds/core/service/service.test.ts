import { describe, expect, it } from 'vitest';
import { anObject, cellsOf, created, faults, scope, updateFaults } from '../../testing/objects.ts';
import { service } from './index.ts';

const ports = [{ port: 80 }];

describe('service defaults', () => {
  it('When only a port is given, it should be a ClusterIP service', () => {
    expect(created(service, { spec: { ports } })).toMatchObject({
      spec: {
        type: 'ClusterIP',
        sessionAffinity: 'None',
        internalTrafficPolicy: 'Cluster',
        ports: [{ port: 80, protocol: 'TCP', targetPort: 80 }],
      },
      status: { loadBalancer: {} },
    });
  });

  it('When it is a load balancer with client affinity, it should complete both', () => {
    expect(
      created(service, { spec: { ports, type: 'LoadBalancer', sessionAffinity: 'ClientIP' } })['spec'],
    ).toMatchObject({
      allocateLoadBalancerNodePorts: true,
      externalTrafficPolicy: 'Cluster',
      sessionAffinityConfig: { clientIP: { timeoutSeconds: 10800 } },
    });
  });
});

describe('service updates', () => {
  const before = {
    spec: { type: 'NodePort', clusterIP: '10.1.0.5', clusterIPs: ['10.1.0.5'], ports: [{ port: 80, nodePort: 30080 }] },
  };

  it('When a writer leaves out what was allocated, it should keep it', () => {
    const old = created(service, before);
    const draft = structuredClone(anObject({ spec: { type: 'NodePort', ports } }));
    service.defaults?.(draft);
    service.prepareForUpdate?.(draft, old, scope);
    expect(draft['spec']).toMatchObject({
      clusterIP: '10.1.0.5',
      clusterIPs: ['10.1.0.5'],
      ports: [{ port: 80, nodePort: 30080 }],
    });
  });

  it('When the type becomes ClusterIP, it should give up the node port', () => {
    const old = created(service, before);
    const draft = structuredClone(old);
    (draft['spec'] as Record<string, unknown>)['type'] = 'ClusterIP';
    service.defaults?.(draft);
    service.prepareForUpdate?.(draft, old, scope);
    expect(JSON.stringify(draft)).not.toContain('nodePort');
    expect(service.validate?.(draft)).toEqual([]);
  });

  it('When the address changes, it should refuse', () => {
    const after = { spec: { ...before.spec, clusterIP: '10.1.0.6', clusterIPs: ['10.1.0.6'] } };
    expect(updateFaults(service, before, after)).toEqual([
      'spec.clusterIPs[0]: Invalid value: ["10.1.0.6"]: may not change once set',
    ]);
  });
});

describe('service validation', () => {
  it.each<[string, object, string[]]>([
    ['there are no ports', {}, ['spec.ports: Required value']],
    ['it is headless without ports', { clusterIP: 'None' }, []],
    [
      'two ports have no names',
      { ports: [{ port: 80 }, { port: 81 }] },
      ['spec.ports[0].name: Required value', 'spec.ports[1].name: Required value'],
    ],
    [
      'the type is unknown',
      { type: 'Magic', ports },
      [
        'spec.type: Unsupported value: "Magic": supported values: "ClusterIP", "ExternalName", "LoadBalancer", "NodePort"',
      ],
    ],
    [
      'the address is none',
      { ports, clusterIP: 'x' },
      ['spec.clusterIPs[0]: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'],
    ],
    [
      'an external name has an address',
      { type: 'ExternalName', externalName: 'a.example.com', clusterIP: '10.0.0.1' },
      ['spec.clusterIPs: Forbidden: may not be set for ExternalName services'],
    ],
    [
      'the same port comes twice',
      {
        ports: [
          { name: 'a', port: 80 },
          { name: 'b', port: 80 },
        ],
      },
      ['spec.ports[1]: Duplicate value: {"protocol":"TCP","port":80}'],
    ],
  ])('When %s, it should answer as upstream does', (_case, spec, expected) => {
    expect(faults(service, { spec })).toEqual(expected);
  });
});

describe('service columns', () => {
  it.each([
    [
      { type: 'ClusterIP', clusterIPs: ['10.0.0.1'], ports: [{ port: 80, protocol: 'TCP' }] },
      {},
      ['ClusterIP', '10.0.0.1', '<none>', '80/TCP'],
    ],
    [
      { type: 'NodePort', clusterIPs: ['10.0.0.1'], ports: [{ port: 80, nodePort: 30080, protocol: 'TCP' }] },
      {},
      ['NodePort', '10.0.0.1', '<none>', '80:30080/TCP'],
    ],
    [{ type: 'LoadBalancer' }, {}, ['LoadBalancer', '<none>', '<pending>', '<none>']],
    [
      { type: 'LoadBalancer' },
      { loadBalancer: { ingress: [{ hostname: 'lb.example.com' }, { ip: '1.2.3.4' }] } },
      ['LoadBalancer', '<none>', '1.2.3.4,lb.example.com', '<none>'],
    ],
    [
      { type: 'ExternalName', externalName: 'db.example.com' },
      {},
      ['ExternalName', '<none>', 'db.example.com', '<none>'],
    ],
  ])('When a service is listed, it should show type, addresses and ports (%#)', (spec, status, expected) => {
    expect(cellsOf(service, { spec, status }).slice(1, 5)).toEqual(expected);
  });
});
