import { ManualClock } from '@hypershift-ts/kube-apimachinery';
import { silentLogger } from '@hypershift-ts/kube-controller';
import { createAuthority, issue } from '@hypershift-ts/kube-pki';
import { describe, expect, it, vi } from 'vitest';
import { KeptCertificate } from './kept-certificate.ts';

const hour = 3_600_000;

async function aKeeper(options: { readonly failures?: number } = {}) {
  const clock = new ManualClock(Date.parse('2030-01-01T00:00:00Z'));
  const authority = await createAuthority({ subject: { commonName: 'kubelet-signer' }, now: clock.now() });
  let stored: string | undefined;
  let failures = options.failures ?? 0;
  const orders: number[] = [];
  const failed: string[] = [];
  const keeper = () =>
    new KeptCertificate({
      store: {
        read: async () => stored,
        write: async (pem) => {
          stored = pem;
        },
      },
      clock,
      log: silentLogger,
      random: () => 0.5,
      failed: (error) => failed.push((error as Error).message),
      order: async () => {
        orders.push(clock.now());
        if (failures-- > 0) throw new Error('denied');
        const { certificatePem, keyPem } = await issue(authority, {
          role: 'client',
          subject: { commonName: 'system:node:a', organizations: ['system:nodes'] },
          validFor: 10 * hour,
          now: clock.now(),
        });
        return { certificate: certificatePem, key: keyPem };
      },
    });
  return { clock, keeper, orders, failed, stored: () => stored };
}

describe('KeptCertificate', () => {
  it('When nothing is stored, it should order one, keep it and find it again', async () => {
    const { keeper, orders } = await aKeeper();
    const first = keeper();
    expect(await first.load()).toBe(false);
    const pair = await first.obtain();
    first.stop();
    const second = keeper();
    expect(await second.load()).toBe(true);
    expect(second.pair?.certificate.trim()).toBe(pair?.certificate.trim());
    expect(orders).toHaveLength(1);
    second.stop();
  });

  it('When most of its life is over, it should be renewed without being asked', async () => {
    const { clock, keeper, orders } = await aKeeper();
    const kept = keeper();
    const first = await kept.obtain();
    clock.advance(7 * hour);
    expect(orders).toHaveLength(1);
    clock.advance(1.5 * hour);
    await vi.waitFor(() => expect(kept.pair).not.toBe(first));
    expect(orders).toHaveLength(2);
    kept.stop();
  });

  it('When an order fails, it should try again later', async () => {
    const { clock, keeper, failed } = await aKeeper({ failures: 2 });
    const kept = keeper();
    const obtained = kept.obtain();
    for (const wait of [1000, 2000]) {
      await vi.waitFor(() => expect(failed).toHaveLength(wait / 1000));
      await Promise.resolve();
      clock.advance(wait);
    }
    expect(await obtained).toBeDefined();
    kept.stop();
  });

  it('When what is stored has expired or is no pair, it should not be used', async () => {
    const { clock, keeper } = await aKeeper();
    const kept = keeper();
    await kept.obtain();
    kept.stop();
    clock.advance(11 * hour);
    expect(await keeper().load()).toBe(false);
  });
});
