import { describe, expect, it } from 'vitest';
import type { KindBehaviour } from './behaviour.ts';
import { builtinBehaviours } from './index.ts';
import { cellsOf, created, faults, updateFaults } from './testing/objects.ts';

const kind = (resource: string) => builtinBehaviours[resource] as KindBehaviour;

describe('kinds with little of their own', () => {
  it('When a disruption budget says both, it should refuse; when listed, it should show what is allowed', () => {
    const budget = kind('poddisruptionbudgets.policy');
    const spec = { minAvailable: 1, maxUnavailable: '50%' };
    expect(faults(budget, { spec })).toEqual([
      'spec: Invalid value: {"minAvailable":1,"maxUnavailable":"50%"}: minAvailable and maxUnavailable cannot be both set',
    ]);
    expect(cellsOf(budget, { spec: { maxUnavailable: '50%' }, status: { disruptionsAllowed: 2 } })).toEqual([
      'thing',
      'N/A',
      '50%',
      2,
      '10m',
    ]);
  });

  it('When a lease lasts no time, it should refuse', () => {
    expect(faults(kind('leases.coordination.k8s.io'), { spec: { leaseDurationSeconds: 0 } })).toEqual([
      'spec.leaseDurationSeconds: Invalid value: 0: must be greater than 0',
    ]);
  });

  it('When a priority is above the highest or changes, it should refuse', () => {
    const priority = kind('priorityclasses.scheduling.k8s.io');
    expect(faults(priority, { value: 2_000_000_000 })).toEqual([
      'value: Forbidden: maximum allowed value of a user defined priority is 1000000000',
    ]);
    expect(updateFaults(priority, { value: 1 }, { value: 2 })).toEqual([
      'value: Forbidden: may not be changed in an update.',
    ]);
    expect(faults(priority, { metadata: { name: 'system-node-critical' }, value: 2_000_001_000 })).toEqual([]);
  });

  it('When an endpoint slice mixes families, it should refuse', () => {
    const slice = kind('endpointslices.discovery.k8s.io');
    expect(faults(slice, { addressType: 'IPv4', endpoints: [{ addresses: ['2001:db8::1'] }] })).toEqual([
      'endpoints[0].addresses[0]: Invalid value: "2001:db8::1": must be an IPv4 address',
    ]);
    expect(created(slice, { addressType: 'IPv4', ports: [{ port: 80 }] })).toMatchObject({
      ports: [{ name: '', port: 80, protocol: 'TCP' }],
      endpoints: [],
    });
    expect(
      cellsOf(slice, { addressType: 'IPv4', ports: [{ port: 80 }], endpoints: [{ addresses: ['10.0.0.1'] }] }),
    ).toEqual(['thing', 'IPv4', '80', '10.0.0.1', '10m']);
  });

  it('When a new-style event is incomplete, it should list what is missing', () => {
    expect(
      faults(kind('events.events.k8s.io'), {
        metadata: { namespace: 'default' },
        eventTime: '2026-06-01T11:00:00.000000Z',
        type: 'Normal',
      }),
    ).toEqual([
      'reportingController: Required value',
      'reportingInstance: Required value',
      'action: Required value',
      'reason: Required value',
    ]);
  });

  it('When an API service is misnamed, it should say what its name must be', () => {
    const spec = { group: 'example.com', version: 'v1', groupPriorityMinimum: 100, versionPriority: 10 };
    expect(faults(kind('apiservices.apiregistration.k8s.io'), { metadata: { name: 'v1.example.com' }, spec })).toEqual(
      [],
    );
    expect(faults(kind('apiservices.apiregistration.k8s.io'), { spec })).toEqual([
      'metadata.name: Invalid value: "thing": must be `spec.version+"."+spec.group`: "v1.example.com"',
    ]);
    expect(
      cellsOf(kind('apiservices.apiregistration.k8s.io'), {
        spec: { service: { namespace: 'a', name: 'b' } },
        status: { conditions: [{ type: 'Available', status: 'False', reason: 'MissingEndpoints' }] },
      }),
    ).toEqual(['thing', 'a/b', 'False (MissingEndpoints)', '10m']);
  });

  it('When flow control objects are short, it should complete them', () => {
    expect(created(kind('flowschemas.flowcontrol.apiserver.k8s.io'), {})['spec']).toEqual({ matchingPrecedence: 1000 });
    const spec = { type: 'Limited', limited: { limitResponse: { type: 'Queue', queuing: {} } } };
    expect(created(kind('prioritylevelconfigurations.flowcontrol.apiserver.k8s.io'), { spec })['spec']).toMatchObject({
      limited: {
        nominalConcurrencyShares: 30,
        lendablePercent: 0,
        limitResponse: { queuing: { handSize: 8, queues: 64, queueLengthLimit: 50 } },
      },
    });
  });

  it('When roles and definitions are listed, it should show when they were created', () => {
    for (const resource of ['roles.rbac.authorization.k8s.io', 'customresourcedefinitions.apiextensions.k8s.io'])
      expect(cellsOf(kind(resource), {})).toEqual(['thing', '2026-06-01T11:50:00Z']);
  });
});
