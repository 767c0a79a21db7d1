import type { certificatesv1 } from '@hypershift-ts/kube-apimachinery';
import { createRequest, generateKeys } from '@hypershift-ts/kube-pki';
import { describe, expect, it } from 'vitest';
import { checkRequest, lifetimeOf } from './validation.ts';

const hour = 3_600_000;

const aCsr = (request: string): certificatesv1.CertificateSigningRequest => ({
  apiVersion: 'certificates.k8s.io/v1',
  kind: 'CertificateSigningRequest',
  metadata: { name: 'joe' },
  spec: { request: Buffer.from(request).toString('base64'), usages: ['client auth'], signerName: 'example.com/x' },
});

describe('checkRequest', () => {
  it('When everything is as it should be, it should hand out the request', async () => {
    const subject = { commonName: 'system:sre-break-glass:joe' };
    const pem = await createRequest({ subject, keys: await generateKeys('P-256') });
    const checked = checkRequest(aCsr(pem), 'sre-break-glass');
    expect('request' in checked && checked.request.subject.commonName).toBe('system:sre-break-glass:joe');
  });

  it('When there is no request inside, it should say so instead of throwing', () => {
    expect(checkRequest(aCsr('nothing'), 'sre-break-glass')).toEqual({
      problem: expect.stringMatching(/^unable to parse/),
    });
  });
});

describe('lifetimeOf', () => {
  it.each([
    ['nothing is asked for', undefined, 36 * hour],
    ['less than ten minutes are asked for', 60, hour / 6],
    ['an hour is asked for', 3600, hour],
    ['a week is asked for', 604_800, 36 * hour],
  ])('When %s, it should stay within the limits', (_what, seconds, expected) => {
    expect(lifetimeOf(seconds, 36 * hour)).toBe(expected);
  });
});
