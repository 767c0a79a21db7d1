import type { Certificate } from '@hypershift-ts/kube-pki';
import { clockSkewAllowance, day, parsePrivateKey, rotationDecision } from '@hypershift-ts/kube-pki';
import { PkiSecretUnusable } from './errors.ts';
import type { PkiFacts, PkiTuning } from './facts.ts';
import type { Found, PkiState } from './material.ts';
import { authorityIn, decoded, leafIn } from './material.ts';
import { sameNames, sameUsages } from './same-names.ts';
import type { AuthoritySpec, LeafSpec } from './table/index.ts';
import { authoritiesOf, leavesOf, signingKeySecret } from './table/index.ts';

/** One thing of the PKI that has a private key. */
export type PkiItem =
  | { readonly kind: 'authority'; readonly name: string; readonly spec: AuthoritySpec }
  | { readonly kind: 'leaf'; readonly name: string; readonly spec: LeafSpec }
  | { readonly kind: 'signing-key'; readonly name: string };

/** What has to happen to make the PKI right. */
export interface PkiPlan {
  readonly create: readonly PkiItem[];
  /** Exists, and is replaced. */
  readonly renew: readonly PkiItem[];
  readonly keep: readonly PkiItem[];
  /** Why something is made or replaced, by Secret name. */
  readonly reasons: ReadonlyMap<string, string>;
  /** When time alone gives it something to do again; milliseconds since the epoch. */
  readonly nextCheck: number;
}

type Verdict = { readonly keep: true; readonly nextCheck: number } | { readonly keep: false; readonly reason: string };

const replace = (reason: string): Verdict => ({ keep: false, reason });

export const defaultLeafValidity = 365 * day;
const defaultRenewBefore = 30 * day;

/** Lifetime and renewal as the tuning has them, without values that would renew for ever. */
export function leafPolicy(tuning: PkiTuning = {}): { readonly validity: number; readonly renewBefore: number } {
  const validity = tuning.leafValidity ?? defaultLeafValidity;
  const { renewalShare } = tuning;
  const renewBefore =
    renewalShare === undefined
      ? Math.min(defaultRenewBefore, validity / 3)
      : validity * Math.min(Math.max(renewalShare, 0), 0.9);
  return { validity, renewBefore };
}

/** Compares what is there with what there should be. Throws PkiSecretUnusable where only a person may decide. */
export function planPki(facts: PkiFacts, state: PkiState, now: number, tuning: PkiTuning = {}): PkiPlan {
  const create: PkiItem[] = [];
  const renew: PkiItem[] = [];
  const keep: PkiItem[] = [];
  const reasons = new Map<string, string>();
  let nextCheck = Number.POSITIVE_INFINITY;
  const settle = (item: PkiItem, exists: boolean, verdict: Verdict) => {
    if (verdict.keep) {
      keep.push(item);
      nextCheck = Math.min(nextCheck, verdict.nextCheck);
      return;
    }
    (exists ? renew : create).push(item);
    reasons.set(item.name, verdict.reason);
  };

  const signers = new Map<string, Certificate>();
  for (const spec of authoritiesOf(facts)) {
    const found = authorityIn(state.secrets.get(spec.secret), spec);
    const verdict = authorityVerdict(facts.namespace, spec, found, now);
    if (verdict.keep && 'value' in found) signers.set(spec.secret, found.value);
    settle({ kind: 'authority', name: spec.secret, spec }, 'value' in found, verdict);
  }
  const policy = leafPolicy(tuning);
  for (const spec of leavesOf(facts)) {
    const found = leafIn(state.secrets.get(spec.secret), spec);
    const verdict = leafVerdict(spec, found, signers.get(spec.signer), { ...policy, now });
    settle({ kind: 'leaf', name: spec.secret, spec }, !('missing' in found), verdict);
  }
  const signingKey: PkiItem = { kind: 'signing-key', name: signingKeySecret.secret };
  settle(signingKey, state.secrets.has(signingKeySecret.secret), signingKeyVerdict(facts.namespace, state));
  return { create, renew, keep, reasons, nextCheck };
}

function authorityVerdict(namespace: string, spec: AuthoritySpec, found: Found<Certificate>, now: number): Verdict {
  if ('missing' in found) return replace('there is no CA yet');
  if ('unusable' in found) {
    const fix = 'restore it, or delete it to get a new CA and new certificates for all it signed';
    throw new PkiSecretUnusable(namespace, spec.secret, 'CA', found.unusable, fix);
  }
  const { notAfter } = found.value;
  // Nothing it signed is accepted any more, so a new one cannot break what still works.
  if (notAfter <= now) return replace(`the CA expired at ${new Date(notAfter).toISOString()}`);
  return { keep: true, nextCheck: notAfter };
}

interface LeafTimes {
  readonly now: number;
  readonly validity: number;
  readonly renewBefore: number;
}

/** Whether a leaf may stay: readable, of this CA, for these names and uses, and with enough time left. */
export function leafVerdict(
  spec: LeafSpec,
  found: Found<Certificate>,
  signer: Certificate | undefined,
  times: LeafTimes,
): Verdict {
  if ('missing' in found) return replace('there is no certificate yet');
  if ('unusable' in found) return replace(`it cannot be used: ${found.unusable}`);
  if (!signer) return replace('its CA is new');
  const certificate = found.value;
  // A leaf that ends with its CA gains nothing from renewal: the next one would end at the same moment.
  const endsWithSigner = certificate.notAfter >= signer.notAfter;
  const decision = rotationDecision(certificate, {
    now: times.now,
    remainingShare: 0,
    remainingAtLeast: endsWithSigner ? 0 : times.renewBefore,
    commonName: spec.commonName,
    organizations: spec.organizations,
    issuer: signer,
  });
  if (decision.rotate) return replace(decision.reason);
  const mismatch = sameNames(certificate, spec) ?? sameUsages(certificate, spec.role);
  if (mismatch) return replace(mismatch);
  const lifetime = certificate.notAfter - certificate.notBefore;
  if (!endsWithSigner && Math.abs(lifetime - times.validity) > clockSkewAllowance + 60_000) {
    return replace('its validity is not the configured one');
  }
  return { keep: true, nextCheck: decision.nextCheck };
}

function signingKeyVerdict(namespace: string, state: PkiState): Verdict {
  const { secret: name, privateKey, publicKey } = signingKeySecret;
  const secret = state.secrets.get(name);
  const key = decoded(secret, privateKey);
  const fix = `put a PEM private key into ${privateKey}`;
  if (decoded(secret, publicKey) !== undefined) {
    // Tokens signed by the lost key are still about, so its public half is not dropped unseen.
    if (key === undefined) throw new PkiSecretUnusable(namespace, name, 'signing key', `${privateKey} is missing`, fix);
    return { keep: true, nextCheck: Number.POSITIVE_INFINITY };
  }
  if (key === undefined) return replace('there is no signing key yet');
  try {
    parsePrivateKey(key);
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    throw new PkiSecretUnusable(namespace, name, 'signing key', cause, fix);
  }
  return replace('its public key is missing');
}
