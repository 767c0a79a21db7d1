import { describe, expect, it } from 'vitest';
import { aControlPlane } from '../testing/inputs.ts';
import { statusOperations } from './patch-status.ts';

const now = Date.UTC(2026, 0, 1);
const verdict = { type: 'A', status: 'True' as const, reason: 'AsExpected', message: '' };

describe('statusOperations', () => {
  it('When nothing changes, it should write nothing', () => {
    const existing = { ...verdict, observedGeneration: 2, lastTransitionTime: '2025-01-01T00:00:00Z' };
    const hcp = aControlPlane({}, {}, { conditions: [existing], nodeCount: 3 });
    expect(statusOperations(hcp, { fields: { nodeCount: 3 }, conditions: [verdict] }, now)).toEqual([]);
  });

  it('When a field holds null, it should be written as such and tied to the version read', () => {
    const versionStatus = { availableUpdates: null };
    expect(statusOperations(aControlPlane(), { fields: { versionStatus } }, now)).toEqual([
      { op: 'test', path: '/metadata/resourceVersion', value: '7' },
      { op: 'add', path: '/status/versionStatus', value: versionStatus },
    ]);
  });

  it('When a condition must go, it should leave the others in place', () => {
    const other = { ...verdict, type: 'B', lastTransitionTime: '2025-01-01T00:00:00Z' };
    const hcp = aControlPlane(
      {},
      {},
      { conditions: [{ ...verdict, lastTransitionTime: '2025-01-01T00:00:00Z' }, other] },
    );
    const operations = statusOperations(hcp, { withoutConditions: ['A'] }, now);
    expect(operations.at(-1)).toEqual({ op: 'add', path: '/status/conditions', value: [other] });
  });
});
