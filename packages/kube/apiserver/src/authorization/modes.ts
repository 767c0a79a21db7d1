import type { Attributes, Authorizer, Decision, MaybePromise, SyncAuthorizer } from './attributes.ts';
import { allowed, noOpinion } from './attributes.ts';

const superuserGroup = 'system:masters';

/** Members of system:masters may do anything, whatever the other authorizers think. */
export const superusers: SyncAuthorizer = {
  authorize: ({ user }) => (user.groups.includes(superuserGroup) ? allowed : noOpinion),
};

const alwaysAllow: SyncAuthorizer = { authorize: () => allowed };

const never: Decision = Object.freeze({ decision: 'no-opinion', reason: 'Everything is forbidden.' });
const alwaysDeny: SyncAuthorizer = { authorize: () => never };

export type AuthorizationMode = 'RBAC' | 'Node' | 'AlwaysAllow' | 'AlwaysDeny' | 'Webhook';

/** Asks one after another until somebody allows or denies. Stays synchronous while the authorizers do. */
export function anyOf(authorizers: readonly Authorizer[]): Authorizer {
  const from = (attributes: Attributes, start: number, reasons: string): MaybePromise<Decision> => {
    let collected = reasons;
    for (let i = start; i < authorizers.length; i++) {
      const answer = (authorizers[i] as Authorizer).authorize(attributes);
      if (answer instanceof Promise) {
        return answer.then((decision) =>
          decision.decision === 'no-opinion' ? from(attributes, i + 1, joined(collected, decision.reason)) : decision,
        );
      }
      if (answer.decision !== 'no-opinion') return answer;
      collected = joined(collected, answer.reason);
    }
    return collected === '' ? noOpinion : { decision: 'no-opinion', reason: collected };
  };
  return { authorize: (attributes) => from(attributes, 0, '') };
}

const joined = (reasons: string, reason: string) =>
  reason === '' ? reasons : reasons === '' ? reason : `${reasons}\n${reason}`;

/** The authorizer of `--authorization-mode=Node,RBAC`; superusers always come first. */
export function authorizerFor(
  modes: readonly string[],
  available: { readonly [mode in AuthorizationMode]?: Authorizer },
): Authorizer {
  const known: { readonly [mode in AuthorizationMode]?: Authorizer } = {
    AlwaysAllow: alwaysAllow,
    AlwaysDeny: alwaysDeny,
    ...available,
  };
  if (modes.length === 0) throw new Error('at least one --authorization-mode is needed');
  const chosen = modes.map((mode, i) => {
    if (modes.indexOf(mode) !== i) throw new Error(`authorization-mode ${mode} is named twice`);
    const authorizer = Object.hasOwn(known, mode) ? known[mode as AuthorizationMode] : undefined;
    if (!authorizer) throw new Error(`${mode} is not a valid authorization mode`);
    return authorizer;
  });
  return anyOf([superusers, ...chosen]);
}
