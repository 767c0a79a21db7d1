import { formatTime, statusErrors } from '@hypershift-ts/kube-apimachinery';
import type { UserInfo } from '../request/context.ts';
import { BadCredential } from './authenticator.ts';
import type { Authentication } from './chain.ts';
import { bodyObject, objectAt, textAt, textsAt } from './wire-shape.ts';

/** A user as the wire spells it. */
export function wireUser(user: UserInfo): object {
  return {
    ...(user.name === '' ? {} : { username: user.name }),
    ...(user.uid ? { uid: user.uid } : {}),
    ...(user.groups.length > 0 ? { groups: user.groups } : {}),
    ...(user.extra && Object.keys(user.extra).length > 0 ? { extra: { ...user.extra } } : {}),
  };
}

/** Answers a TokenReview: whose token it is, for the audiences asked for or the server's own. */
export async function answerTokenReview(
  body: unknown,
  authentication: Pick<Authentication, 'authenticateToken'>,
): Promise<object> {
  const review = bodyObject(body);
  const spec = objectAt(review, 'spec') ?? {};
  const token = textAt(spec, 'token', 'spec.token');
  if (token === '') throw statusErrors.badRequest('token is required for TokenReview in authentication');
  const wanted = textsAt(spec, 'audiences', 'spec.audiences');
  const audiences = wanted.length > 0 ? wanted : undefined;
  let status: object;
  try {
    const found = await authentication.authenticateToken(token, audiences);
    // Credentials without audiences are good for the API server only, not for whom the reviewer speaks.
    const usable = found && (!audiences || found.audiences?.some((one) => audiences.includes(one)));
    status = usable
      ? {
          authenticated: true,
          user: wireUser(found.user),
          ...(found.audiences?.length ? { audiences: found.audiences } : {}),
        }
      : { user: {}, error: 'invalid bearer token' };
  } catch (error) {
    if (!(error instanceof BadCredential)) throw error;
    status = { user: {}, error: error.message };
  }
  return {
    kind: 'TokenReview',
    apiVersion: 'authentication.k8s.io/v1',
    metadata: objectAt(review, 'metadata') ?? {},
    spec,
    status,
  };
}

/** Answers a SelfSubjectReview, what `kubectl auth whoami` shows. */
export function answerSelfSubjectReview(user: UserInfo, now: number, version = 'v1'): object {
  return {
    kind: 'SelfSubjectReview',
    apiVersion: `authentication.k8s.io/${version}`,
    metadata: { creationTimestamp: formatTime(now) },
    status: { userInfo: wireUser(user) },
  };
}
