import { describe, expect, it } from 'vitest';
import { healthVerdict } from './network-checks.ts';

describe('healthVerdict', () => {
  it.each([
    ['all is well', 200, '[+]ping ok\nhealthz check passed', undefined],
    [
      'checks fail',
      500,
      '[+]ping ok\n[-]etcd failed: reason withheld\n[-]poststarthook/rbac failed: not finished\nhealthz check failed',
      'APIServer endpoint 127.0.0.1 is not healthy (status 500): failing health checks: etcd, poststarthook/rbac',
    ],
    ['somebody else answers', 404, 'not found', 'APIServer endpoint 127.0.0.1 is not healthy (status 404)'],
  ])('When %s, it should say so', (_, status, body, expected) => {
    expect(healthVerdict('127.0.0.1', { status, body })).toBe(expected);
  });
});
