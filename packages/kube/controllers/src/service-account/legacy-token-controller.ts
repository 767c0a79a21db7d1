import { createHash, createPrivateKey, createPublicKey } from 'node:crypto';
import type { corev1 } from '@hypershift-ts/kube-apimachinery';
import { corev1 as core } from '@hypershift-ts/kube-apimachinery';
import type { Controller } from '@hypershift-ts/kube-controller';
import { controller, deleteIfPresent, getIfPresent } from '@hypershift-ts/kube-controller';
import { SignJWT } from 'jose';

type Secret = corev1.Secret;
type ServiceAccount = corev1.ServiceAccount;

export interface LegacyTokenOptions {
  /** PEM private key whose public half the API server trusts. */
  readonly privateKey: string;
  readonly rootCa?: string;
}

const secretType = 'kubernetes.io/service-account-token';
const nameAnnotation = 'kubernetes.io/service-account.name';
const uidAnnotation = 'kubernetes.io/service-account.uid';

/** Makes tokens that do not expire, as the claims of old say it. */
function tokenIssuer(pem: string): (secret: Secret, account: ServiceAccount) => Promise<string> {
  const key = createPrivateKey(pem);
  const spki = createPublicKey(key).export({ type: 'spki', format: 'der' });
  const kid = createHash('sha256').update(spki).digest('base64url');
  const alg = key.asymmetricKeyType === 'rsa' ? 'RS256' : 'ES256';
  return (secret, account) => {
    const { namespace = '', name = '', uid = '' } = account.metadata;
    const claim = (suffix: string) => `kubernetes.io/serviceaccount/${suffix}`;
    return new SignJWT({
      [claim('namespace')]: namespace,
      [claim('secret.name')]: secret.metadata.name ?? '',
      [claim('service-account.name')]: name,
      [claim('service-account.uid')]: uid,
    })
      .setProtectedHeader({ alg, kid })
      .setIssuer('kubernetes/serviceaccount')
      .setSubject(`system:serviceaccount:${namespace}:${name}`)
      .sign(key);
  };
}

const isToken = ({ type, metadata }: Secret) =>
  type === secretType && metadata.annotations?.[nameAnnotation] !== undefined;
const encode = (text: string) => Buffer.from(text).toString('base64');

/** Fills hand-made token Secrets with a token, and deletes those whose account is gone. */
export function legacyTokenController(options: LegacyTokenOptions): Controller {
  const issue = tokenIssuer(options.privateKey);
  return controller<Secret, [ServiceAccount]>({
    name: 'serviceaccount-token-controller',
    for: {
      type: core.secrets,
      predicate: { created: isToken, updated: (_before: Secret, next: Secret) => isToken(next), deleted: () => false },
    },
    watches: [
      {
        type: core.serviceaccounts,
        predicate: { updated: () => false },
        map: ({ metadata }, { cache }) =>
          cache
            .informer(core.secrets)
            .list(metadata.namespace ?? '')
            .filter((secret) => isToken(secret) && secret.metadata.annotations?.[nameAnnotation] === metadata.name)
            .map((secret) => ({ namespace: secret.metadata.namespace ?? '', name: secret.metadata.name ?? '' })),
      },
    ],
    async reconcile(key, { cache, client }) {
      const secret = cache.get(core.secrets, key);
      if (!secret || !isToken(secret) || secret.metadata.deletionTimestamp) return;
      const accountKey = { namespace: key.namespace ?? '', name: secret.metadata.annotations?.[nameAnnotation] ?? '' };
      const account =
        cache.get(core.serviceaccounts, accountKey) ?? (await getIfPresent(client, core.serviceaccounts, accountKey));
      const boundTo = secret.metadata.annotations?.[uidAnnotation];
      if (!account || (boundTo && boundTo !== account.metadata.uid)) {
        await deleteIfPresent(client, core.secrets, key);
        return;
      }
      const namespace = encode(key.namespace ?? '');
      const ca = options.rootCa === undefined ? undefined : encode(options.rootCa);
      const data = secret.data ?? {};
      const complete = data['token'] && data['namespace'] === namespace && (!ca || data['ca.crt'] === ca) && boundTo;
      if (complete) return;
      await client.update(core.secrets, {
        ...secret,
        metadata: {
          ...secret.metadata,
          annotations: { ...secret.metadata.annotations, [uidAnnotation]: account.metadata.uid ?? '' },
        },
        data: {
          ...data,
          token: data['token'] ?? encode(await issue(secret, account)),
          namespace,
          ...(ca ? { 'ca.crt': ca } : {}),
        },
      });
    },
  });
}
