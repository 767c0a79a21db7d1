import type { KubeObject } from '@hypershift-ts/kube-apimachinery';
import { SignJWT } from 'jose';
import type { ClaimsOptions } from './claims.ts';
import { legacyClaims, serviceAccountClaims } from './claims.ts';
import type { SigningKey } from './keys.ts';

/** Signs service account tokens with one key for one issuer. */
export class TokenIssuer {
  readonly issuer: string;
  private readonly key: SigningKey;

  constructor(issuer: string, key: SigningKey) {
    this.issuer = issuer;
    this.key = key;
  }

  /** A bound, expiring token. */
  issue(options: Omit<ClaimsOptions, 'issuer'>): Promise<string> {
    return this.sign({ ...serviceAccountClaims({ ...options, issuer: this.issuer }) });
  }

  /** The token of a Secret of type kubernetes.io/service-account-token. */
  issueLegacy(serviceAccount: KubeObject, secretName: string): Promise<string> {
    return this.sign({ ...legacyClaims(serviceAccount, secretName) });
  }

  private sign(claims: Record<string, unknown>): Promise<string> {
    const { algorithm, id, privateKey } = this.key;
    return new SignJWT(claims).setProtectedHeader({ alg: algorithm, kid: id }).sign(privateKey);
  }
}
