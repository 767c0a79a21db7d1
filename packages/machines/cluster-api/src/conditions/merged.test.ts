import { describe, expect, it } from 'vitest';
import { mergedState, nested, type Told } from './merged.ts';

const machine = (name: string, status: 'True' | 'False' | 'Unknown', message = ''): Told => ({
  name,
  state: { status, message },
});

// Texts as the manager of Cluster API 1.13 wrote them.
describe('mergedState', () => {
  it('When one machine waits for its node, it should be unknown and say so below its name', () => {
    const waiting = '* NodeHealthy: Waiting for a Node with spec.providerID aws:///a to exist';
    expect(
      mergedState('MachinesReady', 'Machine', 'Ready', [machine('a', 'Unknown', waiting), machine('b', 'True')]),
    ).toEqual({
      type: 'MachinesReady',
      status: 'Unknown',
      reason: 'ReadyUnknown',
      message: `* Machine a:\n  ${waiting}`,
    });
  });

  it('When machines have not reported yet, it should name them in one line', () => {
    const { status, message } = mergedState('MachinesReady', 'Machine', 'Ready', [
      { name: 'b', state: undefined },
      { name: 'a', state: undefined },
    ]);
    expect([status, message]).toEqual(['Unknown', '* Machines a, b: Condition Ready not yet reported']);
  });

  it('When many have many troubles, it should tell three and count the rest', () => {
    const told = [
      ...['a', 'b', 'c', 'd', 'e'].map((name) => machine(name, 'Unknown', 'slow')),
      machine('f', 'False', 'disk'),
      machine('g', 'False', 'memory'),
      machine('h', 'False', 'network'),
    ];
    const { status, reason, message } = mergedState('MachinesReady', 'Machine', 'Ready', told);
    expect([status, reason]).toEqual(['False', 'NotReady']);
    expect(message).toBe(
      '* Machine f: disk\n* Machine g: memory\n* Machine h: network\nAnd 5 Machines with status unknown',
    );
  });

  it('When there is nobody, it should be true', () => {
    expect(mergedState('MachinesReady', 'Machine', 'Ready', [])).toMatchObject({
      status: 'True',
      reason: 'NoReplicas',
    });
  });
});

describe('nested', () => {
  it('When lines with and without bullets mix, it should put those with bullets below the others', () => {
    expect(nested('Health check failed:\n  * Ready is Unknown')).toBe(
      '\n  * Health check failed:\n      * Ready is Unknown',
    );
  });
});
