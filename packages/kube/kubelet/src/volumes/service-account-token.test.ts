import { type corev1, formatTime, ManualClock } from '@hypershift-ts/kube-apimachinery';
import type { Client } from '@hypershift-ts/kube-client';
import { describe, expect, it } from 'vitest';
import { PodTokens } from './service-account-token.ts';

const pod: corev1.Pod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web', namespace: 'shop', uid: 'u-1' },
  spec: { serviceAccountName: 'robot', containers: [] },
};

function aServer(clock: ManualClock) {
  const requests: { metadata: object; spec: { expirationSeconds: number } }[] = [];
  const server = { isDown: false };
  const create = async (_type: unknown, request: (typeof requests)[number]) => {
    if (server.isDown) throw new Error('unavailable');
    requests.push(request);
    const expirationTimestamp = formatTime(clock.now() + request.spec.expirationSeconds * 1000);
    return { status: { token: `token-${requests.length}`, expirationTimestamp } };
  };
  return { requests, server, tokens: new PodTokens({ create } as unknown as Client, clock) };
}

describe('PodTokens', () => {
  const projection = { path: 'token', expirationSeconds: 1000, audience: 'vault' };

  it('When a token has lived four fifths of its life, it should be renewed', async () => {
    const clock = new ManualClock();
    const { tokens, requests } = aServer(clock);
    expect(await tokens.tokenFor(pod, projection)).toBe('token-1');
    expect(requests[0]).toMatchObject({
      metadata: { name: 'robot', namespace: 'shop' },
      spec: { audiences: ['vault'], expirationSeconds: 1000, boundObjectRef: { kind: 'Pod', name: 'web', uid: 'u-1' } },
    });
    expect(tokens.nextRenewalMs).toBe(clock.now() + 800_000);
    clock.advance(799_999);
    expect(await tokens.tokenFor(pod, projection)).toBe('token-1');
    clock.advance(1);
    expect(await tokens.tokenFor(pod, projection)).toBe('token-2');
  });

  it('When the server is away at renewal, the old token should serve and another try be due soon', async () => {
    const clock = new ManualClock();
    const { tokens, server } = aServer(clock);
    await tokens.tokenFor(pod, projection);
    clock.advance(800_000);
    server.isDown = true;
    expect(await tokens.tokenFor(pod, projection)).toBe('token-1');
    expect(tokens.nextRenewalMs).toBe(clock.now() + 30_000);
    await expect(tokens.tokenFor(pod, { ...projection, audience: 'other' })).rejects.toThrow('unavailable');
  });
});
