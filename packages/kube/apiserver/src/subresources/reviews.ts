import { answerAccessReview, answerRulesReview, type Authorizer, type RbacIndex } from '../authorization/index.ts';
import { answerSelfSubjectReview, answerTokenReview, type Authentication } from '../authentication/index.ts';
import type { Draft } from '../kinds/behaviour.ts';
import type { RequestContext } from '../request/context.ts';
import type { Target } from '../registry/registry.ts';
import type { Action, Subresource } from './subresource.ts';

export interface ReviewOptions {
  readonly authentication: Authentication;
  readonly authorizer: Authorizer;
  readonly rbac: RbacIndex | undefined;
}

/** Kinds that are questions: created, answered, never stored. Keyed as subresources of their own resource. */
export function reviews(options: ReviewOptions): [string, Subresource][] {
  const { authentication, authorizer, rbac } = options;
  const access = (kind: 'SubjectAccessReview' | 'SelfSubjectAccessReview' | 'LocalSubjectAccessReview') =>
    answer((body, context, target) =>
      answerAccessReview(kind, body as never, context.user, authorizer, target.namespace),
    );
  return [
    ['tokenreviews.authentication.k8s.io/', answer((body) => answerTokenReview(body as never, authentication))],
    [
      'selfsubjectreviews.authentication.k8s.io/',
      answer((_, { user, now }, { resource }) => answerSelfSubjectReview(user, now, resource.version)),
    ],
    ['subjectaccessreviews.authorization.k8s.io/', access('SubjectAccessReview')],
    ['selfsubjectaccessreviews.authorization.k8s.io/', access('SelfSubjectAccessReview')],
    ['localsubjectaccessreviews.authorization.k8s.io/', access('LocalSubjectAccessReview')],
    [
      'selfsubjectrulesreviews.authorization.k8s.io/',
      answer((body, { user }) =>
        rbac
          ? answerRulesReview(body as never, user, rbac)
          : {
              ...body,
              status: {
                resourceRules: [],
                nonResourceRules: [],
                incomplete: true,
                evaluationError: 'RBAC is not enabled',
              },
            },
      ),
    ],
  ];
}

function answer(reply: (body: Draft, context: RequestContext, target: Target) => object | Promise<object>): Action {
  return {
    form: 'action',
    async run(_, context, target, body) {
      const { apiVersion, kind } = target.resource;
      return { code: 201, object: await reply({ ...body, apiVersion, kind }, context, target) };
    },
  };
}
