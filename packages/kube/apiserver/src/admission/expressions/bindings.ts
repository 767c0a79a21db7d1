import type { UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import { type Authorize, authorizerValue, type Bindings, requestResourceValue } from '@hypershift-ts/kube-cel';
import { serviceAccountGroups, serviceAccountUser } from '../../authentication/service-account/names.ts';
import type { Authorizer } from '../../authorization/index.ts';
import { resourceAttributes } from '../../authorization/index.ts';
import type { RequestContext, UserInfo } from '../../request/context.ts';
import type { Resource } from '../../resource/resource.ts';
import type { RequestView, VersionedObjects } from '../matching/request-view.ts';

/** The values of the names in declaredNames, apart from params. */
export function requestBindings(
  view: RequestView,
  matched: Resource,
  objects: VersionedObjects,
  namespace: UnstructuredObject | undefined,
  authorizer: Authorizer,
): Bindings {
  const { request, context } = view;
  let asked: Bindings | undefined;
  const authorization = (): Bindings => {
    if (asked) return asked;
    const ask = authorizeFor(authorizer, context);
    asked = {
      whole: authorizerValue(ask),
      own: requestResourceValue(ask, {
        group: request.resource.group,
        resource: request.resource.resource,
        subresource: request.subresource,
        namespace: view.namespace,
        name: request.name,
      }),
    };
    return asked;
  };
  return {
    object: objects.object ?? null,
    oldObject: objects.oldObject ?? null,
    request: requestValue(view, matched),
    namespaceObject: namespace ? namespaceValue(namespace) : null,
    get authorizer() {
      return authorization()['whole'];
    },
    get 'authorizer.requestResource'() {
      return authorization()['own'];
    },
  };
}

/** The request as `request` in expressions shows it, and as an AdmissionReview carries most of it. */
export function requestValue(view: RequestView, matched: Resource): Readonly<Record<string, unknown>> {
  const { request, context } = view;
  const { resource, subresource } = request;
  return {
    kind: kindOf(matched, subresource),
    resource: resourceOf(matched),
    ...(subresource === '' ? {} : { subResource: subresource }),
    requestKind: kindOf(resource, subresource),
    requestResource: resourceOf(resource),
    ...(subresource === '' ? {} : { requestSubResource: subresource }),
    ...(request.name === '' ? {} : { name: request.name }),
    ...(view.namespace === '' ? {} : { namespace: view.namespace }),
    operation: request.operation,
    userInfo: userValue(context.user),
    dryRun: request.dryRun,
    ...(request.options ? { options: request.options } : {}),
  };
}

function kindOf({ group, version, kind, subresources }: Resource, subresource: string) {
  const sub = subresource === '' ? undefined : subresources.find(({ name }) => name === subresource);
  return sub ? { group: sub.group, version: sub.version, kind: sub.kind } : { group, version, kind };
}

function resourceOf({ group, version, resource }: Resource) {
  return { group, version, resource };
}

function userValue({ name, uid, groups, extra }: UserInfo) {
  return {
    username: name,
    ...(uid ? { uid } : {}),
    ...(groups.length > 0 ? { groups } : {}),
    ...(extra && Object.keys(extra).length > 0 ? { extra } : {}),
  };
}

/** Expressions see a namespace's stable fields only, with its uid under upstream's spelling. */
function namespaceValue({ metadata, ...rest }: UnstructuredObject): object {
  const { uid, managedFields: _, ownerReferences: __, ...shown } = metadata;
  return { metadata: { ...shown, UID: uid }, spec: rest['spec'] ?? {}, status: rest['status'] ?? {} };
}

/** Asks the server's authorizer on behalf of the requester, or of a service account. */
function authorizeFor(authorizer: Authorizer, { user }: Pick<RequestContext, 'user'>): Authorize {
  return (query) => {
    const who = query.serviceAccount ? userOf(query.serviceAccount) : user;
    const answer = authorizer.authorize(
      query.path === undefined
        ? resourceAttributes(who, query.verb, {
            group: query.group ?? '',
            resource: query.resource ?? '',
            subresource: query.subresource ?? '',
            name: query.name ?? '',
            namespace: query.namespace ?? '',
          })
        : { ...resourceAttributes(who, query.verb, { resource: '' }), isResource: false, path: query.path },
    );
    // Expressions do not wait, so an authorizer that must ask elsewhere cannot be asked from one.
    if (answer instanceof Promise) {
      answer.catch(() => {});
      return { allowed: false, error: 'the authorizer does not answer at once' };
    }
    return { allowed: answer.decision === 'allow', reason: answer.reason };
  };
}

function userOf({ namespace, name }: { namespace: string; name: string }): UserInfo {
  return {
    name: serviceAccountUser(namespace, name),
    groups: [...serviceAccountGroups(namespace), 'system:authenticated'],
  };
}
