import { deepFreeze, type UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import { describe, expect, it } from 'vitest';
import { draftFrom, edited } from '../../registry/draft.ts';
import { secret } from './secret.ts';

describe('Secret', () => {
  it('When stringData is written over stored data, it should win over what is there', () => {
    const stored = deepFreeze({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 's', namespace: 'default' },
      data: { k: 'djE=', other: 'eA==' },
      type: 'Opaque',
    }) as UnstructuredObject;
    const draft = draftFrom({ ...stored, stringData: { k: 'v2' } }, stored, 'lent');
    edited(draft, secret.defaults!);
    expect(draft['data']).toEqual({ k: 'djI=', other: 'eA==' });
    expect(draft).not.toHaveProperty('stringData');
    expect(stored['data']).toEqual({ k: 'djE=', other: 'eA==' });
  });
});
