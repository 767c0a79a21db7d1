import type { FieldError } from '@hypershift-ts/kube-apimachinery';
import { fieldError, statusErrors } from '@hypershift-ts/kube-apimachinery';
import type { UserInfo } from '../request/context.ts';
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
  readonly resourceAttributes?: ResourceQuestion | null;
  readonly nonResourceAttributes?: { readonly path?: string; readonly verb?: string } | null;
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

/** What is wrong with a posted review. `namespace` is the path's, for the Local kind. */
function reviewErrors(kind: AccessReviewKind, review: AccessReview, namespace: string): FieldError[] {
  const { resourceAttributes: resource, nonResourceAttributes: url, user = '', groups } = review.spec;
  const errors: FieldError[] = [];
  if (!resource === !url) {
    const detail = 'exactly one of nonResourceAttributes or resourceAttributes must be specified';
    errors.push(fieldError.invalid('spec', url, detail));
  }
  if (kind !== 'SelfSubjectAccessReview' && user === '' && !groups?.length) {
    errors.push(fieldError.invalid('spec.user', user, 'at least one of user or group must be specified'));
  }
  const local = kind === 'LocalSubjectAccessReview';
  const allowed = local ? ['managedFields', 'namespace'] : ['managedFields'];
  const set = Object.entries(review.metadata ?? {}).filter(([key, value]) => value != null && !allowed.includes(key));
  if (set.length > 0) {
    const detail = local ? 'must be empty except for namespace' : 'must be empty';
    errors.push(fieldError.invalid('metadata', review.metadata, detail));
  }
  if (!local) return errors;
  if (resource && (resource.namespace ?? '') !== namespace) {
    const field = 'spec.resourceAttributes.namespace';
    errors.push(fieldError.invalid(field, resource.namespace ?? '', 'must match metadata.namespace'));
  }
  if (url) errors.push(fieldError.invalid('spec.nonResourceAttributes', url, 'disallowed on this kind of request'));
  return errors;
}

function questionOf(spec: ReviewSpec, user: UserInfo): Attributes {
  const { resourceAttributes: resource, nonResourceAttributes: url } = spec;
  return {
    user,
    verb: resource?.verb ?? url?.verb ?? '',
    isResource: !!resource,
    group: resource?.group ?? '',
    version: resource?.version ?? '',
    resource: resource?.resource ?? '',
    subresource: resource?.subresource ?? '',
    name: resource?.name ?? '',
    namespace: resource?.namespace ?? '',
    path: url?.path ?? '',
  };
}

function userOf(spec: ReviewSpec): UserInfo {
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
  const errors = reviewErrors(kind, review, namespace);
  if (errors.length > 0) throw statusErrors.invalid({ group: 'authorization.k8s.io', kind }, '', errors);
  const question = questionOf(review.spec, kind === 'SelfSubjectAccessReview' ? requester : userOf(review.spec));
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
      incomplete: options.incomplete ?? false,
      ...(error === '' ? {} : { evaluationError: error }),
    },
  };
}
