import type { FieldError, UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import {
  fieldError,
  isDNS1123Subdomain,
  isPathSegmentName,
  validateLabelSelector,
} from '@hypershift-ts/kube-apimachinery';
import type { Draft } from '../behaviour.ts';
import { format, required } from '../rules/checks.ts';
import { fieldsOf, isEmpty, isSet, listOf, textOf } from '../values.ts';
import { semanticEqual } from '../rules/semantic-equality.ts';

const rbacGroup = 'rbac.authorization.k8s.io';

/** A Role or ClusterRole: every rule grants something, and only ClusterRoles speak of URLs. */
export function validateRole(role: UnstructuredObject, clusterScoped: boolean): readonly FieldError[] {
  const errors = listOf(role['rules']).flatMap((rule, index) => validateRule(rule, clusterScoped, `rules[${index}]`));
  if (!isSet(role['aggregationRule'])) return errors;
  const field = 'aggregationRule.clusterRoleSelectors';
  const selectors = listOf(fieldsOf(role['aggregationRule'])['clusterRoleSelectors']);
  if (selectors.length === 0)
    errors.push(fieldError.required(field, 'at least one clusterRoleSelector required if aggregationRule is non-nil'));
  selectors.forEach((selector, index) => {
    errors.push(...validateLabelSelector(selector, `${field}[${index}]`));
  });
  return errors;
}

/** One rule; `field` is its path. */
function validateRule(rule: Draft, clusterScoped: boolean, field: string): FieldError[] {
  const errors: FieldError[] = [];
  required(errors, `${field}.verbs`, rule['verbs'], 'verbs must contain at least one value');
  const urls = rule['nonResourceURLs'];
  if (!isEmpty(urls)) {
    const invalid = (detail: string) => errors.push(fieldError.invalid(`${field}.nonResourceURLs`, urls, detail));
    if (!clusterScoped) invalid('namespaced rules cannot apply to non-resource URLs');
    if (!isEmpty(rule['apiGroups']) || !isEmpty(rule['resources']) || !isEmpty(rule['resourceNames']))
      invalid('rules cannot apply to both regular resources and non-resource URLs');
    return errors;
  }
  required(errors, `${field}.apiGroups`, rule['apiGroups'], 'resource rules must supply at least one api group');
  required(errors, `${field}.resources`, rule['resources'], 'resource rules must supply at least one resource');
  return errors;
}

/** A RoleBinding or ClusterRoleBinding. */
export function validateBinding(binding: UnstructuredObject, clusterScoped: boolean): readonly FieldError[] {
  const errors: FieldError[] = [];
  const roleRef = fieldsOf(binding['roleRef']);
  const kinds = clusterScoped ? ['ClusterRole'] : ['Role', 'ClusterRole'];
  if (roleRef['apiGroup'] !== rbacGroup)
    errors.push(fieldError.notSupported('roleRef.apiGroup', textOf(roleRef['apiGroup']), [rbacGroup]));
  if (!kinds.includes(textOf(roleRef['kind'])))
    errors.push(fieldError.notSupported('roleRef.kind', textOf(roleRef['kind']), kinds));
  if (required(errors, 'roleRef.name', roleRef['name']))
    format(errors, 'roleRef.name', roleRef['name'], isPathSegmentName);
  listOf(binding['subjects']).forEach((subject, index) => {
    errors.push(...validateSubject(subject, clusterScoped, `subjects[${index}]`));
  });
  return errors;
}

function validateSubject(subject: Draft, clusterScoped: boolean, field: string): FieldError[] {
  const errors: FieldError[] = [];
  const group = textOf(subject['apiGroup']);
  const named = required(errors, `${field}.name`, subject['name']);
  const expectGroup = (expected: string) => {
    if (group !== expected) errors.push(fieldError.notSupported(`${field}.apiGroup`, group, [expected]));
  };
  switch (subject['kind']) {
    case 'ServiceAccount':
      if (named) format(errors, `${field}.name`, subject['name'], isDNS1123Subdomain);
      expectGroup('');
      if (clusterScoped) required(errors, `${field}.namespace`, subject['namespace']);
      break;
    case 'User':
    case 'Group':
      expectGroup(rbacGroup);
      break;
    default:
      errors.push(
        fieldError.notSupported(`${field}.kind`, textOf(subject['kind']), ['ServiceAccount', 'User', 'Group']),
      );
  }
  return errors;
}

/** What a binding grants is fixed: changing it would hand out rights under a name somebody already trusts. */
export function validateRoleRefUnchanged(binding: UnstructuredObject, old: UnstructuredObject): readonly FieldError[] {
  return semanticEqual(binding['roleRef'], old['roleRef'])
    ? []
    : [fieldError.invalid('roleRef', binding['roleRef'], 'cannot change roleRef')];
}
