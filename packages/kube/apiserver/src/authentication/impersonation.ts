import { statusErrors } from '@hypershift-ts/kube-apimachinery';
import type { Attributes, Authorizer } from '../authorization/index.ts';
import { forbidden, resourceAttributes } from '../authorization/index.ts';
import type { UserInfo } from '../request/context.ts';
import type { AuthenticationRequest } from './authenticator.ts';
import { anonymousUser, authenticatedGroup, unauthenticatedGroup } from './authenticator.ts';
import { headerValues, prefixedHeaders } from './headers.ts';
import { parseServiceAccountUser, serviceAccountGroups } from './service-account/names.ts';

const extraPrefix = 'impersonate-extra-';
const authenticationGroup = 'authentication.k8s.io';

/** Whom a request asks to act as, and everything its sender must be allowed to impersonate for that. */
export interface Impersonation {
  readonly user: UserInfo;
  readonly checks: readonly Attributes[];
}

/** Reads the Impersonate-* headers; undefined when there are none, 400 when they name no user. */
export function impersonation(request: AuthenticationRequest, requester: UserInfo): Impersonation | undefined {
  const { headers } = request;
  const name = headerValues(request, 'impersonate-user')[0] ?? '';
  const uid = headerValues(request, 'impersonate-uid')[0] ?? '';
  const groups = headers['impersonate-group'] === undefined ? [] : headerValues(request, 'impersonate-group');
  const extras = prefixedHeaders(request, extraPrefix);
  if (name === '') {
    if (groups.length === 0 && extras.length === 0 && uid === '') return undefined;
    throw statusErrors.badRequest(
      `requested ${JSON.stringify(extras.map(([key]) => key))} without impersonating a user`,
    );
  }
  const check = (target: Parameters<typeof resourceAttributes>[2]) =>
    resourceAttributes(requester, 'impersonate', { version: 'v1', ...target });
  const account = parseServiceAccountUser(name);
  const checks: Attributes[] = [
    account ? check({ resource: 'serviceaccounts', ...account }) : check({ resource: 'users', name }),
    ...groups.map((group) => check({ resource: 'groups', name: group })),
  ];
  const extra: Record<string, readonly string[]> = Object.create(null);
  for (const [key, values] of extras) {
    extra[key] = [...(extra[key] ?? []), ...values];
    for (const value of values) {
      checks.push(check({ group: authenticationGroup, resource: 'userextras', subresource: key, name: value }));
    }
  }
  if (uid !== '') checks.push(check({ group: authenticationGroup, resource: 'uids', name: uid }));
  const user: UserInfo = {
    name,
    groups: impersonatedGroups(
      name,
      groups.length > 0 ? groups : account ? serviceAccountGroups(account.namespace) : [],
    ),
    ...(uid === '' ? {} : { uid }),
    ...(extras.length > 0 ? { extra } : {}),
  };
  return { user, checks };
}

function impersonatedGroups(name: string, groups: readonly string[]): readonly string[] {
  if (name === anonymousUser) {
    return groups.includes(unauthenticatedGroup) ? groups : [...groups, unauthenticatedGroup];
  }
  return groups.includes(authenticatedGroup) || groups.includes(unauthenticatedGroup)
    ? groups
    : [...groups, authenticatedGroup];
}

/** The user a request acts as: itself, or whom it impersonates after every check passed (403 otherwise). */
export async function effectiveUser(
  request: AuthenticationRequest,
  requester: UserInfo,
  authorizer: Authorizer,
): Promise<UserInfo> {
  const wanted = impersonation(request, requester);
  if (!wanted) return requester;
  for (const attributes of wanted.checks) {
    const { decision, reason } = await authorizer.authorize(attributes);
    if (decision !== 'allow') throw forbidden(attributes, reason);
  }
  return wanted.user;
}
