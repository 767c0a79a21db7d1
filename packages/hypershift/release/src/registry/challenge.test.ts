import { describe, expect, it } from 'vitest';
import { parseChallenges } from './challenge.ts';

describe('parseChallenges', () => {
  it.each([
    ['Basic realm="Registry"', [{ scheme: 'basic', parameters: { realm: 'Registry' } }]],
    [
      'Bearer realm="https://auth.example/token",service="registry",scope="repository:a/b:pull,push"',
      [
        {
          scheme: 'bearer',
          parameters: { realm: 'https://auth.example/token', service: 'registry', scope: 'repository:a/b:pull,push' },
        },
      ],
    ],
    [
      'Negotiate, Basic realm="a \\"b\\"", Bearer realm=https',
      [
        { scheme: 'negotiate', parameters: {} },
        { scheme: 'basic', parameters: { realm: 'a "b"' } },
        { scheme: 'bearer', parameters: { realm: 'https' } },
      ],
    ],
    ['', []],
    ['"\u0000=,,==', []],
  ])('When given %j, it should find %j', (header, expected) => {
    expect(parseChallenges(header)).toEqual(expected);
  });

  it('When a header is huge and unclosed, it should still end', () => {
    expect(parseChallenges(`Bearer realm="${'x'.repeat(1_000_000)}`)).toHaveLength(1);
  });
});
