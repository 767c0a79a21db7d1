import type { Clock, UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import { forbidden, type Authorizer } from '../authorization/index.ts';
import {
  type Authentication,
  type AuthenticationRequest,
  authentication,
  type BoundObjectLookup,
  bootstrapTokens,
  ClientCertificates,
  FrontProxy,
  impersonation,
  parseSigningKey,
  parseVerificationKeys,
  ServiceAccountTokens,
  staticTokens,
  type VerificationKey,
} from '../authentication/index.ts';
import type { Lookup } from '../admission/lookup.ts';
import type { Exchange } from '../http/exchange.ts';
import type { ApiServerOptions } from './options.ts';
import { peerCertificateOf } from './peer.ts';
import type { Identity } from './pipeline.ts';

/** How one server tells who is asking. */
export interface Identification {
  readonly authentication: Authentication;
  readonly certificates: ClientCertificates | undefined;
  readonly keys: readonly VerificationKey[];
  readonly boundObjects: BoundObjectLookup;
}

export function identificationOf(options: ApiServerOptions, lookup: Lookup, clock: Clock): Identification {
  const { clientCa, frontProxy, serviceAccounts, anonymous } = options;
  const certificates = clientCa ? new ClientCertificates(clientCa, clock) : undefined;
  const keys = verificationKeysOf(serviceAccounts);
  const boundObjects: BoundObjectLookup = (resource, namespace, name) => lookup.get('', resource, namespace, name);
  const secretByName = (name: string): Promise<UnstructuredObject | undefined> =>
    lookup.get('', 'secrets', 'kube-system', name);
  const built = authentication({
    requests: [
      ...(frontProxy
        ? [new FrontProxy({ bundlePem: frontProxy.ca, allowedNames: frontProxy.allowedNames }, clock)]
        : []),
      ...(certificates ? [certificates] : []),
    ],
    tokens: [
      ...(options.staticTokens ? [staticTokens(options.staticTokens)] : []),
      new ServiceAccountTokens({
        keys,
        issuers: serviceAccounts.issuers,
        audiences: serviceAccounts.audiences ?? serviceAccounts.issuers.slice(0, 1),
        lookup: boundObjects,
        clock,
      }),
      bootstrapTokens(secretByName, clock),
    ],
    ...(anonymous ? { anonymous } : {}),
    onFailure: (reason) => options.log?.(`authentication failed: ${reason}`),
  });
  return { authentication: built, certificates, keys, boundObjects };
}

function verificationKeysOf({ signingKey, verificationKeys }: ApiServerOptions['serviceAccounts']): VerificationKey[] {
  const keys = new Map<string, VerificationKey>();
  if (signingKey) {
    const key = parseSigningKey(signingKey);
    keys.set(key.id, key);
  }
  if (verificationKeys) for (const key of parseVerificationKeys(verificationKeys)) keys.set(key.id, key);
  return [...keys.values()];
}

/** Authenticates a request and, when it asks to, lets it act as somebody else. */
export async function identify(auth: Authentication, authorizer: Authorizer, exchange: Exchange): Promise<Identity> {
  const request: AuthenticationRequest = {
    headers: exchange.request.headers,
    rawHeaders: exchange.request.rawHeaders,
    peerCertificate: peerCertificateOf(exchange.request),
    path: exchange.path,
  };
  const { user } = await auth.authenticate(request);
  const wanted = impersonation(request, user);
  if (!wanted) return { user };
  for (const check of wanted.checks) {
    const { decision, reason } = await authorizer.authorize(check);
    if (decision !== 'allow') throw forbidden(check, reason);
  }
  return { user, actingAs: wanted.user };
}
