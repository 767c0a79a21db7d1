import type { FieldError, UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import { fieldError } from '@hypershift-ts/kube-apimachinery';
import type { Draft } from '../behaviour.ts';
import { immutable, qualifiedName } from '../rules/checks.ts';
import { fieldsOf, isEmpty, listOf, specOf, statusOf, stringsOf, textOf } from '../values.ts';
import { compareQuantities } from './resources/compare.ts';
import { validateQuotaResourceName, validateResourceName } from './resources/names.ts';
import { validateQuantity } from './resources/validation.ts';

/** ResourceQuotas and LimitRanges: the two ways of saying how much. */

const scopes = new Set([
  'Terminating',
  'NotTerminating',
  'BestEffort',
  'NotBestEffort',
  'PriorityClass',
  'CrossNamespacePodAffinity',
  'VolumeAttributesClass',
]);

function validateHard(errors: FieldError[], list: Draft, field: string): void {
  for (const name of Object.keys(list)) {
    validateQuotaResourceName(errors, name, `${field}[${name}]`);
    validateQuantity(errors, name, list[name], `${field}[${name}]`);
  }
}

export function validateQuota(quota: UnstructuredObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  const spec = specOf(quota);
  validateHard(errors, fieldsOf(spec['hard']), 'spec.hard');
  const given = stringsOf(spec['scopes']);
  if (given.some((scope) => !scopes.has(scope)))
    errors.push(fieldError.invalid('spec.scopes', given, 'unsupported scope'));
  const conflicts = [
    ['BestEffort', 'NotBestEffort'],
    ['Terminating', 'NotTerminating'],
  ];
  if (conflicts.some((pair) => pair.every((scope) => given.includes(scope))))
    errors.push(fieldError.invalid('spec.scopes', given, 'conflicting scopes'));
  for (const term of listOf(fieldsOf(spec['scopeSelector'])['matchExpressions'])) validateScopeTerm(errors, term);
  return errors;
}

/** Upstream names the fields of a term without its index. */
function validateScopeTerm(errors: FieldError[], term: Draft): void {
  const at = 'spec.scopeSelector.matchExpressions';
  const scope = textOf(term['scopeName']);
  const operator = textOf(term['operator']);
  const values = stringsOf(term['values']);
  if (!scopes.has(scope)) errors.push(fieldError.invalid(`${at}.scopeName`, scope, 'unsupported scope'));
  if (operator === 'In' || operator === 'NotIn') {
    if (values.length === 0)
      errors.push(
        fieldError.required(
          `${at}.values`,
          "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector",
        ),
      );
  } else if (operator !== 'Exists' && operator !== 'DoesNotExist')
    errors.push(fieldError.invalid(`${at}.operator`, operator, 'not a valid selector operator'));
}

export function validateQuotaUpdate(quota: UnstructuredObject, old: UnstructuredObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  const sorted = (object: UnstructuredObject) => [...stringsOf(specOf(object)['scopes'])].sort();
  immutable(errors, 'spec.scopes', sorted(quota), sorted(old));
  return errors;
}

export function validateQuotaStatus(quota: UnstructuredObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  const status = statusOf(quota);
  validateHard(errors, fieldsOf(status['hard']), 'status.hard');
  validateHard(errors, fieldsOf(status['used']), 'status.used');
  return errors;
}

const lists = ['max', 'min', 'default', 'defaultRequest', 'maxLimitRequestRatio'] as const;

const limitTypes = new Set(['Pod', 'Container', 'PersistentVolumeClaim']);

export function validateLimitRange(range: UnstructuredObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  const types = new Set<string>();
  listOf(specOf(range)['limits']).forEach((limit, index) => {
    const field = `spec.limits[${index}]`;
    const type = textOf(limit['type']);
    qualifiedName(errors, `${field}.type`, type);
    if (type !== '' && !type.includes('/') && !limitTypes.has(type))
      errors.push(fieldError.invalid(`${field}.type`, type, 'must be a standard limit type or fully qualified'));
    if (types.has(type)) errors.push(fieldError.duplicate(`${field}.type`, type));
    types.add(type);
    for (const list of lists)
      for (const name of Object.keys(fieldsOf(limit[list]))) {
        validateResourceName(errors, name, `${field}.${list}[${name}]`);
        if (list !== 'maxLimitRequestRatio')
          validateQuantity(errors, '', fieldsOf(limit[list])[name], `${field}.${list}[${name}]`);
      }
    if (type === 'Pod')
      for (const list of ['default', 'defaultRequest'])
        if (!isEmpty(limit[list]))
          errors.push(fieldError.forbidden(`${field}.${list}`, "may not be specified when `type` is 'Pod'"));
    validateOrder(errors, limit, field);
  });
  return errors;
}

/** min <= defaultRequest <= default <= max, as far as each is given. */
function validateOrder(errors: FieldError[], limit: Draft, field: string): void {
  const names = new Set(lists.flatMap((list) => Object.keys(fieldsOf(limit[list]))));
  for (const name of names) {
    const value = (list: string): string | undefined => fieldsOf(limit[list])[name];
    const greater = (a: string | undefined, b: string | undefined) => (compareQuantities(a, b) ?? 0) > 0;
    const [min, max, request, standard] = [value('min'), value('max'), value('defaultRequest'), value('default')];
    const complain = (list: string, shown: unknown, detail: string) =>
      errors.push(fieldError.invalid(`${field}.${list}[${name}]`, shown, detail));
    if (greater(min, max)) complain('min', min, `min value ${min} is greater than max value ${max}`);
    if (greater(min, request))
      complain('defaultRequest', request, `min value ${min} is greater than default request value ${request}`);
    if (greater(request, max))
      complain('defaultRequest', request, `default request value ${request} is greater than max value ${max}`);
    if (greater(request, standard))
      complain(
        'defaultRequest',
        request,
        `default request value ${request} is greater than default limit value ${standard}`,
      );
    if (greater(min, standard)) complain('default', min, `min value ${min} is greater than default value ${standard}`);
    if (greater(standard, max)) complain('default', max, `default value ${standard} is greater than max value ${max}`);
    const factor = value('maxLimitRequestRatio');
    if (factor !== undefined && greater('1', factor))
      complain('maxLimitRequestRatio', factor, `ratio ${factor} is less than 1`);
  }
}
