import { formatTime } from '@hypershift-ts/kube-apimachinery';
import type { Certificate } from '@hypershift-ts/kube-pki';

/** Annotations of rotated certificates, as OpenShift's rotation library writes them. */
export const rotationAnnotation = {
  notBefore: 'auth.openshift.io/certificate-not-before',
  notAfter: 'auth.openshift.io/certificate-not-after',
  issuer: 'auth.openshift.io/certificate-issuer',
} as const;

/** A not-after that no certificate has: asks for a new one. */
export const forceRegeneration = 'force-regeneration';

export type RotationVerdict =
  | { readonly keep: true; readonly nextCheck: number }
  | { readonly keep: false; readonly reason: string };

/** Whether a rotated certificate may stay. Its annotation must tell its real end: anything else asks for a new one. */
export function rotationVerdict(
  certificate: Certificate | undefined,
  notAfterAnnotation: string | undefined,
  times: { readonly now: number; readonly validity: number; readonly refresh: number },
): RotationVerdict {
  if (!certificate) return { keep: false, reason: 'there is no certificate yet' };
  if (notAfterAnnotation !== formatTime(certificate.notAfter)) {
    return { keep: false, reason: `its annotation ${rotationAnnotation.notAfter} asks for a new one` };
  }
  const due = certificate.notAfter - (times.validity - times.refresh);
  return times.now >= due ? { keep: false, reason: 'it is due' } : { keep: true, nextCheck: due };
}

/** What the annotations of a certificate say. */
export function rotationAnnotations(certificate: Certificate): { readonly [key: string]: string } {
  return {
    [rotationAnnotation.notBefore]: formatTime(certificate.notBefore),
    [rotationAnnotation.notAfter]: formatTime(certificate.notAfter),
    [rotationAnnotation.issuer]: certificate.issuer.commonName ?? '',
  };
}
