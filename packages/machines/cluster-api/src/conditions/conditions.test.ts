import { describe, expect, it } from 'vitest';
import { aggregate, falseState, mirror, summary, trueState, unknownState, withStates } from './v1beta1.ts';
import { newState, withNewStates } from './v1beta2.ts';

const then = Date.parse('2026-01-01T00:00:00Z');
const later = then + 60_000;

describe('withStates', () => {
  it('When nothing changed, it should be the same list', () => {
    const list = withStates([], [trueState('Ready'), falseState('A', 'Why', 'Info')], then);
    expect(withStates(list, [trueState('Ready')], later)).toBe(list);
  });

  it('When anything of a condition changed, it should move its time', () => {
    const list = withStates([], [falseState('A', 'Why', 'Info', 'one')], then);
    const [changed] = withStates(list, [falseState('A', 'Why', 'Info', 'two')], later);
    expect(changed).toMatchObject({ message: 'two', lastTransitionTime: '2026-01-01T00:01:00Z' });
  });

  it('When there are several, Ready should come first and the others by name', () => {
    const list = withStates([], [trueState('B'), trueState('Ready'), trueState('A')], then);
    expect(list.map(({ type }) => type)).toEqual(['Ready', 'A', 'B']);
  });
});

describe('summary', () => {
  const of = ['InfrastructureReady', 'BootstrapReady', 'HealthCheckSucceeded'];

  it('When none is there, there should be no summary', () => {
    expect(summary('Ready', [trueState('Other')], { of })).toBeUndefined();
  });

  it('When all are true, it should be true and say nothing', () => {
    expect(summary('Ready', [trueState('InfrastructureReady'), unknownState('BootstrapReady', 'X')], { of })).toEqual(
      trueState('Ready'),
    );
  });

  it('When several are false, it should tell the severest', () => {
    const states = [
      falseState('InfrastructureReady', 'Waiting', 'Info'),
      falseState('HealthCheckSucceeded', 'UnhealthyNode', 'Warning', 'gone'),
    ];
    expect(summary('Ready', states, { of })).toMatchObject({
      status: 'False',
      severity: 'Warning',
      reason: 'UnhealthyNode',
      message: 'gone',
    });
  });

  it('When only the steps of provisioning are there, it should count them', () => {
    const stepCounter = ['BootstrapReady', 'InfrastructureReady'];
    const waiting = falseState('InfrastructureReady', 'Waiting', 'Info', 'boots');
    expect(summary('Ready', [waiting], { of, stepCounter })?.message).toBe('0 of 2 completed');
    expect(summary('Ready', [waiting, trueState('HealthCheckSucceeded')], { of, stepCounter })?.message).toBe('boots');
  });
});

describe('aggregate', () => {
  it('When some objects are not well, it should name the first of the worst and count', () => {
    const state = falseState('Ready', 'Waiting', 'Info');
    const objects = [
      { kind: 'Machine', name: 'a', state: trueState('Ready') },
      { kind: 'Machine', name: 'b', state },
      { kind: 'Machine', name: 'c', state },
    ];
    expect(aggregate('MachinesReady', objects)).toEqual({
      type: 'MachinesReady',
      status: 'False',
      severity: 'Info',
      reason: 'Waiting @ Machine/b',
      message: '1 of 3 completed',
    });
  });
});

describe('mirror', () => {
  it('When the other object says nothing, it should be the fallback', () => {
    expect(mirror('InfrastructureReady', undefined, trueState('InfrastructureReady'))).toEqual(
      trueState('InfrastructureReady'),
    );
  });

  it('When it says something without a severity, it should get one', () => {
    const source = { type: 'Ready', status: 'False', reason: 'InstanceTerminated', message: 'i-1 is gone' };
    expect(mirror('InfrastructureReady', source, trueState('x'))).toEqual({
      type: 'InfrastructureReady',
      status: 'False',
      severity: 'Info',
      reason: 'InstanceTerminated',
      message: 'i-1 is gone',
    });
  });
});

describe('withNewStates', () => {
  it('When only the message changes, it should keep its time', () => {
    const list = withNewStates([], [newState('Deleting', 'True', 'DrainingNode', 'one')], 1, then);
    expect(withNewStates(list, [newState('Deleting', 'True', 'DrainingNode', 'one')], 1, later)).toBe(list);
    const [changed] = withNewStates(list, [newState('Deleting', 'True', 'DrainingNode', 'two')], 1, later);
    expect(changed).toMatchObject({ message: 'two', lastTransitionTime: '2026-01-01T00:00:00Z' });
  });
});
