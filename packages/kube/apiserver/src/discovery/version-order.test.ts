import { expect, it } from 'vitest';
import { compareVersions } from './version-order.ts';

it('When versions are sorted, it should put the stable and the newer first', () => {
  const versions = ['foo1', 'v1alpha1', 'v11alpha2', 'v1', 'v3beta1', 'v12alpha1', 'foo10', 'v10', 'v11beta2', 'v2'];
  expect(versions.sort(compareVersions)).toEqual([
    'v10',
    'v2',
    'v1',
    'v11beta2',
    'v3beta1',
    'v12alpha1',
    'v11alpha2',
    'v1alpha1',
    'foo1',
    'foo10',
  ]);
});
