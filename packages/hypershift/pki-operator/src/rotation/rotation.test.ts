import { formatTime } from '@hypershift-ts/kube-apimachinery';
import type { Certificate } from '@hypershift-ts/kube-pki';
import { describe, expect, it } from 'vitest';
import { rotationPeriods } from './periods.ts';
import { forceRegeneration, rotationVerdict } from './verdict.ts';

const hour = 3_600_000;
const now = Date.UTC(2026, 5, 1);

describe('rotationPeriods', () => {
  it('When nothing is scaled, it should keep signers a week and clients a day and a half', () => {
    expect(rotationPeriods()).toEqual({
      signerValidity: 168 * hour,
      signerRefresh: 48 * hour,
      clientValidity: 36 * hour,
      clientRefresh: 6 * hour,
    });
  });

  it('When scaled up, it should not live longer than usual; scaled down, everything shrinks', () => {
    expect(rotationPeriods(48 * hour)).toEqual(rotationPeriods());
    expect(rotationPeriods(hour).clientRefresh).toBe(hour / 4);
    expect(() => rotationPeriods(0)).toThrow(/positive/);
  });
});

describe('rotationVerdict', () => {
  const times = { now, validity: 36 * hour, refresh: 6 * hour };
  const endingAt = (notAfter: number) => ({ notAfter }) as Certificate;

  it.each([
    ['there is none', undefined, undefined, false],
    ['it is fresh', endingAt(now + 36 * hour), formatTime(now + 36 * hour), true],
    ['it is six hours old', endingAt(now + 30 * hour), formatTime(now + 30 * hour), false],
    ['its annotation was removed', endingAt(now + 36 * hour), undefined, false],
    ['somebody asks for a new one', endingAt(now + 36 * hour), forceRegeneration, false],
  ])('When %s, it should decide so', (_what, certificate, annotation, keep) => {
    expect(rotationVerdict(certificate, annotation, times).keep).toBe(keep);
  });
});
