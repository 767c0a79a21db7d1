import type { corev1 } from '@hypershift-ts/kube-apimachinery';
import type { Certificate, CertificateAuthority, IssuedCertificate } from '@hypershift-ts/kube-pki';
import {
  certificatesIn,
  loadAuthority,
  loadIssued,
  parseCertificate,
  parseCertificateDer,
  parseCertificates,
} from '@hypershift-ts/kube-pki';

export const bundleKey = 'ca-bundle.crt';

const decoded = (secret: corev1.Secret | undefined, key: string) =>
  Buffer.from(secret?.data?.[key] ?? '', 'base64').toString('utf8');

export const encoded = (text: string): string => Buffer.from(text, 'utf8').toString('base64');

function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    // Whatever is not readable is treated as absent: its owner makes a new one.
    return undefined;
  }
}

export function authorityOf(secret: corev1.Secret | undefined): CertificateAuthority | undefined {
  return secret && attempt(() => loadAuthority(decoded(secret, 'tls.crt'), decoded(secret, 'tls.key')));
}

export function issuedOf(secret: corev1.Secret | undefined): IssuedCertificate | undefined {
  return secret && attempt(() => loadIssued(decoded(secret, 'tls.crt'), decoded(secret, 'tls.key')));
}

/** The certificate of a TLS Secret, whoever made it. */
export function certificateOf(secret: corev1.Secret): Certificate | undefined {
  return secret.data?.['tls.crt'] ? attempt(() => parseCertificate(decoded(secret, 'tls.crt'))) : undefined;
}

/** The certificates of a bundle; throws when there is something else in it. */
export function bundleOf(configMap: corev1.ConfigMap | undefined): readonly Certificate[] {
  return parseCertificates(configMap?.data?.[bundleKey] ?? '');
}

/** The certificates of a bundle that can be read; for its owner, who writes it anew without the rest. */
export function readableIn(configMap: corev1.ConfigMap | undefined): readonly Certificate[] {
  return certificatesIn(configMap?.data?.[bundleKey] ?? '')
    .map((der) => attempt(() => parseCertificateDer(der)))
    .filter((certificate) => certificate !== undefined);
}
