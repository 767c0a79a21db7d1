import type { Clock, KubeObject } from '@hypershift-ts/kube-apimachinery';
import type { Authenticated, MaybePromise, TokenAuthenticator } from '../authenticator.ts';
import { BadCredential, credentialIdKey } from '../authenticator.ts';
import { secretsEqual } from '../constant-time.ts';
import type { KubernetesClaims, ObjectReference, ServiceAccountClaims } from './claims.ts';
import { legacyIssuer, parseLegacyClaims, parseServiceAccountClaims } from './claims.ts';
import type { VerificationKey } from './keys.ts';
import { serviceAccountGroups, serviceAccountUser } from './names.ts';
import type { Payload } from './signed-token.ts';
import { peekToken, SignatureVerifier } from './signed-token.ts';

/** How the authenticator sees the objects tokens are bound to; undefined when there is none. */
export type BoundObjectLookup = (
  resource: 'serviceaccounts' | 'pods' | 'secrets' | 'nodes',
  namespace: string,
  name: string,
) => MaybePromise<KubeObject | undefined>;

export interface ServiceAccountTokenOptions {
  readonly keys: readonly VerificationKey[];
  /** `--service-account-issuer`; the first one signs, all are accepted. */
  readonly issuers: readonly string[];
  /** `--api-audiences` */
  readonly audiences: readonly string[];
  readonly lookup: BoundObjectLookup;
  readonly clock: Clock;
}

// Clocks differ, and an object being deleted is let go with the same patience.
const leewaySeconds = 60;

/** Verifies service account tokens: signature, issuer, audience, time, and that everything they are bound to is still there. */
export class ServiceAccountTokens implements TokenAuthenticator {
  private readonly options: ServiceAccountTokenOptions;
  private readonly signatures: SignatureVerifier;
  private readonly issuers: ReadonlySet<string>;

  constructor(options: ServiceAccountTokenOptions) {
    this.options = options;
    this.signatures = new SignatureVerifier(options.keys, options.clock);
    this.issuers = new Set([...options.issuers, legacyIssuer]);
  }

  /** Takes new verification keys; tokens of keys that left are refused from now on. */
  setKeys(keys: readonly VerificationKey[]): void {
    this.signatures.setKeys(keys);
  }

  async authenticateToken(token: string, audiences = this.options.audiences): Promise<Authenticated | undefined> {
    const seen = peekToken(token);
    if (!seen || !this.issuers.has(seen.issuer)) return undefined;
    const payload = await this.signatures.verify(token, seen.kid);
    return seen.issuer === legacyIssuer ? this.legacy(token, payload, audiences) : this.bound(payload, audiences);
  }

  private async bound(payload: Payload, audiences: readonly string[]): Promise<Authenticated> {
    const claims = parseServiceAccountClaims(payload);
    if (!claims) throw new BadCredential('the token lacks service account claims');
    const shared = claims.aud.filter((audience) => audiences.includes(audience));
    if (shared.length === 0) {
      throw new BadCredential(
        `token audiences ${JSON.stringify(claims.aud)} is invalid for the target audiences ${JSON.stringify(audiences)}`,
      );
    }
    this.checkTime(claims);
    const kubernetes = claims['kubernetes.io'];
    const { namespace, serviceaccount } = kubernetes;
    if (claims.sub !== serviceAccountUser(namespace, serviceaccount.name)) {
      throw new BadCredential('the token subject does not match its service account');
    }
    await this.checkObject('serviceaccounts', namespace, serviceaccount);
    if (kubernetes.secret) await this.checkObject('secrets', namespace, kubernetes.secret);
    if (kubernetes.pod) await this.checkObject('pods', namespace, kubernetes.pod);
    // Beside a pod the node is information only: the pod's own life decides.
    else if (kubernetes.node) await this.checkObject('nodes', '', kubernetes.node);
    return { user: userOf(claims), audiences: shared };
  }

  private checkTime(claims: ServiceAccountClaims): void {
    const now = this.options.clock.now() / 1000;
    if (now > claims.exp + leewaySeconds) throw new BadCredential('service account token has expired');
    if (now < claims.nbf - leewaySeconds) throw new BadCredential('service account token is not valid yet');
    if (now < claims.iat - leewaySeconds) throw new BadCredential('service account token is issued in the future');
  }

  private async checkObject(
    resource: Parameters<BoundObjectLookup>[0],
    namespace: string,
    reference: ObjectReference,
  ): Promise<KubeObject> {
    const object = await this.options.lookup(resource, namespace, reference.name);
    if (!object || object.metadata.uid !== reference.uid) {
      throw new BadCredential('service account token has been invalidated');
    }
    const { deletionTimestamp } = object.metadata;
    const deletedBefore = this.options.clock.now() - leewaySeconds * 1000;
    if (deletionTimestamp && Date.parse(deletionTimestamp) < deletedBefore) {
      throw new BadCredential('service account token has been invalidated');
    }
    return object;
  }

  private async legacy(token: string, payload: Payload, audiences: readonly string[]): Promise<Authenticated> {
    const claims = parseLegacyClaims(payload);
    if (!claims) throw new BadCredential('the token lacks service account claims');
    // Legacy tokens were made for the API server and nobody else.
    const shared = this.options.audiences.filter((audience) => audiences.includes(audience));
    if (shared.length === 0 && audiences.length > 0)
      throw new BadCredential('the token is invalid for the target audiences');
    const { namespace, name, uid, secretName } = claims;
    if (payload.sub !== serviceAccountUser(namespace, name)) throw new BadCredential('sub claim is invalid');
    await this.checkObject('serviceaccounts', namespace, { name, uid });
    const secret: (KubeObject & { readonly data?: Readonly<Record<string, string>> }) | undefined =
      await this.options.lookup('secrets', namespace, secretName);
    const stored = Buffer.from(secret?.data?.token ?? '', 'base64').toString('utf8');
    if (!secret || secret.metadata.deletionTimestamp || !secretsEqual(stored, token)) {
      throw new BadCredential('service account token has been invalidated');
    }
    const user = { name: serviceAccountUser(namespace, name), uid, groups: serviceAccountGroups(namespace) };
    return { user, audiences: shared };
  }
}

function userOf(claims: ServiceAccountClaims) {
  const kubernetes: KubernetesClaims = claims['kubernetes.io'];
  const { namespace, serviceaccount, pod, node } = kubernetes;
  const extra: Record<string, readonly string[]> = {};
  if (claims.jti !== '') extra[credentialIdKey] = [`JTI=${claims.jti}`];
  const add = (kind: string, reference: ObjectReference | undefined) => {
    if (!reference) return;
    extra[`authentication.kubernetes.io/${kind}-name`] = [reference.name];
    if (reference.uid) extra[`authentication.kubernetes.io/${kind}-uid`] = [reference.uid];
  };
  add('node', node);
  add('pod', pod);
  return {
    name: serviceAccountUser(namespace, serviceaccount.name),
    ...(serviceaccount.uid ? { uid: serviceaccount.uid } : {}),
    groups: serviceAccountGroups(namespace),
    ...(Object.keys(extra).length > 0 ? { extra } : {}),
  };
}
