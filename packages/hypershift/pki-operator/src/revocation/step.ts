import type { CertificateRevocationRequest } from '@hypershift-ts/hypershift-api';
import { findCondition, formatTime, isConditionTrue } from '@hypershift-ts/kube-apimachinery';
import type { DesiredCondition } from '@hypershift-ts/kube-controller';
import type { Certificate } from '@hypershift-ts/kube-pki';
import { clockSkewAllowance, fingerprintOf, trustPool, verifyCertificate } from '@hypershift-ts/kube-pki';
import type { ProbeAnswer } from '../prober.ts';
import { everyAnswerIs } from '../prober.ts';
import { isSignerClass, signerObjects } from '../signer-class.ts';

/** Everything a revocation depends on, read once. */
export interface RevocationView {
  readonly namespace: string;
  readonly request: CertificateRevocationRequest;
  readonly now: number;
  readonly signer: Certificate | undefined;
  /** The signer that is being revoked, copied before it is replaced. */
  readonly previous: { readonly name: string; readonly certificate: Certificate | undefined };
  readonly bundle: readonly Certificate[];
  readonly totalBundle: readonly Certificate[];
  /** Leaf certificates in Secrets of the namespace. */
  readonly leaves: readonly { readonly secret: string; readonly certificate: Certificate }[];
  /** What API servers say about clients of the new and of the previous signer; absent until asked. */
  readonly answers?: { readonly current: readonly ProbeAnswer[]; readonly previous: readonly ProbeAnswer[] };
}

/** The next thing to do. */
export type RevocationStep =
  | { readonly do: 'copy-signer' }
  | { readonly do: 'regenerate'; readonly secret: string }
  | { readonly do: 'probe' }
  | { readonly do: 'prune'; readonly keep: readonly Certificate[] }
  | {
      readonly do: 'report';
      readonly status?: object;
      readonly conditions: readonly DesiredCondition[];
      readonly event: string;
    }
  /** Nothing until something changes or some time has passed. */
  | { readonly do: 'wait' }
  | { readonly do: 'nothing' };

export const verificationLimit = 10 * 60_000;

const condition = (type: string, status: 'True' | 'False', reason: string, message: string): DesiredCondition => ({
  type,
  status,
  reason,
  message,
});

/** One step towards a signer whose certificates nobody accepts any more; conditions turn true in this order. */
export function nextRevocationStep(view: RevocationView): RevocationStep {
  const { request } = view;
  const { signerClass } = request.spec;
  const isDone = (type: string) => isConditionTrue(request.status?.conditions, type);
  if (!isSignerClass(signerClass)) return unknownClass(request);
  if (isDone('PreviousCertificatesRevoked')) return { do: 'nothing' };
  if (!request.status?.revocationTimestamp) {
    return {
      do: 'report',
      status: { revocationTimestamp: formatTime(view.now) },
      conditions: [condition('SignerClassValid', 'True', 'AsExpected', `Signer class "${signerClass}" known.`)],
      event: `"${signerClass}" certificates valid before ${formatTime(view.now)} will be revoked.`,
    };
  }
  const signer = signerObjects(signerClass).signer;
  if (!isDone('RootCertificatesRegenerated')) return replaceSigner(view, signer);
  if (!view.signer) return { do: 'wait' };
  if (!isDone('NewCertificatesTrusted')) return awaitTrust(view, view.signer, signer);
  if (!isDone('LeafCertificatesRegenerated')) {
    return retireSigners(view, view.signer, signerObjects(signerClass).client);
  }
  return awaitRejection(view);
}

function unknownClass({ spec, status }: CertificateRevocationRequest): RevocationStep {
  if (findCondition(status?.conditions, 'SignerClassValid')) return { do: 'nothing' };
  const message = `Signer class "${spec.signerClass}" unknown.`;
  const conditions = [condition('SignerClassValid', 'False', 'SignerClassUnknown', message)];
  return { do: 'report', conditions, event: message };
}

function replaceSigner(view: RevocationView, name: string): RevocationStep {
  const { request, signer, previous, namespace } = view;
  if (!previous.certificate) return signer ? { do: 'copy-signer' } : { do: 'wait' };
  if (request.status?.previousSigner?.name !== previous.name) {
    const message = `Signer certificate ${namespace}/${name} needs to be regenerated.`;
    return {
      do: 'report',
      status: { previousSigner: { name: previous.name } },
      conditions: [condition('RootCertificatesRegenerated', 'False', 'RootCertificatesStale', message)],
      event: `Recording reference to copied previous signer ${namespace}/${previous.name}.`,
    };
  }
  if (!signer) return { do: 'wait' };
  if (signer.der.equals(previous.certificate.der)) return { do: 'regenerate', secret: name };
  return {
    do: 'report',
    conditions: [
      condition(
        'RootCertificatesRegenerated',
        'True',
        'AsExpected',
        `Signer certificate ${namespace}/${name} regenerated.`,
      ),
      condition(
        'NewCertificatesTrusted',
        'False',
        'WaitingForAvailable',
        `New signer certificate ${namespace}/${name} not yet trusted.`,
      ),
    ],
    event: `New "${request.spec.signerClass}" signer certificates generated.`,
  };
}

/** Every API server must accept the new signer, and the previous one too: otherwise it is in the middle of a reload. */
function awaitTrust(view: RevocationView, signer: Certificate, name: string): RevocationStep {
  if (!view.totalBundle.some(({ der }) => der.equals(signer.der))) return { do: 'wait' };
  if (!view.answers) return { do: 'probe' };
  const { current, previous } = view.answers;
  if (!everyAnswerIs(current, 'accepted') || !everyAnswerIs(previous, 'accepted')) {
    return explainWait(
      view,
      `New signer certificate ${view.namespace}/${name} not yet trusted: ${summary(view.answers)}.`,
    );
  }
  const message = `New signer certificate ${view.namespace}/${name} trusted.`;
  return {
    do: 'report',
    conditions: [condition('NewCertificatesTrusted', 'True', 'AsExpected', message)],
    event: `New "${view.request.spec.signerClass}" signer certificates valid.`,
  };
}

/** Says once what is waited for; an unchanged reason is not written again. */
function explainWait({ request }: RevocationView, message: string): RevocationStep {
  if (findCondition(request.status?.conditions, 'NewCertificatesTrusted')?.message === message) return { do: 'wait' };
  const conditions = [condition('NewCertificatesTrusted', 'False', 'WaitingForAvailable', message)];
  return { do: 'report', conditions, event: message };
}

/** When a signer was made: the time in its name, because its validity begins a little earlier. */
export function signerTime({ subject, notBefore }: Certificate): number {
  const seconds = /@(\d{1,12})$/.exec(subject.commonName ?? '')?.[1];
  return seconds === undefined ? notBefore + clockSkewAllowance : Number(seconds) * 1000;
}

function retireSigners(view: RevocationView, signer: Certificate, client: string): RevocationStep {
  const { request, bundle, leaves, now } = view;
  const revokedAt = Date.parse(request.status?.revocationTimestamp ?? '');
  const current = fingerprintOf(signer);
  const keep = bundle.filter((ca) => fingerprintOf(ca) === current || signerTime(ca) > revokedAt);
  if (keep.length === bundle.length) {
    return {
      do: 'report',
      conditions: [
        condition('LeafCertificatesRegenerated', 'True', 'AsExpected', 'All leaf certificates are re-generated.'),
        condition(
          'PreviousCertificatesRevoked',
          'False',
          'WaitingForAvailable',
          'Previous signer certificate not yet revoked.',
        ),
      ],
      event: `Previous "${request.spec.signerClass}" signer certificates pruned.`,
    };
  }
  const trusts = (roots: readonly Certificate[]) => {
    const pool = trustPool(roots);
    return ({ certificate }: { readonly certificate: Certificate }) =>
      verifyCertificate(certificate, { roots: pool, now }).ok;
  };
  const trustedLater = trusts(keep);
  const losing = leaves.filter(trusts(bundle)).filter((leaf) => !trustedLater(leaf));
  if (losing.length === 0) return { do: 'prune', keep };
  const names = losing.map(({ secret }) => secret).sort((a, b) => a.localeCompare(b));
  const stale = names.join(', ');
  const message = `Revocation would lose trust for leaf certificates: ${stale}.`;
  if (findCondition(request.status?.conditions, 'LeafCertificatesRegenerated')?.message !== message) {
    return {
      do: 'report',
      conditions: [condition('LeafCertificatesRegenerated', 'False', 'LeafCertificatesStale', message)],
      event: `Waiting for leaf certificates ${stale} to regenerate.`,
    };
  }
  return names.includes(client) ? { do: 'regenerate', secret: client } : { do: 'wait' };
}

function awaitRejection(view: RevocationView): RevocationStep {
  const { request, answers, now } = view;
  if (!answers) return { do: 'probe' };
  if (everyAnswerIs(answers.previous, 'rejected') && everyAnswerIs(answers.current, 'accepted')) {
    const message = 'Previous signer certificate revoked.';
    return {
      do: 'report',
      conditions: [condition('PreviousCertificatesRevoked', 'True', 'AsExpected', message)],
      event: `"${request.spec.signerClass}" signer certificates revoked.`,
    };
  }
  const conditions = request.status?.conditions;
  const since = Date.parse(findCondition(conditions, 'LeafCertificatesRegenerated')?.lastTransitionTime ?? '');
  const reason = 'RevocationVerificationTimeout';
  // It is reported and tried further: an API server that reloads late still completes the revocation.
  if (now - since <= verificationLimit || findCondition(conditions, 'PreviousCertificatesRevoked')?.reason === reason) {
    return { do: 'wait' };
  }
  const message = `Timed out after 10m0s waiting for KAS to reject old signer certificate: ${summary(answers)}.`;
  return {
    do: 'report',
    conditions: [condition('PreviousCertificatesRevoked', 'False', reason, message)],
    event: `Revocation verification for "${request.spec.signerClass}" signer timed out after 10m0s.`,
  };
}

function summary({ current, previous }: NonNullable<RevocationView['answers']>): string {
  const count = (answers: readonly ProbeAnswer[], wanted: ProbeAnswer) => answers.filter((a) => a === wanted).length;
  if (current.length === 0) return 'there is no API server to ask';
  const accepting = `${count(current, 'accepted')} of ${current.length} API servers accept the new signer`;
  return `${accepting}, ${count(previous, 'rejected')} reject the previous one`;
}
