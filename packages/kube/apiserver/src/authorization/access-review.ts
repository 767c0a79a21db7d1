import type { FieldError, JsonObject } from '@hypershift-ts/kube-apimachinery';
import { fieldError, statusErrors } from '@hypershift-ts/kube-apimachinery';
import { bodyObject, objectAt, textAt, textsAt } from '../authentication/wire-shape.ts';
import type { UserInfo } from '../request/context.ts';
import type { Attributes, Authorizer, Decision } from './attributes.ts';
import type { RbacIndex } from './rbac/rbac-index.ts';

const reviewVersion = 'authorization.k8s.io/v1';

export type AccessReviewKind = 'SubjectAccessReview' | 'SelfSubjectAccessReview' | 'LocalSubjectAccessReview';

/** What is wrong with a posted review. `namespace` is the path's, for the Local kind. */
function reviewErrors(kind: AccessReviewKind, review: JsonObject, spec: JsonObject, namespace: string): FieldError[] {
  const resource = objectAt(spec, 'resourceAttributes');
  const url = objectAt(spec, 'nonResourceAttributes');
  const errors: FieldError[] = [];
  if (!resource === !url) {
    const detail = 'exactly one of nonResourceAttributes or resourceAttributes must be specified';
    errors.push(fieldError.invalid('spec', url, detail));
  }
  const nobody = textAt(spec, 'user') === '' && textsAt(spec, 'groups').length === 0;
  if (kind !== 'SelfSubjectAccessReview' && nobody) {
    errors.push(fieldError.invalid('spec.user', '', 'at least one of user or group must be specified'));
  }
  const local = kind === 'LocalSubjectAccessReview';
  const metadata = objectAt(review, 'metadata') ?? {};
  const ignored = local ? ['managedFields', 'namespace'] : ['managedFields'];
  const isSet = ([key, value]: [string, unknown]) => value != null && value !== '' && !ignored.includes(key);
  if (Object.entries(metadata).some(isSet)) {
    const detail = local ? 'must be empty except for namespace' : 'must be empty';
    errors.push(fieldError.invalid('metadata', metadata, detail));
  }
  if (!local) return errors;
  const asked = resource ? textAt(resource, 'namespace') : namespace;
  if (asked !== namespace) {
    errors.push(fieldError.invalid('spec.resourceAttributes.namespace', asked, 'must match metadata.namespace'));
  }
  if (url) errors.push(fieldError.invalid('spec.nonResourceAttributes', url, 'disallowed on this kind of request'));
  return errors;
}

function questionOf(spec: JsonObject, user: UserInfo): Attributes {
  const resource = objectAt(spec, 'resourceAttributes');
  const asked = resource ?? objectAt(spec, 'nonResourceAttributes') ?? {};
  return {
    user,
    verb: textAt(asked, 'verb'),
    isResource: resource !== undefined,
    group: textAt(asked, 'group'),
    version: textAt(asked, 'version'),
    resource: textAt(asked, 'resource'),
    subresource: textAt(asked, 'subresource'),
    name: textAt(asked, 'name'),
    namespace: textAt(asked, 'namespace'),
    path: textAt(asked, 'path'),
  };
}

function userOf(spec: JsonObject): UserInfo {
  const uid = textAt(spec, 'uid');
  const extra = objectAt(spec, 'extra');
  return {
    name: textAt(spec, 'user'),
    groups: textsAt(spec, 'groups'),
    ...(uid === '' ? {} : { uid }),
    ...(extra ? { extra: Object.fromEntries(Object.keys(extra).map((key) => [key, textsAt(extra, key)])) } : {}),
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
  body: unknown,
  requester: UserInfo,
  authorizer: Authorizer,
  namespace = '',
): Promise<object> {
  const review = bodyObject(body);
  const spec = objectAt(review, 'spec') ?? {};
  const errors = reviewErrors(kind, review, spec, namespace);
  if (errors.length > 0) throw statusErrors.invalid({ group: 'authorization.k8s.io', kind }, '', errors);
  const question = questionOf(spec, kind === 'SelfSubjectAccessReview' ? requester : userOf(spec));
  const status = statusOf(await authorizer.authorize(question));
  return { kind, apiVersion: reviewVersion, metadata: objectAt(review, 'metadata') ?? {}, spec, status };
}

/** Answers a SelfSubjectRulesReview, what `kubectl auth can-i --list` shows. */
export function answerRulesReview(
  body: unknown,
  requester: UserInfo,
  index: RbacIndex,
  options: { readonly incomplete?: boolean; readonly evaluationError?: string } = {},
): object {
  const namespace = textAt(objectAt(bodyObject(body), 'spec') ?? {}, 'namespace');
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
    metadata: {},
    spec: {},
    status: {
      resourceRules,
      nonResourceRules,
      incomplete: options.incomplete ?? false,
      ...(error === '' ? {} : { evaluationError: error }),
    },
  };
}
