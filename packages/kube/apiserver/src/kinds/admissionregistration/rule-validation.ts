import type { FieldError } from '@hypershift-ts/kube-apimachinery';
import { fieldError, isQualifiedName } from '@hypershift-ts/kube-apimachinery';
import type { Draft } from '../behaviour.ts';
import { format, required, supported } from '../rules/checks.ts';
import { listOf, stringsOf, textOf } from '../values.ts';

const operations = ['*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE'] as const;

/** A rule that says which requests are meant: operations, groups, versions, resources, scope. */
export function validateRule(errors: FieldError[], rule: Draft, field: string): void {
  const given = stringsOf(rule['operations']);
  required(errors, `${field}.operations`, given);
  if (given.length > 1 && given.includes('*'))
    errors.push(
      fieldError.invalid(`${field}.operations`, given, "if '*' is present, must not specify other operations"),
    );
  given.forEach((operation, index) => supported(errors, `${field}.operations[${index}]`, operation, operations));
  for (const [key, shown] of [
    ['apiGroups', 'API groups'],
    ['apiVersions', 'API versions'],
  ] as const) {
    const values = stringsOf(rule[key]);
    if (values.length === 0) errors.push(fieldError.required(`${field}.${key}`));
    if (values.length > 1 && values.includes('*'))
      errors.push(fieldError.invalid(`${field}.${key}`, values, `if '*' is present, must not specify other ${shown}`));
  }
  stringsOf(rule['apiVersions']).forEach((version, index) =>
    required(errors, `${field}.apiVersions[${index}]`, version),
  );
  validateResources(errors, stringsOf(rule['resources']), `${field}.resources`);
  supported(errors, `${field}.scope`, rule['scope'], ['*', 'Cluster', 'Namespaced']);
}

/** Resources and subresources: a wildcard may not stand beside what it already covers. */
function validateResources(errors: FieldError[], resources: readonly string[], field: string): void {
  if (resources.length === 0) {
    errors.push(fieldError.required(field));
    return;
  }
  const anySubresource = new Set<string>();
  const ofAnyResource = new Set<string>();
  const parsed = resources.map((text) => {
    const [resource = '', subresource] = text.split('/');
    return { text, resource, subresource };
  });
  for (const { resource, subresource } of parsed) {
    if (subresource === '*') anySubresource.add(resource);
    if (resource === '*' && subresource !== undefined) ofAnyResource.add(subresource);
  }
  parsed.forEach(({ text, resource, subresource }, index) => {
    if (text === '') {
      errors.push(fieldError.required(`${field}[${index}]`));
      return;
    }
    if (text === '*/*' || text === '*') return;
    if (subresource !== '*' && anySubresource.has(resource))
      errors.push(
        fieldError.invalid(`${field}[${index}]`, text, `if '${resource}/*' is present, must not specify ${text}`),
      );
    if (resource !== '*' && subresource !== undefined && ofAnyResource.has(subresource))
      errors.push(
        fieldError.invalid(`${field}[${index}]`, text, `if '*/${subresource}' is present, must not specify ${text}`),
      );
  });
  if (resources.includes('*/*') && resources.length > 1)
    errors.push(fieldError.invalid(field, resources, "if '*/*' is present, must not specify other resources"));
  if (resources.includes('*') && parsed.some(({ text, subresource }) => text !== '*' && subresource === undefined))
    errors.push(
      fieldError.invalid(field, resources, "if '*' is present, must not specify other resources without subresources"),
    );
}

const maxMatchConditions = 64;

/** Match conditions: named expressions, each name once. Whether they compile is asked by the policy machinery. */
export function validateMatchConditions(errors: FieldError[], conditions: unknown, field: string): void {
  const list = listOf(conditions);
  if (list.length > maxMatchConditions) errors.push(fieldError.tooMany(field, list.length, maxMatchConditions));
  const names = new Set<string>();
  list.forEach((condition, index) => {
    const path = `${field}[${index}]`;
    const name = textOf(condition['name']);
    required(errors, `${path}.expression`, textOf(condition['expression']).trim());
    if (required(errors, `${path}.name`, name)) {
      format(errors, `${path}.name`, name, isQualifiedName);
      if (names.has(name)) errors.push(fieldError.duplicate(`${path}.name`, name));
      names.add(name);
    }
  });
}
