import type { ControlPlaneComponent } from '@hypershift-ts/hypershift-api';
import { describe, expect, it } from 'vitest';
import { lastingOutages, unavailableComponents } from './components.ts';

const since = '2026-01-02T03:04:05Z';
const start = Date.parse(since);

function aComponent(name: string, status: 'True' | 'False'): ControlPlaneComponent {
  return {
    metadata: { name },
    status: { conditions: [{ type: 'Available', status, reason: 'x', message: '', lastTransitionTime: since }] },
  } as unknown as ControlPlaneComponent;
}

const some = [aComponent('b', 'False'), aComponent('up', 'True'), aComponent('a', 'False')];

describe('unavailableComponents', () => {
  it('When some are not available, it should name them in order', () => {
    expect(unavailableComponents(some)).toEqual(['a', 'b']);
  });

  it('When there are none at all, it should not call that available', () => {
    expect(unavailableComponents([])).toBeUndefined();
  });
});

describe('lastingOutages', () => {
  it('When components went away just now, it should wait before it counts them', () => {
    expect(lastingOutages(some, start + 1000, 60_000)).toEqual({ names: [], nextMs: 59_000 });
  });

  it('When components stay away longer than a rollout takes, it should count them', () => {
    expect(lastingOutages(some, start + 60_000, 60_000)).toEqual({ names: ['a', 'b'], nextMs: undefined });
  });
});
