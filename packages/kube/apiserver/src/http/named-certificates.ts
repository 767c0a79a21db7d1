import { createSecureContext, type SecureContext } from 'node:tls';
import {
  type Certificate,
  isKeyPair,
  nodeCertificate,
  parseCertificates,
  readPrivateKey,
} from '@hypershift-ts/kube-pki';

/** A serving certificate for certain names. */
export interface NamedCertificate {
  readonly certificate: string;
  readonly key: string;
  /** Those of the certificate when absent. A leading `*.` stands for one label. */
  readonly names?: readonly string[];
}

/** Makes its context when the first client asks for it: most clients of a server use the same name. */
export type NamedContexts = ReadonlyMap<string, () => SecureContext>;

/** Contexts by name; the first certificate that has a name keeps it. */
export function namedContexts(named: readonly NamedCertificate[], clientCa: string | undefined): NamedContexts {
  const contexts = new Map<string, () => SecureContext>();
  for (const { certificate, key, names } of named) {
    const [leaf] = parseCertificates(certificate);
    // What cannot be served is refused here and now, not to the first client.
    if (leaf && !isKeyPair(nodeCertificate(leaf).publicKey, readPrivateKey(key)))
      throw new Error(`the private key does not belong to the certificate of ${leaf.subject.commonName ?? 'a server'}`);
    let made: SecureContext | undefined;
    const context = () => {
      made ??= createSecureContext({ cert: certificate, key, ...(clientCa ? { ca: clientCa } : {}) });
      return made;
    };
    for (const name of names ?? dnsNamesOf(leaf))
      if (!contexts.has(name.toLowerCase())) contexts.set(name.toLowerCase(), context);
  }
  return contexts;
}

export function contextFor(contexts: NamedContexts, name: string): SecureContext | undefined {
  const wanted = name.toLowerCase().replace(/\.$/, '');
  const context = contexts.get(wanted) ?? contexts.get(`*${wanted.slice(Math.max(0, wanted.indexOf('.')))}`);
  return context?.();
}

function dnsNamesOf(leaf: Certificate | undefined): readonly string[] {
  const names = leaf?.dnsNames ?? [];
  return names.length > 0 ? names : [leaf?.subject.commonName ?? ''].filter((name) => name !== '');
}
