import type { UserInfo } from '../request/context.ts';

export type MaybePromise<T> = T | Promise<T>;

/** A TLS peer as Node's `getPeerCertificate(true)` and `getPeerX509Certificate()` both describe it. */
export interface PeerCertificate {
  /** DER. */
  readonly raw: Uint8Array;
  readonly issuerCertificate?: PeerCertificate | undefined;
}

/** What authentication looks at. A Node IncomingMessage with its peer certificate is one. */
export interface AuthenticationRequest {
  /** Lower-case names, as Node delivers them. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Names and values alternating; tells repeated headers apart, which `headers` joins. */
  readonly rawHeaders?: readonly string[];
  /** Keep the same object for all requests of one connection: results are remembered by identity. */
  readonly peerCertificate?: PeerCertificate | undefined;
  readonly path?: string;
}

export interface Authenticated {
  readonly user: UserInfo;
  /** Audiences the credential is good for; absent when it is not bound to any. */
  readonly audiences?: readonly string[];
}

/** The credential is of this authenticator's kind, but is not good. The chain answers 401. */
export class BadCredential extends Error {
  override readonly name = 'BadCredential';
}

/** One way to tell who is asking; undefined when the request carries no credential of its kind. */
export interface RequestAuthenticator {
  authenticate(request: AuthenticationRequest): MaybePromise<Authenticated | undefined>;
}

/** The same for a bearer token alone. `audiences` are those the caller would accept; absent: the server's own. */
export interface TokenAuthenticator {
  authenticateToken(token: string, audiences?: readonly string[]): MaybePromise<Authenticated | undefined>;
}

export const anonymousUser = 'system:anonymous';
export const authenticatedGroup = 'system:authenticated';
export const unauthenticatedGroup = 'system:unauthenticated';
export const credentialIdKey = 'authentication.kubernetes.io/credential-id';
