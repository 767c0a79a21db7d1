/** The certificates a cluster trusts its proxy by. */
import { X509Certificate } from 'node:crypto';
import type { ValidationVerdict } from './condition-text.ts';

const begin = '-----BEGIN CERTIFICATE-----';
const end = '-----END CERTIFICATE-----';

/** The certificates of a bundle, found in one pass whatever the bundle holds. */
function certificatesOf(bundle: string): readonly string[] {
  return bundle
    .split(end)
    .slice(0, -1)
    .map((part) => part.slice(Math.max(0, part.lastIndexOf(begin))) + end);
}

function problemOf(bundle: string, now: Date): string | undefined {
  const found = certificatesOf(bundle);
  if (found.length === 0) return 'it holds no PEM encoded certificate';
  for (const [index, pem] of found.entries()) {
    let certificate: X509Certificate;
    try {
      certificate = new X509Certificate(pem);
    } catch {
      return `certificate ${index + 1} cannot be parsed`;
    }
    if (new Date(certificate.validTo) < now)
      return `certificate ${index + 1} (${certificate.subject.replaceAll('\n', ', ')}) expired at ${certificate.validTo}`;
  }
  return undefined;
}

/** The ValidProxyConfiguration condition; `bundle` is undefined when the proxy names no CA bundle. */
export function validProxyConfiguration(bundle: string | undefined, now: Date): ValidationVerdict {
  const problem = bundle === undefined ? undefined : problemOf(bundle, now);
  return problem === undefined
    ? { status: 'True', reason: 'AsExpected', message: 'Configuration passes validation' }
    : {
        status: 'False',
        reason: 'ProxyCABundleInvalid',
        message: `spec.configuration.proxy.trustedCA: key "ca-bundle.crt" is not usable: ${problem}`,
      };
}
