import type { Clock } from '@hypershift-ts/kube-apimachinery';
import type { Authenticated, AuthenticationRequest, RequestAuthenticator } from './authenticator.ts';
import { BadCredential } from './authenticator.ts';
import { PeerVerifier } from './client-certificate.ts';
import { headerValues, prefixedHeaders } from './headers.ts';

/** The `--requestheader-*` flags. */
export interface FrontProxyOptions {
  /** `--requestheader-client-ca-file` */
  readonly bundlePem: string;
  /** `--requestheader-allowed-names`; any name when empty. */
  readonly allowedNames: readonly string[];
  readonly usernameHeaders?: readonly string[];
  readonly groupHeaders?: readonly string[];
  readonly uidHeaders?: readonly string[];
  readonly extraHeaderPrefixes?: readonly string[];
}

/** Trusts the user named in headers, but only from a proxy that proves itself by certificate. */
export class FrontProxy implements RequestAuthenticator {
  private readonly options: Required<FrontProxyOptions>;
  private readonly verifier: PeerVerifier;

  constructor(options: FrontProxyOptions, clock: Clock) {
    const lower = (names: readonly string[]) => names.map((name) => name.toLowerCase());
    this.options = {
      ...options,
      usernameHeaders: lower(options.usernameHeaders ?? ['X-Remote-User']),
      groupHeaders: lower(options.groupHeaders ?? ['X-Remote-Group']),
      uidHeaders: lower(options.uidHeaders ?? ['X-Remote-Uid']),
      extraHeaderPrefixes: lower(options.extraHeaderPrefixes ?? ['X-Remote-Extra-']),
    };
    this.verifier = new PeerVerifier(options.bundlePem, clock);
  }

  setAuthorities(bundlePem: string): void {
    this.verifier.setAuthorities(bundlePem);
  }

  authenticate(request: AuthenticationRequest): Authenticated | undefined {
    const { options } = this;
    const first = (names: readonly string[]) => names.flatMap((name) => headerValues(request, name)).find(Boolean);
    const name = first(options.usernameHeaders);
    if (!name || !request.peerCertificate?.raw) return undefined;
    const proxy = this.verifier.verify(request.peerCertificate).subject.commonName ?? '';
    if (options.allowedNames.length > 0 && !options.allowedNames.includes(proxy)) {
      throw new BadCredential(`x509: subject with cn=${proxy} is not in the allowed list`);
    }
    const extra: Record<string, readonly string[]> = Object.create(null);
    for (const prefix of options.extraHeaderPrefixes) {
      for (const [key, values] of prefixedHeaders(request, prefix)) extra[key] = [...(extra[key] ?? []), ...values];
    }
    const uid = first(options.uidHeaders);
    const groups = options.groupHeaders.flatMap((header) => headerValues(request, header)).filter(Boolean);
    return {
      user: { name, groups, ...(uid ? { uid } : {}), ...(Object.keys(extra).length > 0 ? { extra } : {}) },
    };
  }
}
