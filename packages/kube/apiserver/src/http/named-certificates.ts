import { createSecureContext, type SecureContext } from 'node:tls';
import { parseCertificates } from '@hypershift-ts/kube-pki';

/** A serving certificate for certain names. */
export interface NamedCertificate {
  readonly certificate: string;
  readonly key: string;
  /** Those of the certificate when absent. A leading `*.` stands for one label. */
  readonly names?: readonly string[];
}

/** Contexts by name; the first certificate that has a name keeps it. */
export function namedContexts(
  named: readonly NamedCertificate[],
  clientCa: string | undefined,
): ReadonlyMap<string, SecureContext> {
  const contexts = new Map<string, SecureContext>();
  for (const { certificate, key, names } of named) {
    const context = createSecureContext({ cert: certificate, key, ...(clientCa ? { ca: clientCa } : {}) });
    for (const name of names ?? dnsNamesOf(certificate))
      if (!contexts.has(name.toLowerCase())) contexts.set(name.toLowerCase(), context);
  }
  return contexts;
}

export function contextFor(contexts: ReadonlyMap<string, SecureContext>, name: string): SecureContext | undefined {
  const wanted = name.toLowerCase().replace(/\.$/, '');
  return contexts.get(wanted) ?? contexts.get(`*${wanted.slice(Math.max(0, wanted.indexOf('.')))}`);
}

function dnsNamesOf(pem: string): readonly string[] {
  const [leaf] = parseCertificates(pem);
  const names = leaf?.dnsNames ?? [];
  return names.length > 0 ? names : [leaf?.subject.commonName ?? ''].filter((name) => name !== '');
}
