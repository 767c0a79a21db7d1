import { apiServiceAddress } from '@hypershift-ts/kube-apimachinery';
import { describe, expect, it } from 'vitest';
import { serviceRangeOf } from './service-range.ts';

describe('serviceRangeOf', () => {
  it('When asked twice for the same data directory, it should give the same loopback range', () => {
    expect(serviceRangeOf('/a')).toBe(serviceRangeOf('/a'));
    expect(serviceRangeOf('/a')).toMatch(/^127\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.\d+\.0\/20$/);
  });

  it('When clusters are kept in memory, it should draw from the whole space', () => {
    expect(serviceRangeOf(undefined, () => 0)).toBe('127.64.0.0/20');
    expect(serviceRangeOf(undefined, () => 0.9999)).toBe('127.127.240.0/20');
    expect(apiServiceAddress('127.127.240.0/20')).toBe('127.127.240.1');
  });
});
