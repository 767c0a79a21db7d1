import { describe, expect, it } from 'vitest';
import { cellsOf, created, faults, updateFaults } from '../testing/objects.ts';
import { ingress } from './ingress.ts';
import { networkPolicy } from './network-policy.ts';
import { ipAddress, serviceCidr } from './service-addresses.ts';

const backend = { service: { name: 'web', port: { number: 80 } } };
const rule = (path: object) => ({
  spec: { rules: [{ host: 'a.example.com', http: { paths: [{ backend, ...path }] } }] },
});

describe('network policies', () => {
  it('When types are left out, it should follow from the rules', () => {
    expect(created(networkPolicy, { spec: { egress: [{ ports: [{ port: 53 }] }] } })['spec']).toEqual({
      podSelector: {},
      policyTypes: ['Ingress', 'Egress'],
      egress: [{ ports: [{ port: 53, protocol: 'TCP' }] }],
    });
  });

  it.each<[object, string[]]>([
    [{ ingress: [{ from: [{}] }] }, ['spec.ingress[0].from[0]: Required value: must specify a peer']],
    [
      { ingress: [{ from: [{ ipBlock: { cidr: '10.0.0.0/8', except: ['11.0.0.0/8'] } }] }] },
      ['spec.ingress[0].from[0].ipBlock.except[0]: Invalid value: "11.0.0.0/8": must be a strict subset of `cidr`'],
    ],
    [
      { ingress: [{ ports: [{ port: 80, endPort: 79 }] }] },
      ['spec.ingress[0].ports[0].endPort: Invalid value: 79: must be greater than or equal to `port`'],
    ],
    [{ ingress: [{ from: [{ ipBlock: { cidr: '10.0.0.0/8', except: ['10.1.0.0/16'] } }] }] }, []],
  ])('When a rule is judged, it should answer as upstream does (%#)', (spec, expected) => {
    expect(faults(networkPolicy, { spec })).toEqual(expected);
  });
});

describe('ingresses', () => {
  it.each<[object, string[]]>([
    [rule({ path: '/', pathType: 'Prefix' }), []],
    [rule({ path: '/' }), ['spec.rules[0].http.paths[0].pathType: Required value: pathType must be specified']],
    [
      rule({ path: 'x', pathType: 'Exact' }),
      ['spec.rules[0].http.paths[0].path: Invalid value: "x": must be an absolute path'],
    ],
    [
      { spec: { rules: [{ host: '10.0.0.1' }] } },
      ['spec.rules[0].host: Invalid value: "10.0.0.1": must be a DNS name, not an IP address'],
    ],
    [
      { spec: { defaultBackend: { service: { name: 'web' } } } },
      ['spec.defaultBackend: Required value: port name or number is required'],
    ],
  ])('When an ingress is judged, it should answer as upstream does (%#)', (fields, expected) => {
    expect(faults(ingress, fields)).toEqual(expected);
  });

  it('When ingresses are listed, it should show hosts, addresses and ports', () => {
    const rules = ['a', 'b', 'c', 'd'].map((name) => ({ host: `${name}.example.com` }));
    expect(
      cellsOf(ingress, {
        spec: { ingressClassName: 'nginx', rules, tls: [{}] },
        status: { loadBalancer: { ingress: [{ ip: '1.2.3.4' }] } },
      }),
    ).toEqual(['thing', 'nginx', 'a.example.com,b.example.com,c.example.com + 1 more...', '1.2.3.4', '80, 443', '10m']);
  });
});

describe('service addresses', () => {
  it('When an address is not canonical, it should name the one that is', () => {
    const spec = { parentRef: { resource: 'services', namespace: 'default', name: 'kubernetes' } };
    expect(faults(ipAddress, { metadata: { name: '10.0.0.1' }, spec })).toEqual([]);
    expect(faults(ipAddress, { metadata: { name: '2001:DB8::1' }, spec })).toEqual([
      'metadata.name: Invalid value: "2001:DB8::1": must be in canonical form ("2001:db8::1")',
    ]);
    expect(cellsOf(ipAddress, { spec })[1]).toBe('services/default/kubernetes');
  });

  it('When a range gains a second family, it should allow it; when it changes, it should not', () => {
    const before = { spec: { cidrs: ['10.0.0.0/16'] } };
    expect(updateFaults(serviceCidr, before, { spec: { cidrs: ['10.0.0.0/16', '2001:db8::/112'] } })).toEqual([]);
    expect(updateFaults(serviceCidr, before, { spec: { cidrs: ['10.1.0.0/16'] } })).toHaveLength(1);
  });
});
