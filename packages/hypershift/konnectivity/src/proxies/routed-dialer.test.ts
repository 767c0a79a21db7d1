import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { routedDialer } from './routed-dialer.ts';

function recorded(options: Omit<Parameters<typeof routedDialer>[0], 'tunnel'>) {
  const tunneled: string[] = [];
  const dial = routedDialer({
    ...options,
    tunnel: async (host, port) => {
      tunneled.push(`${host}:${port}`);
      return new PassThrough();
    },
  });
  return { dial, tunneled };
}

describe('routedDialer', () => {
  it('When a name resolves, it should dial its address through the tunnel', async () => {
    const { dial, tunneled } = recorded({ resolve: async (host) => (host === 'dns' ? '172.30.0.10' : undefined) });
    await dial('dns', 53);
    await dial('elsewhere', 443);
    expect(tunneled).toEqual(['172.30.0.10:53', 'elsewhere:443']);
  });

  it('When a destination is direct, it should not touch the tunnel', async () => {
    const { dial, tunneled } = recorded({ isDirect: (host) => host === '127.0.0.1' });
    await expect(dial('127.0.0.1', 1)).rejects.toThrow('ECONNREFUSED');
    expect(tunneled).toEqual([]);
  });
});
