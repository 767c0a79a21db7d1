import { describe, expect, it } from 'vitest';
import { endpointsIn, healthVerdict } from './network-checks.ts';

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

describe('endpointsIn', () => {
  const issuer = 'https://id.example.com';
  const document = { issuer, authorization_endpoint: `${issuer}/auth`, token_endpoint: `${issuer}/token` };

  it('When a discovery document is read, it should find the endpoints', () => {
    expect(endpointsIn(issuer, JSON.stringify(document))).toEqual({
      authorize: `${issuer}/auth`,
      token: `${issuer}/token`,
    });
  });

  it.each([
    ['another issuer', { ...document, issuer: 'https://evil.example.com' }, /is that of "https:\/\/evil/],
    ['no TLS', { ...document, token_endpoint: 'http://id.example.com/token' }, /not an https URL/],
    ['nothing useful', [], /not a JSON object/],
  ])('When it names %s, it should refuse it', (_, body, expected) => {
    expect(() => endpointsIn(issuer, JSON.stringify(body))).toThrow(expected);
  });
});
