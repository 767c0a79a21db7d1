import { describe, expect, it } from 'vitest';
import { mergedPullSecret } from './merge.ts';
import { pullSecretObjects } from './objects.ts';

const auths = (entries: object) => JSON.stringify({ auths: entries });

describe('mergedPullSecret', () => {
  it('When both name a registry, the one of the cluster should stay', () => {
    const merged = mergedPullSecret(
      auths({ 'quay.io': { auth: 'a' } }),
      auths({ 'quay.io': { auth: 'b' }, 'x.io': { auth: 'c' } }),
    );
    expect(JSON.parse(merged)).toEqual({ auths: { 'quay.io': { auth: 'a' }, 'x.io': { auth: 'c' } } });
  });

  it.each(['', 'nonsense', '{}', '{"auths":{}}'])(
    'When the additional one is %j, it should say what is wrong without its content',
    (text) => {
      expect(() => mergedPullSecret(auths({}), text)).toThrow('kube-system/additional-pull-secret');
    },
  );

  it('When there is no additional one, it should keep only the original for the nodes', () => {
    const objects = pullSecretObjects(auths({}), undefined, 'image');
    const global = objects.find(({ manifest }) => manifest.metadata.name === 'global-pull-secret');
    expect(global?.keeping).toBe('remove');
  });
});
