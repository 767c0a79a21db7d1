import { BOOL, namedStruct, STRING } from '../check/type.ts';
import { fail } from '../errors.ts';
import { isDNS1123Label, nameIsDNSSubdomain } from '@hypershift-ts/kube-apimachinery';
import { OpaqueValue } from '../values/value.ts';
import type { Library } from './declaration.ts';
import { declare, member } from './declaration.ts';

/** What an expression asks an authorizer. Either a `path` or a `resource` is set. */
export interface AuthorizationQuery {
  readonly verb: string;
  /** Asked on behalf of this service account instead of the requesting user. */
  readonly serviceAccount?: { readonly namespace: string; readonly name: string };
  readonly path?: string;
  readonly group?: string;
  readonly resource?: string;
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly fieldSelector?: string;
  readonly labelSelector?: string;
}

export interface AuthorizationDecision {
  readonly allowed: boolean;
  readonly reason?: string;
  /** Set when the authorizer could not decide; `errored()` is then true. */
  readonly error?: string;
}

/** Answers synchronously: evaluation does not wait. */
export type Authorize = (query: AuthorizationQuery) => AuthorizationDecision;

type Draft = Omit<AuthorizationQuery, 'verb'>;

/** One of the builder steps `authorizer.group(...).resource(...)`; each carries what has been said so far. */
class AuthorizerStep extends OpaqueValue {
  readonly typeName: string;
  readonly draft: Draft;
  readonly authorize: Authorize;

  constructor(typeName: string, draft: Draft, authorize: Authorize) {
    super();
    this.typeName = typeName;
    this.draft = draft;
    this.authorize = authorize;
  }
  to(typeName: string, more: Draft): AuthorizerStep {
    return new AuthorizerStep(typeName, { ...this.draft, ...more }, this.authorize);
  }
  equals(other: OpaqueValue): boolean {
    return other instanceof AuthorizerStep && JSON.stringify(this.draft) === JSON.stringify(other.draft);
  }
}

class Decision extends OpaqueValue {
  readonly typeName = 'kubernetes.authorization.Decision';
  readonly decision: AuthorizationDecision;

  constructor(decision: AuthorizationDecision) {
    super();
    this.decision = decision;
  }
  equals(other: OpaqueValue): boolean {
    return other instanceof Decision && JSON.stringify(this.decision) === JSON.stringify(other.decision);
  }
}

const AUTHORIZER_NAME = 'kubernetes.authorization.Authorizer';
const PATH_NAME = 'kubernetes.authorization.PathCheck';
const GROUP_NAME = 'kubernetes.authorization.GroupCheck';
const RESOURCE_NAME = 'kubernetes.authorization.ResourceCheck';

/** Type of the `authorizer` variable. */
export const AUTHORIZER = namedStruct(AUTHORIZER_NAME);
/** Type of the `authorizer.requestResource` variable. */
export const RESOURCE_CHECK = namedStruct(RESOURCE_NAME);
const PATH_CHECK = namedStruct(PATH_NAME);
const GROUP_CHECK = namedStruct(GROUP_NAME);
const DECISION = namedStruct('kubernetes.authorization.Decision');

/** A value for the `authorizer` variable. */
export function authorizerValue(authorize: Authorize): OpaqueValue {
  return new AuthorizerStep(AUTHORIZER_NAME, {}, authorize);
}

/** A value for the `authorizer.requestResource` variable: checks the resource of the request itself. */
export function requestResourceValue(authorize: Authorize, resource: Draft): OpaqueValue {
  return new AuthorizerStep(RESOURCE_NAME, resource, authorize);
}

function path(step: AuthorizerStep, text: string): AuthorizerStep {
  return text.trim() === '' ? fail('path must not be empty') : step.to(PATH_NAME, { path: text });
}

function serviceAccount(step: AuthorizerStep, namespace: string, name: string): AuthorizerStep {
  if (nameIsDNSSubdomain(name, false).length > 0) fail('Invalid service account name');
  if (isDNS1123Label(namespace).length > 0) fail('Invalid service account namespace');
  return step.to(AUTHORIZER_NAME, { serviceAccount: { namespace, name } });
}

function resource(step: AuthorizerStep, text: string): AuthorizerStep {
  return text.trim() === '' ? fail('resource must not be empty') : step.to(RESOURCE_NAME, { resource: text });
}

function check(step: AuthorizerStep, verb: string): Decision {
  return new Decision(step.authorize({ ...step.draft, verb }));
}

const refine = (key: keyof Draft) => (step: AuthorizerStep, text: string) => step.to(RESOURCE_NAME, { [key]: text });

export const authorizationLibrary: Library = {
  types: [AUTHORIZER, PATH_CHECK, GROUP_CHECK, RESOURCE_CHECK, DECISION],
  functions: [
    declare('path', member('authorizer_path', [AUTHORIZER, STRING], PATH_CHECK, path)),
    declare(
      'group',
      member('authorizer_group', [AUTHORIZER, STRING], GROUP_CHECK, (step: AuthorizerStep, text: string) =>
        step.to(GROUP_NAME, { group: text }),
      ),
    ),
    declare(
      'serviceAccount',
      member('authorizer_serviceaccount', [AUTHORIZER, STRING, STRING], AUTHORIZER, serviceAccount),
    ),
    declare('resource', member('groupcheck_resource', [GROUP_CHECK, STRING], RESOURCE_CHECK, resource)),
    declare(
      'subresource',
      member('resourcecheck_subresource', [RESOURCE_CHECK, STRING], RESOURCE_CHECK, refine('subresource')),
    ),
    declare(
      'namespace',
      member('resourcecheck_namespace', [RESOURCE_CHECK, STRING], RESOURCE_CHECK, refine('namespace')),
    ),
    declare('name', member('resourcecheck_name', [RESOURCE_CHECK, STRING], RESOURCE_CHECK, refine('name'))),
    declare(
      'check',
      member('pathcheck_check', [PATH_CHECK, STRING], DECISION, check),
      member('resourcecheck_check', [RESOURCE_CHECK, STRING], DECISION, check),
    ),
    declare(
      'allowed',
      member('decision_allowed', [DECISION], BOOL, ({ decision }: Decision) => decision.allowed),
    ),
    declare(
      'reason',
      member('decision_reason', [DECISION], STRING, ({ decision }: Decision) => decision.reason ?? ''),
    ),
    declare(
      'errored',
      member('decision_errored', [DECISION], BOOL, ({ decision }: Decision) => decision.error !== undefined),
    ),
    declare(
      'error',
      member('decision_error', [DECISION], STRING, ({ decision }: Decision) => decision.error ?? ''),
    ),
  ],
};

export const authorizationSelectors: Library = {
  functions: [
    declare(
      'fieldSelector',
      member('authorizer_fieldselector', [RESOURCE_CHECK, STRING], RESOURCE_CHECK, refine('fieldSelector')),
    ),
    declare(
      'labelSelector',
      member('authorizer_labelselector', [RESOURCE_CHECK, STRING], RESOURCE_CHECK, refine('labelSelector')),
    ),
  ],
};
