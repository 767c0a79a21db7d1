import { describe, expect, it } from 'vitest';
import { deleteOptions } from './write-options.ts';

const noQuery = new URLSearchParams();

describe('deleteOptions', () => {
  it.each<[unknown]>([['x'], [5], [[]], [{ apiVersion: 'v1', kind: 'Pod' }], [{ kind: 'Nope' }]])(
    'When the body is %j, it should be refused',
    (body) => {
      expect(() => deleteOptions(body, noQuery)).toThrow(expect.objectContaining({ code: 400 }));
    },
  );

  it.each(['v1', 'meta.k8s.io/v1', 'apps/v1'])(
    'When it is a DeleteOptions of %s, it should be obeyed',
    (apiVersion) => {
      const body = { apiVersion, kind: 'DeleteOptions', dryRun: ['All'], propagationPolicy: 'Orphan' };
      expect(deleteOptions(body, noQuery)).toEqual({ dryRun: true, propagationPolicy: 'Orphan' });
    },
  );
});
