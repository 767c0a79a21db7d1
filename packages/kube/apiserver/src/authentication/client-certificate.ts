import type { Clock } from '@hypershift-ts/kube-apimachinery';
import type { Certificate, TrustPool } from '@hypershift-ts/kube-pki';
import { fingerprint, parseCertificateDer, trustPoolFromPem, verifyCertificate } from '@hypershift-ts/kube-pki';
import type { Authenticated, AuthenticationRequest, PeerCertificate, RequestAuthenticator } from './authenticator.ts';
import { BadCredential, credentialIdKey } from './authenticator.ts';
import { BoundedCache } from './bounded-cache.ts';

interface Verified {
  readonly certificate: Certificate;
  /** The earliest end of any certificate in the chain. */
  readonly notAfter: number;
}

const maxIntermediates = 8;

/** Verifies peers against a CA bundle that may change while the server runs. */
export class PeerVerifier {
  private readonly clock: Clock;
  private roots: TrustPool;
  private byIdentity = new WeakMap<PeerCertificate, Verified>();
  private readonly byFingerprint = new BoundedCache<Verified>(1024);

  constructor(bundlePem: string, clock: Clock) {
    this.clock = clock;
    this.roots = trustPoolFromPem(bundlePem);
  }

  /** Takes a new bundle. Certificates of CAs that left it are refused from now on. */
  setAuthorities(bundlePem: string): void {
    this.roots = trustPoolFromPem(bundlePem);
    this.byIdentity = new WeakMap();
    this.byFingerprint.clear();
  }

  /** The verified certificate; throws BadCredential when it does not verify. */
  verify(peer: PeerCertificate): Certificate {
    const now = this.clock.now();
    const known = this.byIdentity.get(peer);
    if (known && now <= known.notAfter) return known.certificate;
    // The chain a peer presents decides as much as its leaf does.
    const intermediates = issuersOf(peer);
    const print = [peer.raw, ...intermediates].map(fingerprint).join();
    let verified = this.byFingerprint.get(print, now);
    if (!verified) {
      verified = this.check(peer, intermediates, now);
      this.byFingerprint.set(print, verified, verified.notAfter, now);
    }
    this.byIdentity.set(peer, verified);
    return verified.certificate;
  }

  private check(peer: PeerCertificate, intermediates: readonly Uint8Array[], now: number): Verified {
    let leaf: Certificate;
    let offered: Certificate[];
    try {
      leaf = parseCertificateDer(peer.raw);
      offered = intermediates.map(parseCertificateDer);
    } catch (cause) {
      throw new BadCredential('the client certificate cannot be read', { cause });
    }
    const result = verifyCertificate(leaf, { roots: this.roots, intermediates: offered, now, usage: 'clientAuth' });
    if (!result.ok) throw new BadCredential(result.message);
    return { certificate: leaf, notAfter: Math.min(...result.chain.map((one) => one.notAfter)) };
  }
}

function issuersOf(peer: PeerCertificate): Uint8Array[] {
  const chain: Uint8Array[] = [];
  let last = peer;
  // Node ends the chain with a self-signed certificate pointing at itself.
  while (last.issuerCertificate && last.issuerCertificate !== last && chain.length < maxIntermediates) {
    last = last.issuerCertificate;
    if (last.raw) chain.push(last.raw);
  }
  return chain;
}

/** `--client-ca-file`: the common name is the user, the organizations are its groups. */
export class ClientCertificates implements RequestAuthenticator {
  private readonly verifier: PeerVerifier;
  private readonly users = new WeakMap<Certificate, Authenticated>();

  constructor(bundlePem: string, clock: Clock) {
    this.verifier = new PeerVerifier(bundlePem, clock);
  }

  setAuthorities(bundlePem: string): void {
    this.verifier.setAuthorities(bundlePem);
  }

  authenticate(request: AuthenticationRequest): Authenticated | undefined {
    const { peerCertificate } = request;
    if (!peerCertificate?.raw) return undefined;
    const certificate = this.verifier.verify(peerCertificate);
    let known = this.users.get(certificate);
    if (!known) {
      const name = certificate.subject.commonName;
      if (!name) return undefined;
      const groups = certificate.subject.organizations ?? [];
      const extra = { [credentialIdKey]: [`X509SHA256=${fingerprint(certificate.der)}`] };
      known = { user: { name, groups, extra } };
      this.users.set(certificate, known);
    }
    return known;
  }
}
