import type { OwnerReference } from '@hypershift-ts/kube-apimachinery';
import { corev1 } from '@hypershift-ts/kube-apimachinery';
import type { Client } from '@hypershift-ts/kube-client';
import { createOrUpdate } from '@hypershift-ts/kube-controller';
import type { Certificate, CertificateAuthority, IssuedCertificate, KeySource } from '@hypershift-ts/kube-pki';
import { bundle, certificatePem, createAuthority, issue, trustPool, verifyCertificate } from '@hypershift-ts/kube-pki';
import { authorityOf, bundleKey, encoded, issuedOf, readableIn } from '../pem-objects.ts';
import type { SignerClass } from '../signer-class.ts';
import { commonNamePrefix, signerObjects } from '../signer-class.ts';
import type { RotationPeriods } from './periods.ts';
import { rotationAnnotation, rotationAnnotations, rotationVerdict } from './verdict.ts';

export interface RotationScope {
  readonly client: Client;
  readonly namespace: string;
  readonly owner: OwnerReference;
  readonly periods: RotationPeriods;
  readonly keys: KeySource;
  readonly now: number;
  /** Unpredictable letters and digits, for user names. */
  readonly newSuffix: () => string;
  readonly live: {
    secret(name: string): corev1.Secret | undefined;
    configMap(name: string): corev1.ConfigMap | undefined;
  };
}

/** Brings one signer, its trust bundle and its client certificate up to date; answers when to look again. */
export async function rotate(signerClass: SignerClass, scope: RotationScope): Promise<number> {
  const signer = await rotateSigner(signerClass, scope);
  const trusted = await rotateBundle(signerClass, scope, signer.authority.certificate);
  const client = await rotateClient(signerClass, scope, signer.authority, trusted);
  return Math.min(signer.nextCheck, client);
}

async function rotateSigner(
  signerClass: SignerClass,
  scope: RotationScope,
): Promise<{ readonly authority: CertificateAuthority; readonly nextCheck: number }> {
  const { signer: name } = signerObjects(signerClass);
  const { namespace, periods, keys, now } = scope;
  const live = scope.live.secret(name);
  const current = authorityOf(live);
  const times = { now, validity: periods.signerValidity, refresh: periods.signerRefresh };
  const verdict = rotationVerdict(current?.certificate, notAfterOf(live), times);
  if (current && verdict.keep) return { authority: current, nextCheck: verdict.nextCheck };
  const authority = await createAuthority({
    // The time in the name tells signers of one Secret apart, for people and for chain building.
    subject: { commonName: `${namespace}_${name}@${Math.floor(now / 1000)}` },
    now,
    validFor: periods.signerValidity,
    keySource: keys,
  });
  await writeSecret(name, authority, live, scope);
  return { authority, nextCheck: now + periods.signerRefresh };
}

async function rotateBundle(
  signerClass: SignerClass,
  scope: RotationScope,
  signer: Certificate,
): Promise<readonly Certificate[]> {
  const { bundle: name } = signerObjects(signerClass);
  const { client, namespace, owner, now } = scope;
  const live = scope.live.configMap(name);
  // Older signers stay until they expire: what they signed is still in use.
  const trusted = [
    signer,
    ...readableIn(live).filter(({ der, notAfter }) => notAfter > now && !der.equals(signer.der)),
  ];
  const desired = {
    metadata: { namespace, name, ownerReferences: [owner] },
    data: { [bundleKey]: bundle(...trusted.map(certificatePem)) },
  };
  await createOrUpdate(client, corev1.configmaps, { namespace, name }, desired, { live: live ?? null });
  return trusted;
}

async function rotateClient(
  signerClass: SignerClass,
  scope: RotationScope,
  signer: CertificateAuthority,
  trusted: readonly Certificate[],
): Promise<number> {
  const { client: name } = signerObjects(signerClass);
  const { periods, keys, now } = scope;
  const live = scope.live.secret(name);
  const current = issuedOf(live)?.certificate;
  const isTrusted = current && verifyCertificate(current, { roots: trustPool(trusted), now, usage: 'clientAuth' }).ok;
  const times = { now, validity: periods.clientValidity, refresh: periods.clientRefresh };
  const verdict = rotationVerdict(current, notAfterOf(live), times);
  if (isTrusted && verdict.keep) return verdict.nextCheck;
  const commonName = current?.subject.commonName ?? `${commonNamePrefix(signerClass)}${scope.newSuffix()}`;
  const issued = await issue(signer, {
    role: 'client',
    subject: { commonName, organizations: ['system:masters'] },
    now,
    validFor: periods.clientValidity,
    keySource: keys,
  });
  await writeSecret(name, issued, live, scope);
  return now + periods.clientRefresh;
}

const notAfterOf = (secret: corev1.Secret | undefined) => secret?.metadata.annotations?.[rotationAnnotation.notAfter];

async function writeSecret(
  name: string,
  issued: IssuedCertificate,
  live: corev1.Secret | undefined,
  { client, namespace, owner }: RotationScope,
): Promise<void> {
  const desired = {
    metadata: { namespace, name, ownerReferences: [owner], annotations: rotationAnnotations(issued.certificate) },
    type: 'kubernetes.io/tls',
    data: { 'tls.crt': encoded(issued.certificatePem), 'tls.key': encoded(issued.keyPem) },
  };
  await createOrUpdate(client, corev1.secrets, { namespace, name }, desired, { live: live ?? null });
}
