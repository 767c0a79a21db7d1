import type { CertificateRevocationRequest } from '@hypershift-ts/hypershift-api';
import { formatTime } from '@hypershift-ts/kube-apimachinery';
import type { CertificateAuthority } from '@hypershift-ts/kube-pki';
import { createAuthority, issue } from '@hypershift-ts/kube-pki';
import { beforeAll, describe, expect, it } from 'vitest';
import { nextRevocationStep, type RevocationView, verificationLimit } from './step.ts';
import { previousSignerName } from './view.ts';

const revoked = Date.UTC(2026, 5, 1);
const now = revoked + 60_000;
const minute = 60_000;
let old: CertificateAuthority;
let fresh: CertificateAuthority;

const signerAt = (at: number) =>
  createAuthority({ subject: { commonName: `ns_customer-system-admin-signer@${Math.floor(at / 1000)}` }, now: at });

beforeAll(async () => {
  old = await signerAt(revoked - minute);
  fresh = await signerAt(revoked + 5000);
});

const order = [
  'SignerClassValid',
  'RootCertificatesRegenerated',
  'NewCertificatesTrusted',
  'LeafCertificatesRegenerated',
  'PreviousCertificatesRevoked',
];

type Status = NonNullable<CertificateRevocationRequest['status']>;

const aRequest = (status: Status): CertificateRevocationRequest => ({
  apiVersion: 'certificates.hypershift.openshift.io/v1alpha1',
  kind: 'CertificateRevocationRequest',
  metadata: { name: 'r', namespace: 'ns' },
  spec: { signerClass: 'customer-break-glass' },
  status,
});

const isTrue = (type: string) => ({
  type,
  status: 'True' as const,
  reason: 'AsExpected',
  message: '',
  lastTransitionTime: formatTime(revoked),
});

/** A view in which the first conditions are true already. */
function view(done: number, change: Partial<RevocationView> = {}): RevocationView {
  const conditions = order.slice(0, done).map(isTrue);
  const begun = { revocationTimestamp: formatTime(revoked), previousSigner: { name: 'copy' }, conditions };
  return {
    namespace: 'ns',
    request: aRequest(done === 0 ? {} : begun),
    now,
    signer: fresh.certificate,
    previous: { name: 'copy', certificate: old.certificate },
    bundle: [fresh.certificate, old.certificate],
    totalBundle: [fresh.certificate, old.certificate],
    leaves: [],
    ...change,
  };
}

const reported = (step: ReturnType<typeof nextRevocationStep>) =>
  step.do === 'report' ? step.conditions.map(({ type, status, reason }) => `${type}=${status} ${reason}`) : step.do;

describe('nextRevocationStep', () => {
  it('When it begins, it should commit the time first', () => {
    const step = nextRevocationStep(view(0));
    expect(reported(step)).toEqual(['SignerClassValid=True AsExpected']);
    expect(step).toMatchObject({ status: { revocationTimestamp: formatTime(now) } });
  });

  it('When the signer has not been copied, it should copy it before anything replaces it', () => {
    const before = { signer: old.certificate, previous: { name: 'copy', certificate: undefined } };
    expect(nextRevocationStep(view(1, before))).toEqual({ do: 'copy-signer' });
    expect(nextRevocationStep(view(1, { signer: old.certificate }))).toEqual({
      do: 'regenerate',
      secret: 'customer-system-admin-signer',
    });
  });

  it('When the signer is new, it should say so and wait for trust', () => {
    expect(reported(nextRevocationStep(view(1)))).toEqual([
      'RootCertificatesRegenerated=True AsExpected',
      'NewCertificatesTrusted=False WaitingForAvailable',
    ]);
    expect(nextRevocationStep(view(2, { totalBundle: [old.certificate] }))).toEqual({ do: 'wait' });
    expect(nextRevocationStep(view(2))).toEqual({ do: 'probe' });
  });

  it('When all API servers accept both signers, it should trust the new one', () => {
    const answers = { current: ['accepted', 'accepted'], previous: ['accepted', 'accepted'] } as const;
    expect(reported(nextRevocationStep(view(2, { answers })))).toEqual(['NewCertificatesTrusted=True AsExpected']);
  });

  it.each<[string, NonNullable<RevocationView['answers']>, RegExp]>([
    [
      'one does not know the new signer',
      { current: ['accepted', 'rejected'], previous: ['accepted', 'accepted'] },
      /1 of 2/,
    ],
    [
      'one is in the middle of a reload',
      { current: ['accepted', 'accepted'], previous: ['accepted', 'rejected'] },
      /1 reject/,
    ],
    [
      'one does not answer',
      { current: ['accepted', 'unknown'], previous: ['accepted', 'accepted'] },
      /1 of 2 API servers/,
    ],
    ['there is nobody to ask', { current: [], previous: [] }, /there is no API server to ask/],
  ])('When %s, it should say what it waits for, once', (_what, answers, reason) => {
    const before = view(2, { answers });
    const step = nextRevocationStep(before);
    expect(reported(step)).toEqual(['NewCertificatesTrusted=False WaitingForAvailable']);
    const message = step.do === 'report' ? (step.conditions[0]?.message ?? '') : '';
    expect(message).toMatch(reason);
    const told = { ...isTrue('NewCertificatesTrusted'), status: 'False' as const, message };
    const conditions = [...(before.request.status?.conditions ?? []), told];
    const request = aRequest({ ...before.request.status, conditions });
    expect(nextRevocationStep({ ...before, request })).toEqual({ do: 'wait' });
  });

  it('When a live certificate would lose trust, it should name it and have it replaced before pruning', async () => {
    const { certificate } = await issue(old, { role: 'client', subject: { commonName: 'x' }, now: revoked });
    const leaves = [{ secret: 'customer-system-admin-client-cert-key', certificate }];
    const step = nextRevocationStep(view(3, { leaves }));
    expect(reported(step)).toEqual(['LeafCertificatesRegenerated=False LeafCertificatesStale']);
    const told = view(3, { leaves });
    const message = step.do === 'report' ? (step.conditions[0]?.message ?? '') : '';
    expect(message).toMatch(/lose trust for leaf certificates: customer-system-admin-client-cert-key/);
    const stale = { ...isTrue('LeafCertificatesRegenerated'), status: 'False' as const, message };
    const conditions = [...(told.request.status?.conditions ?? []), stale];
    const request = aRequest({ ...told.request.status, conditions });
    expect(nextRevocationStep({ ...told, request })).toEqual({
      do: 'regenerate',
      secret: 'customer-system-admin-client-cert-key',
    });
  });

  it('When nothing depends on the old signers, it should drop all of them and keep the new one', async () => {
    const older = await signerAt(revoked - 3000 * minute);
    const bundle = [fresh.certificate, old.certificate, older.certificate];
    const step = nextRevocationStep(view(3, { bundle }));
    expect(step).toEqual({ do: 'prune', keep: [fresh.certificate] });
    expect(reported(nextRevocationStep(view(3, { bundle: [fresh.certificate] })))).toEqual([
      'LeafCertificatesRegenerated=True AsExpected',
      'PreviousCertificatesRevoked=False WaitingForAvailable',
    ]);
  });

  it('When the new signer was made in the second of the revocation, it should not drop it', async () => {
    const same = await signerAt(revoked);
    const step = nextRevocationStep(view(3, { signer: same.certificate, bundle: [same.certificate, old.certificate] }));
    expect(step).toEqual({ do: 'prune', keep: [same.certificate] });
  });

  it('When every API server rejects the old signer, it should be done', () => {
    const answers = { current: ['accepted'], previous: ['rejected'] } as const;
    expect(reported(nextRevocationStep(view(4, { answers })))).toEqual(['PreviousCertificatesRevoked=True AsExpected']);
    expect(nextRevocationStep(view(5))).toEqual({ do: 'nothing' });
  });

  it('When the old signer is still accepted after ten minutes, it should say who accepts it and go on', () => {
    const answers = { current: ['accepted', 'accepted'], previous: ['rejected', 'accepted'] } as const;
    expect(nextRevocationStep(view(4, { answers }))).toEqual({ do: 'wait' });
    const late = nextRevocationStep(view(4, { answers, now: revoked + verificationLimit + 1 }));
    expect(reported(late)).toEqual(['PreviousCertificatesRevoked=False RevocationVerificationTimeout']);
    expect(late.do === 'report' && late.conditions[0]?.message).toMatch(
      /2 of 2 API servers accept the new signer, 1 reject the previous one/,
    );
  });

  it('When the class is not known, it should refuse once', () => {
    const request = { metadata: { name: 'r' }, spec: { signerClass: 'nobody' } } as never;
    expect(reported(nextRevocationStep({ ...view(0), request }))).toEqual([
      'SignerClassValid=False SignerClassUnknown',
    ]);
  });
});

describe('previousSignerName', () => {
  it('When a request has a long name, it should be short, stable and a valid object name', () => {
    expect(previousSignerName('x'.repeat(253))).toMatch(/^[0-9a-z]{1,63}$/);
    expect(previousSignerName('leaked')).toBe(previousSignerName('leaked'));
  });
});
