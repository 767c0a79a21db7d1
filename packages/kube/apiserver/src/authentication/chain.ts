import { StatusError, statusErrors } from '@hypershift-ts/kube-apimachinery';
import type { UserInfo } from '../request/context.ts';
import type {
  Authenticated,
  AuthenticationRequest,
  RequestAuthenticator,
  TokenAuthenticator,
} from './authenticator.ts';
import { anonymousUser, authenticatedGroup, BadCredential, unauthenticatedGroup } from './authenticator.ts';
import { bearerToken } from './headers.ts';

export interface AnonymousOptions {
  /** Paths open to anonymous users; every path when absent. */
  readonly paths?: readonly string[];
}

/** The paths probes ask without a credential. */
export const healthPaths: readonly string[] = ['/livez', '/readyz', '/healthz'];

export interface AuthenticationOptions {
  /** In order: front proxy, then client certificates. */
  readonly requests?: readonly RequestAuthenticator[];
  /** In order: static tokens, service accounts, bootstrap tokens, others. */
  readonly tokens?: readonly TokenAuthenticator[];
  /** Absent: requests without a credential are refused. */
  readonly anonymous?: AnonymousOptions;
  /** Called with the reason of every refused credential; never with the credential. */
  readonly onFailure?: (reason: string) => void;
}

/** Who sends requests. */
export interface Authentication {
  /** The user; throws StatusError 401 for a bad credential, or none where one is needed. */
  authenticate(request: AuthenticationRequest): Promise<Authenticated>;
  /** The user of a bearer token alone, for TokenReview; undefined when nobody knows it. Throws BadCredential. */
  authenticateToken(token: string, audiences?: readonly string[]): Promise<Authenticated | undefined>;
}

const withGroup = (user: UserInfo, group: string): UserInfo => ({ ...user, groups: [...user.groups, group] });

const completed = new WeakMap<UserInfo, UserInfo>();

/** Adds system:authenticated to everybody who proved something. */
function authenticatedUser(user: UserInfo): UserInfo {
  if (user.name === anonymousUser) return user;
  if (user.groups.includes(authenticatedGroup) || user.groups.includes(unauthenticatedGroup)) return user;
  let full = completed.get(user);
  if (!full) completed.set(user, (full = withGroup(user, authenticatedGroup)));
  return full;
}

/** Asks each authenticator in turn. A bad credential is remembered, but another one of the same request may be good. */
export function authentication(options: AuthenticationOptions): Authentication {
  const { requests = [], tokens = [], anonymous } = options;

  const tryEach = async <T>(
    list: readonly T[],
    ask: (one: T) => Authenticated | undefined | Promise<Authenticated | undefined>,
    failures: string[],
  ): Promise<Authenticated | undefined> => {
    for (const one of list) {
      try {
        const answer = ask(one);
        const result = answer instanceof Promise ? await answer : answer;
        if (result) return { ...result, user: authenticatedUser(result.user) };
      } catch (error) {
        if (error instanceof StatusError && error.code !== 401) throw error;
        if (!(error instanceof BadCredential || error instanceof StatusError)) throw error;
        failures.push(error.message);
      }
    }
    return undefined;
  };

  return {
    async authenticate(request) {
      const failures: string[] = [];
      const byRequest = await tryEach(requests, (one) => one.authenticate(request), failures);
      if (byRequest) return byRequest;
      const token = bearerToken(request);
      if (token !== undefined) {
        const byToken = await tryEach(tokens, (one) => one.authenticateToken(token), failures);
        if (byToken) return byToken;
        if (failures.length === 0) failures.push('invalid bearer token');
      }
      if (failures.length > 0) {
        for (const failure of failures) options.onFailure?.(failure);
        throw statusErrors.unauthorized();
      }
      if (anonymous && (!anonymous.paths || anonymous.paths.includes(request.path ?? ''))) {
        return { user: { name: anonymousUser, groups: [unauthenticatedGroup] } };
      }
      throw statusErrors.unauthorized();
    },

    async authenticateToken(token, audiences) {
      const failures: string[] = [];
      const result = await tryEach(tokens, (one) => one.authenticateToken(token, audiences), failures);
      if (!result && failures.length > 0) throw new BadCredential(failures.join(', '));
      return result;
    },
  };
}
