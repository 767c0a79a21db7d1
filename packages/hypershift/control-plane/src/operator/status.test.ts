import type { HostedControlPlane } from '@hypershift-ts/hypershift-api';
import { describe, expect, it } from 'vitest';
import { testControlPlane } from '../testing/context.ts';
import { tellsOnlyProgress } from './status.ts';

const away = { type: 'Available', status: 'False', reason: 'ComponentsNotAvailable', message: 'a, b' } as const;
const hcp = testControlPlane({
  status: { ready: false, conditions: [{ ...away, observedGeneration: 1 }] },
}) as HostedControlPlane;
const known = { ...hcp, metadata: { ...hcp.metadata, generation: 1 } };

describe('tellsOnlyProgress', () => {
  it.each([
    ['fewer components are missing', { ready: false }, [{ ...away, message: 'a' }], true],
    ['a field is to be removed that is not there', { ready: false, customKubeconfig: null }, [away], true],
    ['it is available', { ready: true }, [{ ...away, status: 'True' as const }], false],
    ['a kubeconfig was made', { ready: false, kubeConfig: { name: 'a', key: 'b' } }, [away], false],
    ['something new is told', { ready: false }, [away, { ...away, type: 'EtcdAvailable' }], false],
  ])('When %s, it should know whether that can wait', (_, fields, conditions, expected) => {
    expect(tellsOnlyProgress(known, fields, conditions)).toBe(expected);
  });

  it('When the spec changed, it should not wait', () => {
    const edited = { ...known, metadata: { ...known.metadata, generation: 2 } };
    expect(tellsOnlyProgress(edited, { ready: false }, [away])).toBe(false);
  });
});
