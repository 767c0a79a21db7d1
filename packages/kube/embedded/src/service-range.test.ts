import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { apiServiceAddress } from '@hypershift-ts/kube-apimachinery';
import { describe, expect, it } from 'vitest';
import { claimServiceRange, firstBlock, serviceRange } from './service-range.ts';

describe('serviceRange', () => {
  it('When clusters are kept in memory, it should draw from the whole space', () => {
    expect(serviceRange(firstBlock(undefined, () => 0))).toBe('127.64.0.0/20');
    expect(serviceRange(firstBlock(undefined, () => 0.9999))).toBe('127.127.240.0/20');
    expect(apiServiceAddress('127.127.240.0/20')).toBe('127.127.240.1');
  });
});

describe('claimServiceRange', () => {
  it('When another cluster has the range, it should take the next free one', async () => {
    const chance = () => 0.4242;
    const first = await claimServiceRange(undefined, chance);
    const second = await claimServiceRange(undefined, chance);
    expect(second.cidr).not.toBe(first.cidr);
    await first.release();
    await second.release();
  });

  it('When a data directory has a range, it should keep it whoever came meanwhile', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'range-'));
    const before = await claimServiceRange(dataDir);
    await before.release();
    const after = await claimServiceRange(dataDir);
    expect(after.cidr).toBe(before.cidr);
    await after.release();
    await rm(dataDir, { recursive: true });
  });
});
