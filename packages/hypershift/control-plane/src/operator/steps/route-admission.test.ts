import { describe, expect, it } from 'vitest';
import { admittedIngress } from './route-admission.ts';

const now = '2026-01-02T03:04:05Z';
const route = (ingress: object[] = []) =>
  ({ metadata: { name: 'oauth' }, spec: { host: 'oauth.example.com' }, status: { ingress } }) as never;

describe('admittedIngress', () => {
  it('When the router has an address, it should admit the route beside what others say', () => {
    const other = { routerName: 'default', host: 'x' };
    expect(admittedIngress(route([other]), '10.0.0.1', now)).toEqual([
      other,
      {
        host: 'oauth.example.com',
        routerName: 'router',
        wildcardPolicy: 'None',
        routerCanonicalHostname: '10.0.0.1',
        conditions: [{ type: 'Admitted', status: 'True', lastTransitionTime: now }],
      },
    ]);
  });

  it('When it is admitted already, it should change nothing', () => {
    const first = admittedIngress(route(), '10.0.0.1', now);
    expect(admittedIngress(route([...first]), '10.0.0.1', '2027-01-01T00:00:00Z')).toEqual(first);
  });

  it('When the router has no address yet, it should wait', () => {
    expect(admittedIngress(route(), undefined, now)).toEqual([]);
  });
});
