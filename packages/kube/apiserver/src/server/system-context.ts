import type { RequestContext, UserInfo } from '../request/context.ts';

/** Who the server itself is when it writes. */
export const systemUser: UserInfo = { name: 'system:apiserver', groups: ['system:masters', 'system:authenticated'] };

/** The context of what the server does on its own account. */
export function systemContext(now: number): RequestContext {
  return { user: systemUser, now, userAgent: 'kube-apiserver', warn: () => {}, auditAnnotation: () => {} };
}
