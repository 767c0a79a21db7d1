import { describe, expect, it } from 'vitest';
import type { Machine } from '../generated/capiv1beta1.ts';
import { machinesToDelete } from './deletion-order.ts';

const now = Date.parse('2026-02-01T00:00:00Z');

function aMachine(
  name: string,
  more: {
    readonly created?: string;
    readonly mark?: boolean;
    readonly healthy?: boolean;
    readonly leaving?: boolean;
  } = {},
): Machine {
  const { created = '2026-01-01T00:00:00Z', mark, healthy = true, leaving } = more;
  return {
    apiVersion: 'cluster.x-k8s.io/v1beta1',
    kind: 'Machine',
    metadata: {
      name,
      creationTimestamp: created,
      ...(leaving ? { deletionTimestamp: created } : {}),
      ...(mark ? { annotations: { 'cluster.x-k8s.io/delete-machine': '' } } : {}),
    },
    spec: { clusterName: 'demo', bootstrap: {}, infrastructureRef: {} },
    status: {
      nodeRef: { name },
      conditions: [{ type: 'NodeHealthy', status: healthy ? 'True' : 'False', lastTransitionTime: created }],
    },
  };
}

const order = (machines: readonly Machine[], policy: 'Random' | 'Newest' | 'Oldest' = 'Random') =>
  machines
    .map((_machine, index) => machinesToDelete(machines, index + 1, policy, now))
    .at(-2)
    ?.map(({ metadata }) => metadata.name);

describe('machinesToDelete', () => {
  it('When machines differ, it should take leaving, marked, unhealthy and others in this order', () => {
    const machines = [
      aMachine('well'),
      aMachine('sick', { healthy: false }),
      aMachine('marked', { mark: true }),
      aMachine('leaving', { leaving: true }),
    ];
    expect(order(machines)).toEqual(['leaving', 'marked', 'sick']);
  });

  it('When all are equal, it should go by name', () => {
    expect(order([aMachine('b'), aMachine('a'), aMachine('c')])).toEqual(['a', 'b']);
  });

  it('When a policy is given, it should go by age', () => {
    const machines = [
      aMachine('old', { created: '2025-01-01T00:00:00Z' }),
      aMachine('young', { created: '2026-01-31T00:00:00Z' }),
    ];
    expect(order(machines, 'Oldest')).toEqual(['old']);
    expect(order(machines, 'Newest')).toEqual(['young']);
  });
});
