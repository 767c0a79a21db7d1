import { connect as connectTcp, isIP } from 'node:net';
import { connect } from 'node:tls';
import type { Clock } from '@hypershift-ts/kube-apimachinery';
import { type ClusterConfig, type PemSource, readSmallFile } from '@hypershift-ts/kube-client';
import { fingerprint } from '@hypershift-ts/kube-pki';

/** Where a certificate is looked at, and by which rules. */
type Presenter = Pick<ClusterConfig, 'server' | 'certificateAuthority' | 'tlsServerName' | 'insecureSkipTlsVerify'>;

interface Known {
  readonly certificate: Promise<string>;
  readonly untilMs: number;
}

/** A process that starts thousands of nodes answers late; a server that is gone refuses at once. */
const handshakeMs = 15_000;

/** How long an address is believed to lead where it led, provided that the server it led to still runs. */
const believedMs = 60_000;

/**
 * Which certificates the addresses of this process' servers present. All programs of a control plane look at the same
 * one when they start, and a handshake costs more than anything else they do then.
 */
export class PresentedCertificates {
  private readonly known = new Map<string, Known>();
  private readonly isServed: (certificate: string) => boolean;

  constructor(isServed: (certificate: string) => boolean) {
    this.isServed = isServed;
  }

  /** SHA-256 of the certificate; what is remembered passed the same verification a moment ago. */
  async of(presenter: Presenter, now: number): Promise<string> {
    const { server, certificateAuthority, tlsServerName, insecureSkipTlsVerify = false } = presenter;
    const ca = certificateAuthority ? await textOf(certificateAuthority) : undefined;
    const key = JSON.stringify([server, tlsServerName, insecureSkipTlsVerify, ca]);
    const known = this.known.get(key);
    if (known && now < known.untilMs && this.isServed(await known.certificate)) return known.certificate;
    this.sweep(now);
    const certificate = handshake(presenter, ca);
    this.known.set(key, { certificate, untilMs: now + believedMs });
    certificate.catch(() => this.known.delete(key));
    return certificate;
  }

  private sweep(now: number): void {
    for (const [key, { untilMs }] of this.known) if (now >= untilMs) this.known.delete(key);
  }
}

/** SHA-256 of the certificate an address presents, once it has passed verification. */
export async function presentedBy(config: ClusterConfig): Promise<string> {
  return handshake(config, config.certificateAuthority ? await textOf(config.certificateAuthority) : undefined);
}

/** How long an address is believed to lead where it led: to anybody, and to a server of this process that still runs. */
const rememberedMs = { anybody: 10_000, served: 300_000 };

/**
 * presentedBy() for many callers of few addresses: for some time one handshake tells all of them. Thousands of machines
 * that join at the same time would otherwise look again just when nobody has time to answer.
 */
export function rememberedCertificates(
  clock: Clock,
  isServed: (certificate: string) => boolean,
): (config: ClusterConfig) => Promise<string> {
  const known = new Map<string, { readonly certificate: Promise<string>; readonly sinceMs: number }>();
  return async (config) => {
    const key = JSON.stringify([config.server, config.certificateAuthority, config.tlsServerName]);
    const entry = known.get(key);
    const age = clock.now() - (entry?.sinceMs ?? 0);
    if (entry && age < rememberedMs.anybody) return entry.certificate;
    if (entry && age < rememberedMs.served && isServed(await entry.certificate)) return entry.certificate;
    for (const [other, { sinceMs }] of known) if (clock.now() - sinceMs >= rememberedMs.served) known.delete(other);
    const certificate = presentedBy(config);
    known.set(key, { certificate, sinceMs: clock.now() });
    certificate.catch(() => known.delete(key));
    return certificate;
  };
}

function handshake({ server, tlsServerName, insecureSkipTlsVerify }: Presenter, ca: string | undefined) {
  const url = new URL(server);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const name = tlsServerName ?? host;
  return new Promise<string>((resolve, reject) => {
    const plain = connectTcp({ host, port: Number(url.port || 443) });
    plain.setTimeout(handshakeMs, () => plain.destroy(new Error('no TLS handshake in time')));
    plain.once('error', reject);
    // Refused connections, of which there are many while things start, cost no cryptography this way.
    plain.once('connect', () => {
      const socket = connect({
        socket: plain,
        host,
        ALPNProtocols: ['h2'],
        rejectUnauthorized: !insecureSkipTlsVerify,
        ...(isIP(name) ? {} : { servername: name }),
        ...(ca ? { ca } : {}),
      });
      socket.once('error', reject);
      socket.once('close', () => reject(new Error('the connection was closed during the handshake')));
      socket.once('secureConnect', () => {
        const { raw } = socket.getPeerCertificate();
        socket.destroy();
        resolve(fingerprint(raw));
      });
    });
  });
}

export function textOf(source: PemSource): Promise<string> {
  return 'pem' in source ? Promise.resolve(source.pem) : readSmallFile(source.file);
}
