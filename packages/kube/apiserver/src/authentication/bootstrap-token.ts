import type { Clock, KubeObject } from '@hypershift-ts/kube-apimachinery';
import type { Authenticated, MaybePromise, TokenAuthenticator } from './authenticator.ts';
import { secretsEqual } from './constant-time.ts';

const tokenForm = /^([a-z0-9]{6})\.([a-z0-9]{16})$/;
const groupForm = /^system:bootstrappers:[a-z0-9:-]{0,255}[a-z0-9]$/;
const bootstrapTokenType = 'bootstrap.kubernetes.io/token';

/** Splits `abcdef.0123456789abcdef`; undefined when it is not a bootstrap token. */
function parseBootstrapToken(token: string): { readonly id: string; readonly secret: string } | undefined {
  const match = tokenForm.exec(token);
  return match ? { id: match[1] as string, secret: match[2] as string } : undefined;
}

interface Secret extends KubeObject {
  readonly type?: string;
  readonly data?: Readonly<Record<string, string>>;
}

/** The groups a bootstrap token grants, or undefined when one of them is not allowed to be granted. */
function groupsOf(extraGroups: string): readonly string[] | undefined {
  const groups = new Set(['system:bootstrappers']);
  for (const group of extraGroups === '' ? [] : extraGroups.split(',')) {
    if (!groupForm.test(group)) return undefined;
    groups.add(group);
  }
  return [...groups].sort();
}

/** Whether this Secret makes the token good now, and for which groups. Every rule of the format is here. */
function bootstrapGroups(
  secret: Secret,
  token: { readonly id: string; readonly secret: string },
  now: number,
): readonly string[] | undefined {
  const value = (key: string) =>
    secret.data && Object.hasOwn(secret.data, key)
      ? Buffer.from(secret.data[key] ?? '', 'base64').toString('utf8')
      : '';
  if (secret.metadata.deletionTimestamp || secret.type !== bootstrapTokenType) return undefined;
  if (!secretsEqual(value('token-secret'), token.secret) || value('token-id') !== token.id) return undefined;
  const expiration = value('expiration');
  if (expiration !== '') {
    const ends = Date.parse(expiration);
    // A date nobody can read must not make a token live forever.
    if (Number.isNaN(ends) || ends <= now) return undefined;
  }
  if (value('usage-bootstrap-authentication') !== 'true') return undefined;
  return groupsOf(value('auth-extra-groups'));
}

/** `--enable-bootstrap-token-auth`: tokens kept in kube-system Secrets named `bootstrap-token-<id>`. */
export function bootstrapTokens(
  secretByName: (name: string) => MaybePromise<KubeObject | undefined>,
  clock: Clock,
): TokenAuthenticator {
  return {
    async authenticateToken(text): Promise<Authenticated | undefined> {
      const token = parseBootstrapToken(text);
      if (!token) return undefined;
      const secret = await secretByName(`bootstrap-token-${token.id}`);
      const groups = secret && bootstrapGroups(secret, token, clock.now());
      return groups && { user: { name: `system:bootstrap:${token.id}`, groups } };
    },
  };
}
