import type { UserInfo } from '../request/context.ts';
import { statusErrors } from '@hypershift-ts/kube-apimachinery';
import type { Attributes, Authorizer, Decision } from './attributes.ts';
import type { RbacIndex } from './rbac/rbac-index.ts';

const reviewVersion = 'authorization.k8s.io/v1';

interface ResourceQuestion {
  readonly namespace?: string;
  readonly verb?: string;
  readonly group?: string;
  readonly version?: string;
  readonly resource?: string;
  readonly subresource?: string;
  readonly name?: string;
}
interface ReviewSpec {
  readonly resourceAttributes?: ResourceQuestion;
  readonly nonResourceAttributes?: { readonly path?: string; readonly verb?: string };
  readonly user?: string;
  readonly groups?: readonly string[];
  readonly uid?: string;
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** A Subject-, SelfSubject- or LocalSubjectAccessReview as it was posted. */
export interface AccessReview {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata?: object & { readonly namespace?: string };
  readonly spec: ReviewSpec;
}

export type AccessReviewKind = 'SubjectAccessReview' | 'SelfSubjectAccessReview' | 'LocalSubjectAccessReview';

function questionOf(spec: ReviewSpec, user: UserInfo): Attributes {
  const { resourceAttributes: resource, nonResourceAttributes: url } = spec;
  if ((resource === undefined) === (url === undefined)) {
    throw statusErrors.badRequest('exactly one of nonResourceAttributes or resourceAttributes must be specified');
  }
  return {
    user,
    verb: resource?.verb ?? url?.verb ?? '',
    isResource: resource !== undefined,
    group: resource?.group ?? '',
    version: resource?.version ?? '',
    resource: resource?.resource ?? '',
    subresource: resource?.subresource ?? '',
    name: resource?.name ?? '',
    namespace: resource?.namespace ?? '',
    path: url?.path ?? '',
  };
}

function userOf(kind: AccessReviewKind, spec: ReviewSpec, requester: UserInfo): UserInfo {
  if (kind === 'SelfSubjectAccessReview') return requester;
  if (!spec.user && !spec.groups?.length) {
    throw statusErrors.badRequest('at least one of user or group must be specified');
  }
  return {
    name: spec.user ?? '',
    groups: spec.groups ?? [],
    ...(spec.uid ? { uid: spec.uid } : {}),
    ...(spec.extra ? { extra: spec.extra } : {}),
  };
}

function statusOf({ decision, reason }: Decision) {
  return {
    allowed: decision === 'allow',
    ...(decision === 'deny' ? { denied: true } : {}),
    ...(reason === '' ? {} : { reason }),
  };
}

/** Answers an access review: the posted object with its status. `namespace` is the path's, for the Local kind. */
export async function answerAccessReview(
  kind: AccessReviewKind,
  review: AccessReview,
  requester: UserInfo,
  authorizer: Authorizer,
  namespace = '',
): Promise<object> {
  const question = questionOf(review.spec, userOf(kind, review.spec, requester));
  if (kind === 'LocalSubjectAccessReview') {
    if (!question.isResource) throw statusErrors.badRequest('disallowed on this kind of request');
    if (question.namespace !== namespace) {
      throw statusErrors.badRequest('spec.resourceAttributes.namespace must match metadata.namespace');
    }
  }
  const status = statusOf(await authorizer.authorize(question));
  return { kind, apiVersion: reviewVersion, metadata: review.metadata ?? {}, spec: review.spec, status };
}

/** Answers a SelfSubjectRulesReview, what `kubectl auth can-i --list` shows. */
export function answerRulesReview(
  review: { readonly metadata?: object; readonly spec?: { readonly namespace?: string } },
  requester: UserInfo,
  index: RbacIndex,
  options: { readonly incomplete?: boolean; readonly evaluationError?: string } = {},
): object {
  const namespace = review.spec?.namespace ?? '';
  if (namespace === '') throw statusErrors.badRequest('no namespace on request');
  const { rules, errors } = index.rulesFor(requester, namespace);
  const error = [options.evaluationError, errors].filter(Boolean).join(', ');
  const resourceRules = rules
    .filter((rule) => rule.resources?.length)
    .map(({ verbs, apiGroups, resources, resourceNames }) => ({
      verbs,
      ...(apiGroups?.length ? { apiGroups } : {}),
      resources,
      ...(resourceNames?.length ? { resourceNames } : {}),
    }));
  const nonResourceRules = rules
    .filter((rule) => rule.nonResourceURLs?.length)
    .map(({ verbs, nonResourceURLs }) => ({ verbs, nonResourceURLs }));
  return {
    kind: 'SelfSubjectRulesReview',
    apiVersion: reviewVersion,
    metadata: review.metadata ?? {},
    spec: {},
    status: {
      resourceRules,
      nonResourceRules,
      incomplete: (options.incomplete ?? false) || errors !== '',
      ...(error === '' ? {} : { evaluationError: error }),
    },
  };
}
